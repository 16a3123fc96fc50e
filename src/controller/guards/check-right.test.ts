/** A replica that was stopped between its decision and its call, and finds on waking up that it no longer counts as alive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restartUnit } from '../api/restart.ts'
import { applyRemedy } from '../run/apply-remedy.ts'
import { pruneImages } from '../run/prune-images.ts'
import { setSeen, type AppState } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import type { ServiceState } from '../state/service-state.ts'

const one = { id: 'c1', name: 'web-1', ref: 'container/web' }
const runs = [3, 2, 1].map((number) => ({
  version: '1',
  number,
  outcome: 'succeeded',
  images: { web: { id: `image ${number}` } },
}))

function scene(isOurs: () => boolean): {
  readonly service: ServiceState
  readonly app: AppState
  readonly calls: string[]
} {
  const calls: string[] = []
  const connection = {
    restart: async () => void calls.push('restart'),
    removeImages: async () => (calls.push('remove images'), 1),
  }
  const monitor = {
    problem: () => undefined,
    connection: () => connection,
    look: async () => undefined,
    records: { forgetLook() {} },
  }
  const application = { kind: 'stack', name: 'web', namespace: null }
  const app = createAppState(application, 'here', {} as never)
  Object.assign(app, {
    monitor,
    declared: { policy: { keepImages: 0 } },
    health: { unwell: [one], each: new Map(), health: {} },
  })
  setSeen(app, { listed: [one] } as never)
  const service = {
    isOurs,
    stop: new AbortController().signal,
    metrics: { count() {} },
    persisted: { keep: async () => undefined },
    wake() {},
    dependencies: {
      clock: { now: () => 0 },
      log() {},
      store: { application: async () => ({ isUninstalled: false }), runs: async () => runs },
    },
  }
  return { service: service as unknown as ServiceState, app, calls }
}

const deeds: Readonly<Record<string, (service: ServiceState, app: AppState) => Promise<unknown>>> =
  {
    'a restart that somebody asked for': (service, app) => restartUnit(service, app, undefined),
    'a restart because it is not well': (service, app) => applyRemedy(service, app, 'restart'),
    'a removal of old images': pruneImages,
  }

for (const [name, work] of Object.entries(deeds)) {
  test(`${name} is done by who looks after it`, async () => {
    const { service, app, calls } = scene(() => true)
    await work(service, app)
    assert.equal(calls.length, 1)
  })

  test(`${name} is not done once another one may look after it`, async () => {
    const { service, app, calls } = scene(() => false)
    await work(service, app).catch((thrown: unknown) => {
      assert.match(String(thrown), /the right to change stack:web was lost/)
    })
    assert.deepEqual(calls, [])
  })
}
