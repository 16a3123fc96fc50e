/** A run while it goes on, as the page shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import { nextRun, type LiveRun } from './live-run.ts'

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

test('events of a dry run, and of a run whose beginning was not seen, show nothing', () => {
  assert.equal(after({ ...started, isDryRun: true }), undefined)
  assert.equal(after({ at: 1, type: 'opened', run: 3 }), undefined)
})
