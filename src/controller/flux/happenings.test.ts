import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import { happeningsOf } from './happenings.ts'
import { fluxObjectOf } from './kinds.ts'

const key = 'kustomization:flux-system/apps'
const one = fluxObjectOf({ metadata: { name: 'apps', namespace: 'flux-system' } })

function toldOf(message: string): readonly string[] {
  const texts: string[] = []
  const hear = happeningsOf({
    events: { tell: (_one, _type, _reason, text) => void texts.push(text) },
    setOf: () => one,
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
