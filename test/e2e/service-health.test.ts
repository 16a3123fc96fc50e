/** Health in the service: live from the engine's events, for stacks on Docker and Podman and for charts on Podman. */
import assert from 'node:assert/strict'
import { stackRecordOf } from '#server/shapes/origin.ts'
import {
  checkedChart,
  checkedStack,
  endingStack,
  greedyStack,
  isWell,
  onBothEngines,
} from './health-bench.ts'

const never = new AbortController().signal
const alert = { health: 'alert' } as const

onBothEngines('health in the service', async ({ t, engine, served, call, inside }) => {
  await t.test('a failing health check is said, with its reason, and its end', async (own) => {
    const app = await served('sick', { 'sick/compose.yaml': checkedStack() }, alert)
    await app.until(isWell)
    const began = Date.now()
    await inside('sick-web-1', 'rm /tmp/well')
    const sick = await app.until(({ health }) => health.state === 'failed')
    own.diagnostic(`said after ${Date.now() - began} ms`)
    assert.equal(sick.sync.state, 'synced')
    assert.match(sick.health.reason, /container\/web-1: its health check failed/)
    assert.ok(sick.health.since >= began)
    const record = stackRecordOf(sick, { deployDir: '' })
    assert.equal(record.status, 'failed')
    assert.match(record.lastSyncError ?? '', /its health check failed/)
    const told = await app.until(({ health }) => (health.details ?? []).length > 0)
    assert.deepEqual(told.health.details, ['the web began'])
    const service = app.service()
    const resources = await service.resources('stack:sick', never)
    const web = resources.find(({ ref }) => ref === 'container/web-1')
    assert.equal(web?.sync.state, 'synced')
    assert.equal(web?.health?.state, 'failed')
    assert.equal(web?.health?.restartCount, 0)
    assert.deepEqual(web?.health?.details, ['the web began'])
    assert.match(service.metrics.text(), /tend_app_health\{app="stack:sick",state="failed"\} 1/)
    await inside('sick-web-1', 'touch /tmp/well')
    await app.until(isWell)
  })

  await t.test('a crash loop is one state with a count, and a one-shot is well', async (own) => {
    const app = await served('loop', { 'loop/compose.yaml': endingStack }, alert)
    await app.until(isWell)
    // of two containers one is to run
    const counts = { running: 1, total: 1, completed: 1 }
    const counted = await app.until(({ containers }) => containers.completed === 1)
    assert.deepEqual(counted.containers, counts)
    const states: string[] = []
    app.service().listen((event) => {
      if (event.type === 'app') states.push(event.status.health.state)
    })
    await inside('loop-web-1', 'touch /data/end')
    const began = Date.now()
    const looping = await app.until(({ health }) => health.state === 'degraded')
    own.diagnostic(`said after ${Date.now() - began} ms`)
    assert.match(
      looping.health.reason,
      /^container\/web-1: it ended with exit code 3, again and again \(\d+ times\)$/,
    )
    assert.equal(looping.health.exitCode, 3)
    const more = await app.until(({ health }) => (health.restartCount ?? 0) >= 5)
    assert.equal(more.health.state, 'degraded')
    const first = states.indexOf('degraded')
    assert.deepEqual(new Set(states.slice(first)), new Set(['degraded']))
    const all = await app.service().resources('stack:loop', never)
    const once = all.find(({ ref }) => ref === 'container/once-1')
    assert.equal(once?.health?.state, 'healthy')
    assert.equal(once?.health?.exitCode, 0)
  })

  await t.test('one that took too much memory is said to have', async () => {
    const app = await served('greedy', { 'greedy/compose.yaml': greedyStack }, alert)
    await app.until(isWell)
    await inside('greedy-web-1', 'touch /data/grow')
    // Podman has no event for it: its exit code tells
    const words = engine === 'Docker' ? /it was killed for want of memory/ : /for want of memory\)/
    await app.until(({ health }) => health.state !== 'healthy' && words.test(health.reason))
  })

  await t.test('one that was killed is said at once, and its end', async (own) => {
    const app = await served('kill', { 'kill/compose.yaml': checkedStack() })
    await app.until(isWell)
    const began = Date.now()
    await call('/containers/kill-web-1/kill')
    await app.until((status) => !isWell(status))
    own.diagnostic(`said after ${Date.now() - began} ms`)
    await app.until(isWell)
  })

  if (engine === 'Docker') return
  await t.test('a failing health check of a chart is said, and its end', async (own) => {
    const app = await served('site', checkedChart, alert)
    await app.until(isWell)
    const began = Date.now()
    await inside('web', 'rm /tmp/well')
    const sick = await app.until(({ health }) => health.state === 'failed')
    own.diagnostic(`said after ${Date.now() - began} ms`)
    assert.match(sick.health.reason, /container\/web: its health check failed/)
    await inside('web', 'touch /tmp/well')
    await app.until(isWell)
  })
})
