/** A container that is not healthy fails also the runs that leave it as it is; one that is healthy costs them nothing. */
import assert from 'node:assert/strict'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const yaml = `
services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    healthcheck: { test: ["CMD", "test", "-f", "/tmp/ready"], interval: 300ms, retries: 2 }
`

onBothEngines(async ({ t, proxy, stack }) => {
  await t.test('unhealthy and unchanged: the run fails until it is well', async (own) => {
    const driver = stack(own, 'unwell')
    const options = { isAtomic: false }
    for (const [time, unchanged] of [0, 2].entries()) {
      const run = await driver.up(yaml, { options })
      assert.equal(run.end.outcome, 'failed', `run ${time}`)
      assert.equal(run.end.summary.unchanged, unchanged)
      assert.match(JSON.stringify(run.problems), /its health check failed.*web-1/)
    }
    await driver.inside('unwell-web-1', 'touch', '/tmp/ready')
    const well = succeeded(await driver.up(yaml))
    assert.equal(well.end.summary.unchanged, 2)
    proxy.reset()
    succeeded(await driver.up(yaml))
    assert.deepEqual(proxy.writes(), [])
    const looks = proxy.calls().filter(({ path }) => /\/containers\/[^/]+\/json/.test(path))
    // on Docker it is asked once what docker update changed, and on neither engine how it is
    assert.equal(looks.length, t.name === 'Podman' ? 0 : 1)
  })
})
