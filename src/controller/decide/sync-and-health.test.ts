/** The health of an application whose lists tell it as a whole, beside what its last run came to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthState } from '#model/assessment.ts'
import type { Outcome } from '#model/event.ts'
import { setDrift, setSeen, updatePersisted, type AppState } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import { answersOf, healthOfApp } from './sync-and-health.ts'

const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

const failed = {
  hash: 'b',
  tries: 1,
  at: 0,
  reason: 'web is not ready',
  code: 'timed_out',
  isRolledBack: false,
  isPassing: true,
  nextTry: 0,
  epoch: 0,
}

function appAfter(outcome: Outcome, failure?: AppState['persisted']['failure']): AppState {
  const application = { kind: 'kustomization', namespace: 'apps', name: 'web' } as const
  const persisted: AppState['persisted'] = {
    since: 0,
    from: '',
    removes: true,
    isRemoved: false,
    desired: { hash: 'b', file: '', inputs: { about: '', read: '' } },
    lastRun: { trigger: 'refresh', at: 1, outcome, isRolledBack: false, summary },
    failure,
  }
  return createAppState(application, 'test', persisted)
}

function healthWith(
  state: HealthState,
  outcome: Outcome,
  failure?: AppState['persisted']['failure'],
) {
  const app = appAfter(outcome, failure)
  const containers = { running: 0, total: 0 }
  const health = { state, reason: 'Available: 0/1' }
  setSeen(app, { since: undefined, mark: undefined, containers, fingerprint: '', health })
  return healthOfApp(app, 0).health
}

test('what runs tells how it is, whatever became of the last try', () => {
  assert.equal(healthWith('healthy', 'succeeded').state, 'healthy')
  assert.equal(healthWith('failed', 'succeeded').state, 'failed')
  assert.equal(healthWith('progressing', 'succeeded').state, 'progressing')
  const back = { ...failed, isRolledBack: true }
  assert.equal(healthWith('progressing', 'failed', back).state, 'progressing')
})

test('what a run waited for in vain is failed until it is well', () => {
  assert.deepEqual(healthWith('progressing', 'failed', failed), {
    state: 'failed',
    reason: 'web is not ready',
  })
  assert.equal(healthWith('healthy', 'failed', failed).state, 'healthy')
})

test('what the first run could not apply does not work, though all that it did apply is well', () => {
  const refused = { ...failed, code: 'invalid', reason: 'web was refused' }
  assert.deepEqual(healthWith('healthy', 'failed', refused), {
    state: 'degraded',
    reason: 'web was refused',
  })
  assert.equal(healthWith('failed', 'failed', refused).reason, 'Available: 0/1')
})

test('what never ran is never healthy, though none of its containers is unwell', () => {
  const nothing = {
    since: undefined,
    mark: undefined,
    containers: { running: 0, total: 0 },
    fingerprint: '',
    listed: [],
  }
  const tried = appAfter('failed', failed)
  setSeen(tried, nothing)
  assert.deepEqual(healthOfApp(tried, 0).health, { state: 'failed', reason: 'web is not ready' })
  const cutOff = appAfter('interrupted')
  setSeen(cutOff, nothing)
  assert.deepEqual(healthOfApp(cutOff, 0).health, {
    state: 'unknown',
    reason: 'its last run was cut off',
  })
})

test('what is suspended with something newer in its source is behind, and drifted only where what runs was changed', () => {
  const app = appAfter('succeeded')
  const suspended = { state: 'suspended', reason: 'suspended' } as const
  const decision = { ...suspended, needsAcknowledgement: false, run: undefined, until: undefined }
  const synced = (hash: string) =>
    updatePersisted(app, { synced: { hash, revision: '', message: '', at: 0 } })
  const sync = () => answersOf(app, decision, 0).sync
  synced('b')
  assert.deepEqual(sync(), { state: 'synced', reason: '', since: 0 })
  synced('a')
  assert.equal(sync().isBehind, true)
  assert.match(sync().reason, /something newer, which waits until it is resumed/)
  setDrift(app, 'container/web: image changed')
  assert.deepEqual(sync(), { state: 'drifted', reason: 'container/web: image changed', since: 0 })
})
