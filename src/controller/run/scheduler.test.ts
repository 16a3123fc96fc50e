/** What is behind its source is looked at in the next turn of whoever has it, whatever kept it from being looked at before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markGone, setDeclaration, type AppState } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import { isBehindSource } from '../state/read-revision.ts'
import type { ServiceState } from '../state/service-state.ts'
import { refreshAnnounced } from '../sources/refresh-desired.ts'
import type { Branch } from '../sources/repository-poller.ts'
import { createScheduler } from './scheduler.ts'

type Scene = {
  readonly app: AppState
  readonly service: ServiceState
  /** Another commit is there, and its declarations are not taken over yet. */
  readonly push: (revision: string) => void
  readonly hold: (isHeld: boolean) => void
  readonly turn: () => Promise<void>
}

function scene(): Scene {
  const app = createAppState({ kind: 'stack', name: 'web', namespace: null }, 'here', {} as never)
  const branch = { status: { revision: '', message: '' }, snapshot: { revision: '' } }
  setDeclaration(app, {
    declared: undefined,
    branch: branch as unknown as Branch,
    monitor: undefined,
  })
  let isHeld = true
  const service = {
    apps: new Map([[app.key, app]]),
    isOurs: () => isHeld,
    stop: new AbortController().signal,
    declarations: { isEnabled: true, discoveries: [], concurrency: 4 },
    dependencies: { clock: { now: () => 0 }, kinds: [] },
    isIngesting: () => false,
    wake() {},
    emit() {},
    check: async () => undefined,
  } as unknown as ServiceState
  const scheduler = createScheduler(service, () => true)
  return {
    app,
    service,
    push(revision) {
      branch.status.revision = revision
      branch.snapshot = { revision }
    },
    hold: (next) => (isHeld = next),
    async turn() {
      scheduler.turn()
      await app.refresh?.ended
    },
  }
}

test('a commit that came while the membership had lapsed is looked at when it is held again', async () => {
  const { app, service, push, hold, turn } = scene()
  push('one')
  hold(false)
  await refreshAnnounced(service, app, { trigger: 'webhook' }).ended
  await turn()
  assert.equal(isBehindSource(app), true)
  hold(true)
  await turn()
  assert.equal(isBehindSource(app), false)
})

test('one whose declaration is not taken over yet waits for that', async () => {
  const { app, service, push, turn } = scene()
  push('one')
  await refreshAnnounced(service, app, { trigger: 'webhook' }).ended
  push('two')
  await turn()
  assert.equal(isBehindSource(app), true)
  await refreshAnnounced(service, app, { trigger: 'webhook' }).ended
  assert.equal(isBehindSource(app), false)
})

test('one that is gone from its source is not looked for there', async () => {
  const { app, service, push, hold, turn } = scene()
  push('one')
  hold(false)
  await refreshAnnounced(service, app, { trigger: 'webhook' }).ended
  hold(true)
  markGone(app, undefined)
  await turn()
  assert.equal(isBehindSource(app), true)
})
