/** What is not well gets help, as its policy says: restarted, put back while on probation, or told to somebody. */
import assert from 'node:assert/strict'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import { memoryNotes } from '#store/memory.ts'
import { systemClock } from '../testbed/drive.ts'
import { waitFor } from '../testbed/serving.ts'
import { webStandIn } from '../testbed/web-stand-in.ts'
import {
  checkedChart,
  checkedStack,
  endingStack,
  isWell,
  onBothEngines,
  sickeningStack,
} from './health-bench.ts'

onBothEngines('help', async ({ t, engine, served, inside }) => {
  await t.test('an unhealthy container is restarted, and well again', async () => {
    const app = await served('help', { 'help/compose.yaml': checkedStack() })
    await app.until(isWell)
    await inside('help-web-1', 'rm /tmp/well')
    await app.until(({ health }) => health.state === 'failed')
    const well = await app.until(isWell)
    assert.equal(well.health.isGivenUp, false)
    const restarts = app.service().lines.filter((line) => /a container is restarted/.test(line))
    assert.equal(restarts.length, 1)
    assert.match(restarts[0] ?? '', /help-web-1.*its health check failed/)
    // its own doing counts as no end
    assert.equal(well.health.restartCount ?? 0, 0)
  })

  await t.test('what restarts do not mend goes back while it is on probation', async () => {
    const app = await served('back', { 'back/compose.yaml': checkedStack('good') })
    await app.until(isWell)
    const good = app.service().app('stack:back').synced?.hash
    app.repo.commit({ 'back/compose.yaml': sickeningStack })
    app.service().refresh()
    await app.until(({ synced }) => synced?.hash !== good)
    const back = await app.until(
      ({ synced, state, health }) =>
        synced?.hash === good && state === 'failed' && health.state === 'healthy',
    )
    assert.match(back.reason, /went back to run 1, since it was not well: .*health check failed/)
    assert.equal(back.lastRun?.trigger, 'health')
    assert.equal(back.health.isGivenUp, true)
    assert.equal(back.health.details?.at(-1), 'out of luck')
    const restarts = (): number =>
      app.service().lines.filter((line) => /a container is restarted/.test(line)).length
    assert.equal(restarts(), 2)
    // what was put back is looked after as what is wanted would be
    await inside('back-web-1', 'rm /tmp/well')
    await app.until(({ health }) => health.state === 'failed')
    const again = await app.until(({ health }) => health.state === 'healthy')
    assert.equal(restarts(), 3)
    assert.match(again.reason, /went back to run 1/)
    assert.equal(again.synced?.hash, good)
    app.repo.commit({ 'back/compose.yaml': checkedStack('better') })
    app.service().refresh()
    await app.until(isWell)
  })

  await t.test(
    'alert: nothing is touched; it is told once, with its last lines, and its end',
    async (own) => {
      const web = await webStandIn()
      const alerts = await openAlerts({
        instance: 'tend',
        declared: () => ({
          alerts: { failures: 3, after: 600_000, channels: [channelTo(web.url)] },
          commitStatus: [],
        }),
        notes: memoryNotes(),
        clock: systemClock,
        readSecret: async () => '',
        warn: () => undefined,
      })
      own.after(async () => {
        await alerts.close()
        await web.close()
      })
      const app = await served('tell', { 'tell/compose.yaml': checkedStack() }, { health: 'alert' })
      app.service().listen((event) => alerts.see(event))
      await app.until(isWell)
      await inside('tell-web-1', 'rm /tmp/well')
      await waitFor(() => web.seen.length > 0)
      const [told] = web.seen.map(({ body }) => JSON.parse(body))
      assert.equal(told.type, 'failing')
      assert.match(told.reason, /container\/web-1: its health check failed/)
      assert.deepEqual(told.details, ['the web began'])
      const sick = await app.until(({ health }) => (health.details ?? []).length > 0)
      assert.equal(sick.health.isGivenUp, true)
      assert.equal(sick.health.state, 'failed')
      await inside('tell-web-1', 'touch /tmp/well')
      await app.until(isWell)
      await waitFor(() => web.seen.length > 1)
      await alerts.idle()
      assert.deepEqual(
        web.seen.map(({ body }) => JSON.parse(body).type),
        ['failing', 'recovered'],
      )
      assert.equal(
        app.service().lines.some((line) => /is restarted/.test(line)),
        false,
      )
    },
  )

  await t.test(
    'a crash loop that lasts is given up after the probation, and left running',
    async () => {
      const app = await served('left', { 'left/compose.yaml': endingStack }, { probation: 0 })
      await app.until(isWell)
      await inside('left-web-1', 'touch /data/end')
      const left = await app.until(({ health }) => health.isGivenUp)
      assert.match(left.health.reason, /again and again/)
      assert.equal(left.state, 'synced')
    },
  )

  if (engine === 'Docker') return
  await t.test('an unhealthy container of a chart is restarted, and well again', async () => {
    const app = await served('site', checkedChart)
    await app.until(isWell)
    await inside('web', 'rm /tmp/well')
    await app.until(({ health }) => health.state === 'failed')
    await app.until(isWell)
    assert.ok(app.service().lines.some((line) => /a container is restarted/.test(line)))
  })
})

function channelTo(url: string) {
  const about = { name: 'ops', kind: 'webhook', secret: undefined, settings: {} } as const
  return { ...about, url: { text: url } }
}
