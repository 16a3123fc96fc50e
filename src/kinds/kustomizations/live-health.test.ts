import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeenLook } from '#domains/kustomizations/observe/cluster-cache.ts'
import { kustomizationsKind } from '#domains/kustomizations/domain.ts'
import type { Ports } from '#model/connection.ts'
import type { Look } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { fakeClock } from '../../../test/fake/clock.ts'
import { liveHealth } from './live-health.ts'

const { signal } = new AbortController()

function seen(name: string, look: Look): SeenLook {
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'x' } }
  return { ref: `Deployment.apps/x/${name}`, object, look, pods: { running: 1, total: 1 } }
}

function portsWith(look: () => Promise<Look>): () => Ports {
  const never = (): never => {
    throw new TypeError('nobody asks for this')
  }
  const target = { observe: never, operate: never, watch: never, look }
  return () => ({ kind: kustomizationsKind({}), target })
}

const well: Look = { state: 'ok', message: '' }
const waiting: Look = { state: 'waiting', message: 'Available: 0/1' }

test('what is well is not looked at, and a closer look tells why something is not', async () => {
  const health = liveHealth(fakeClock())
  const nobody = portsWith(() => assert.fail('it was looked at'))
  assert.deepEqual(await health('o', [seen('a', well)], {}, nobody, signal), {
    health: { state: 'healthy', reason: '' },
    againIn: undefined,
  })
  const crash = { state: 'failed', message: 'CrashLoopBackOff', restartCount: 4 } as const
  const found = await health(
    'o',
    [seen('a', well), seen('b', waiting)],
    {},
    portsWith(async () => crash),
    signal,
  )
  assert.equal(found?.health.state, 'degraded')
  assert.equal(found.health.reason, 'Deployment.apps/x/b: CrashLoopBackOff')
  assert.equal(found.health.restartCount, 4)
  assert.notEqual(found.againIn, undefined)
})

test('what is not ready is progressing for a minute, and failed after it', async () => {
  const clock = fakeClock()
  const health = liveHealth(clock)
  const ask = () =>
    health(
      'o',
      [seen('a', waiting)],
      {},
      portsWith(async () => waiting),
      signal,
    )
  assert.equal((await ask())?.health.state, 'progressing')
  await clock.sleep(61_000, signal)
  const late = await ask()
  assert.equal(late?.health.state, 'failed')
  assert.match(late.health.reason, /Available: 0\/1, for more than a minute/)
  await health(
    'o',
    [seen('a', well)],
    {},
    portsWith(async () => well),
    signal,
  )
  assert.equal((await ask())?.health.state, 'progressing', 'it begins anew')
})

test('without the right to look closer, what the object says counts', async () => {
  const refused = new Problem({ type: 'runtime', code: 'forbidden', message: 'no' })
  const found = await liveHealth(fakeClock())(
    'o',
    [seen('a', waiting)],
    {},
    portsWith(() => Promise.reject(refused)),
    signal,
  )
  assert.equal(found?.health.reason, 'Deployment.apps/x/a: Available: 0/1')
})

test('a set that is not to be waited for has no health of this sort', async () => {
  const none = portsWith(() => assert.fail('it was looked at'))
  const found = await liveHealth(fakeClock())(
    'o',
    [seen('a', waiting)],
    { wait: false },
    none,
    signal,
  )
  assert.equal(found, undefined)
})

test('what was not ready for a moment is said for a second, though it is well again', async () => {
  const clock = fakeClock()
  const health = liveHealth(clock)
  const lapsed = { ...seen('a', well), lapse: { look: waiting, at: clock.now() } }
  const nothing = portsWith(async () => well)
  const first = await health('o', [lapsed, seen('b', well)], {}, nothing, signal)
  assert.deepEqual(first, {
    health: {
      state: 'progressing',
      reason: 'Deployment.apps/x/a: it was not ready a moment ago: Available: 0/1',
    },
    againIn: 1_000,
  })
  await clock.sleep(1_000, signal)
  const nobody = portsWith(() => assert.fail('it was looked at'))
  assert.equal((await health('o', [lapsed], {}, nobody, signal))?.health.state, 'healthy')
})

test('of what was started anew it is said how it ended, and how often', async () => {
  const clock = fakeClock()
  const lapsed = { ...seen('a', well), lapse: { look: waiting, at: clock.now() } }
  const message = 'pod a-1, container web: OOMKilled (exit code 137), restarts: 2'
  const again = portsWith(async () => ({ ...well, message, restartCount: 2, exitCode: 137 }))
  const found = await liveHealth(clock)('o', [lapsed], {}, again, signal)
  assert.deepEqual(found?.health, {
    state: 'progressing',
    reason: `Deployment.apps/x/a: it was not ready a moment ago: Available: 0/1 (${message})`,
  })
})
