/** A new commit is not said to be applied before anybody looked at what it changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Branch } from '../sources/repository-poller.ts'
import { statusOf } from '../decide/app-status.ts'
import { setDeclaration, setPersisted, type AppState } from './app-state.ts'
import { createAppState } from './create-app-state.ts'
import { isBehindSource, noteReadRevision } from './read-revision.ts'

const decision = { state: 'synced', reason: '', needsAcknowledgement: false } as never

function shown(app: AppState): string | undefined {
  return statusOf(app, decision, 0).desired?.revision
}

test('what an application is to be belongs to the revision in which its files were looked at', () => {
  const app = createAppState({ kind: 'stack', name: 'web', namespace: null }, 'here', {} as never)
  const branch = { status: { revision: 'one', message: '' }, snapshot: { revision: 'one' } }
  setDeclaration(app, {
    declared: undefined,
    branch: branch as unknown as Branch,
    monitor: undefined,
  })
  setPersisted(app, { desired: { hash: 'h' } } as never)
  assert.equal(isBehindSource(app), true)
  assert.equal(shown(app), undefined)
  noteReadRevision(app, 'one')
  assert.equal(isBehindSource(app), false)
  assert.equal(shown(app), 'one')
  branch.status.revision = 'two'
  branch.snapshot = { revision: 'two' }
  assert.equal(isBehindSource(app), true)
  assert.notEqual(shown(app), 'two')
  noteReadRevision(app, 'two')
  assert.equal(shown(app), 'two')
})
