import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import { answersOf } from '../decide/sync-and-health.ts'
import { createAppState } from './create-app-state.ts'
import { noteGate } from './gate-waits.ts'

const ref = 'Deployment.apps/default/web'
const application = { kind: 'kustomization', namespace: 'apps', name: 'web' } as const
const syncing = {
  state: 'syncing',
  reason: '',
  needsAcknowledgement: false,
  run: undefined,
  until: undefined,
} as const

function appBeingSynced() {
  const persisted = { since: 0, from: '', removes: true, isRemoved: false }
  const app = createAppState(application, 'test', persisted)
  return {
    hear: (event: Event) => noteGate(app, event),
    reason: () => answersOf(app, syncing, 0).sync.reason,
  }
}

const group = (phase: 'began' | 'waiting' | 'passed'): Event => {
  return { at: 0, type: 'group', ref, step: 'update', phase }
}
const progress = (text: string): Event => ({ at: 0, type: 'progress', ref, text })
const started: Event = { at: 0, type: 'started', application, trigger: 'refresh', isDryRun: false }

test('an application that is being synced says what it waits for while it waits', () => {
  const { hear, reason } = appBeingSynced()
  hear(started)
  hear(group('began'))
  assert.equal(hear(progress('pulled 40 %')), false, 'an operation is no gate')
  assert.equal(reason(), '')
  hear(group('waiting'))
  assert.equal(hear(progress('pod web-1: ErrImagePull: no such image')), true)
  assert.equal(hear(progress('pod web-1: ErrImagePull: no such image')), false)
  assert.equal(reason(), `${ref}: pod web-1: ErrImagePull: no such image`)
  assert.equal(hear(group('passed')), true)
  assert.equal(reason(), '')
})

test('what is waited for though the run does not change it is said too, until the run has ended', () => {
  const { hear, reason } = appBeingSynced()
  hear(started)
  hear(progress('Available: 0/1'))
  assert.equal(reason(), `${ref}: Available: 0/1`)
  const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }
  hear({
    at: 0,
    type: 'ended',
    outcome: 'succeeded',
    isRolledBack: false,
    summary,
    milliseconds: 1,
  })
  assert.equal(reason(), '')
})
