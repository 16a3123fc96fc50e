import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthState, SyncState } from '#model/assessment.ts'
import { updatePersisted } from './app-state.ts'
import { createAppState } from './create-app-state.ts'
import { markAllSynced, noteSyncs, withSince } from './since.ts'

const synced = { revision: '', message: '', hash: '', at: 3 }

function scene(health: HealthState) {
  const answers = { sync: { state: 'synced', since: 5 }, health: { state: health, since: 6 } }
  const memo = { since: 0, from: '', removes: false, isRemoved: false, synced, answers }
  const app = createAppState({ kind: 'stack', namespace: null, name: 'web' }, 'tend', memo)
  const of = (ref: string, state: SyncState, well: HealthState) => {
    return { ref, sync: { state, reason: '', changes: [] }, health: { state: well, reason: '' } }
  }
  const both = (web: SyncState, well: HealthState = 'healthy') => [
    of('container/web', web, well),
    of('container/db', 'synced', 'healthy'),
  ]
  return { app, both }
}

test('each resource is in sync or not since it was first seen so, and at first since the application is', () => {
  const { app, both } = scene('healthy')
  const seen = (web: SyncState, now: number) =>
    withSince(app, both(web), now).map(({ sync }) => sync.since)
  assert.deepEqual(seen('synced', 10), [5, 5])
  noteSyncs(app, both('drifted'), 20)
  assert.deepEqual(seen('drifted', 30), [20, 5])
  markAllSynced(app, 40)
  assert.deepEqual(seen('synced', 50), [40, 5])
  assert.deepEqual(seen('missing', 60), [60, 5])
})

test('what works goes on to have worked when something else of the application fails', () => {
  const { app, both } = scene('healthy')
  const seen = (well: HealthState, now: number) =>
    withSince(app, both('synced', well), now).map(({ health }) => health?.since)
  assert.deepEqual(seen('healthy', 10), [6, 6])
  const failed = { sync: { state: 'synced', since: 5 }, health: { state: 'degraded', since: 20 } }
  updatePersisted(app, { answers: failed })
  noteSyncs(app, both('synced'), 25)
  assert.deepEqual(seen('failed', 30), [30, 6])
  const later = scene('degraded')
  const told = withSince(later.app, later.both('synced', 'failed'), 30)
  const since = told.map(({ health }) => health?.since)
  assert.deepEqual(since, [6, 3], 'as the application is; since it was applied')
})
