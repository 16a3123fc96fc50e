import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SyncState } from '#model/assessment.ts'
import { createAppState } from './app-state.ts'
import { markAllSynced, withSyncSince } from './sync-since.ts'

test('each resource is as it is since it was first seen so, and at first since the application is', () => {
  const answers = { sync: { state: 'synced', since: 5 }, health: { state: 'healthy', since: 5 } }
  const memo = { since: 0, from: '', removes: false, isRemoved: false, answers }
  const app = createAppState({ kind: 'stack', namespace: null, name: 'web' }, 'tend', memo)
  const seen = (web: SyncState, now: number) => {
    const of = (ref: string, state: SyncState) => ({
      ref,
      sync: { state, reason: '', changes: [] },
    })
    const all = [of('container/web', web), of('network/own', 'synced')]
    return withSyncSince(app, all, now).map(({ sync }) => sync.since)
  }
  assert.deepEqual(seen('synced', 10), [5, 5])
  assert.deepEqual(seen('drifted', 20), [20, 5])
  assert.deepEqual(seen('drifted', 30), [20, 5])
  markAllSynced(app, 40)
  assert.deepEqual(seen('synced', 50), [40, 5])
  assert.deepEqual(seen('missing', 60), [60, 5])
})
