import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { createEventRecorder } from './event-recorder.ts'
import { fluxObjectOf } from './kinds.ts'

const key = 'kustomization:flux-system/apps'
const one = fluxObjectOf({ metadata: { name: 'apps', namespace: 'flux-system' } })

function toldOf(message: string): readonly string[] {
  const texts: string[] = []
  const hear = createEventRecorder({
    events: { tell: (_one, _type, _reason, text) => void texts.push(text) },
    setOf: () => one,
    revisionOf: () => 'main@sha1:1',
    faultOf: () => undefined,
    gitsOf: () => [],
  })
  const problem = { type: 'runtime', code: 'in_use', message } as const
  const ref = 'ConfigMap/default/extra'
  const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 1, skipped: 0 }
  const ended = { outcome: 'failed', isRolledBack: false, milliseconds: 1, summary } as const
  const events: readonly Event[] = [
    { at: 1, type: 'group', ref, step: 'delete', phase: 'failed', problem },
    { at: 2, type: 'ended', ...ended },
  ]
  for (const event of events) hear({ type: 'run', key, event })
  return texts
}

test('what failed is named once in its event', () => {
  assert.deepEqual(toldOf('ConfigMap default/extra is being deleted'), [
    'ConfigMap default/extra is being deleted',
  ])
  assert.deepEqual(toldOf('not healthy'), ['ConfigMap/default/extra: not healthy'])
})

function reasonsOf(events: readonly Event[], fault?: ProblemFacts): readonly string[] {
  const told: string[] = []
  const hear = createEventRecorder({
    events: { tell: (_one, type, reason) => void told.push(`${type} ${reason}`) },
    setOf: () => one,
    revisionOf: () => 'main@sha1:1',
    faultOf: () => fault,
    gitsOf: () => [],
  })
  for (const event of events) hear({ type: 'run', key, event })
  return told
}

test('the reason of a failure is the one that Ready has', () => {
  const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 1, skipped: 0 }
  const end = { outcome: 'failed', isRolledBack: false, milliseconds: 1, summary } as const
  const ended: Event = { at: 2, type: 'ended', ...end }
  const late = { type: 'runtime', code: 'timed_out', message: 'it is not well' } as const
  const group = { type: 'group', ref: 'ConfigMap/a/b', phase: 'failed', problem: late } as const
  assert.deepEqual(reasonsOf([{ at: 1, ...group, step: 'update' }, ended]), [
    'Warning HealthCheckFailed',
  ])
  assert.deepEqual(reasonsOf([{ at: 1, ...group, step: 'delete' }, ended]), ['Warning PruneFailed'])
  assert.deepEqual(reasonsOf([{ at: 1, type: 'problem', problem: late }, ended]), [
    'Warning HealthCheckFailed',
  ])
  assert.deepEqual(reasonsOf([ended]), ['Warning ReconciliationFailed'])
  assert.deepEqual(reasonsOf([ended], late), [])
})

test('a run that a newer revision ended tells what it applied, and is no failure', () => {
  const summary = { created: 0, updated: 1, deleted: 0, unchanged: 0, failed: 0, skipped: 1 }
  const end = { outcome: 'interrupted', isRolledBack: false, milliseconds: 1, summary } as const
  const problem = { type: 'runtime', code: 'superseded', message: 'superseded' } as const
  const events: readonly Event[] = [
    { at: 1, type: 'problem', problem },
    { at: 2, type: 'ended', ...end },
  ]
  assert.deepEqual(reasonsOf(events), ['Normal HealthCheckCanceled'])
  assert.deepEqual(reasonsOf(events.slice(1)), [])
})
