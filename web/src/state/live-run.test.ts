/** A run while it goes on, as the page shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import { endedBy, nextRun, type LiveRun } from './live-run.ts'

function after(...events: readonly Event[]): LiveRun | undefined {
  return events.reduce<LiveRun | undefined>(nextRun, undefined)
}

const started: Event = {
  at: 1,
  type: 'started',
  application: { kind: 'stack', namespace: null, name: 'web' },
  trigger: 'manual',
  isDryRun: false,
}
const ref = 'container/web'

test('a resource is created, waits for health and is done', () => {
  const create = { at: 2, type: 'group', ref, step: 'create' } as const
  const words = (phase: 'began' | 'waiting' | 'passed' | 'undone') =>
    after(started, { ...create, phase })?.steps.get(ref)?.words
  assert.deepEqual((['began', 'waiting', 'passed', 'undone'] as const).map(words), [
    'Creating',
    'Waiting for health',
    'Created',
    'Rolled back',
  ])
})

const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }
const ended: Event = {
  at: 9,
  type: 'ended',
  outcome: 'succeeded',
  isRolledBack: false,
  summary,
  milliseconds: 8,
}
const opened: Event = { at: 2, type: 'opened', run: 3 }

test('a run that finds nothing to do leaves the one before it on the page, and confirms it', () => {
  const first = after(started, opened, ended)
  assert.equal(first?.isConfirmed, false)
  const meanwhile = after(started, opened, ended, started)
  assert.equal(meanwhile?.number, undefined)
  assert.equal(meanwhile?.ended, undefined)
  for (const more of [[], [started, ended]]) {
    const last = after(started, opened, ended, started, ended, ...more)
    assert.deepEqual([last?.number, last?.ended, last?.isConfirmed], [3, ended, true])
  }
  assert.equal(after(started, ended)?.ended, ended)
})

test('a run that fails without a number is told, and a next one with a number forgets the one before', () => {
  const failed: Event = { ...ended, outcome: 'refused' }
  assert.equal(after(started, opened, ended, started, failed)?.ended, failed)
  const next = after(started, opened, ended, started, { ...opened, run: 4 })
  assert.deepEqual([next?.number, next?.before], [4, undefined])
})

test('a run whose beginning was not seen is shown from where it was met', () => {
  const seen = after({ at: 2, type: 'group', ref, step: 'create', phase: 'began' })
  assert.deepEqual([seen?.number, seen?.steps.get(ref)?.words], [undefined, 'Creating'])
  assert.equal(after(opened)?.number, 3)
  assert.equal(after(ended), undefined)
})

test('a dry run shows nothing', () => {
  assert.equal(after({ ...started, isDryRun: true }), undefined)
})

test('an end that was not heard is taken from how the application stands', () => {
  const going = after(started, opened)
  const sync = { state: 'synced', reason: '', since: 9, changes: [] } as const
  const lastRun = {
    number: 3,
    trigger: 'manual',
    outcome: 'succeeded',
    isRolledBack: false,
    at: 9,
    problem: undefined,
    summary,
  } as const
  assert.deepEqual(endedBy(going, { sync, lastRun })?.ended, ended)
  assert.equal(endedBy(going, { sync, lastRun: { ...lastRun, at: 0 } }), going)
  assert.equal(endedBy(going, { sync: { ...sync, state: 'syncing' }, lastRun }), going)
})
