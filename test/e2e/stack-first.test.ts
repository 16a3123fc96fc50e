/** A stack comes up, stays as it is, changes only where it was changed, and goes down. */
import assert from 'node:assert/strict'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { recordOf } from '#model/read-json.ts'
import { label } from '#domains/stacks/labels.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

function shop(greeting: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: sh -c "echo hello > /www/index.html; httpd -f -h /www -p 80"
    environment: { GREETING: ${greeting}, API_TOKEN: s3cret }
    stop_grace_period: 0s
    networks: [default, back]
  db:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    volumes: ["data:/data"]
    networks: [back]
volumes: { data: }
networks: { back: }
`
}

onBothEngines(async ({ t, proxy, stack }) => {
  await t.test('up, again without a write, a changed variable, down', async (own) => {
    const driver = stack(own, 'first')
    const first = succeeded(await driver.up(shop('hello')))
    assert.equal(first.end.summary.created, 5)
    const before = await driver.ids()
    assert.deepEqual(Object.keys(before), ['first-db-1', 'first-web-1'])
    assert.equal(await driver.inside('first-web-1', 'sh', '-c', 'echo $GREETING'), 'hello')
    assert.equal(await driver.inside('first-web-1', 'sh', '-c', 'echo $API_TOKEN'), 's3cret')
    assert.equal(await driver.fetched('first-db-1', 'web'), 'hello')

    const [web] = (await driver.containers()).filter(({ name }) => name === 'first-web-1')
    assert.equal(web?.labels[label.service], 'web')
    assert.ok(!JSON.stringify(web.labels).includes('s3cret'))
    const engine = dockerEngine(driver.docker)
    const made = [
      web.labels,
      await engine.networkLabels('first_back', own.signal),
      await engine.volumeLabels('first_data', own.signal),
    ]
    for (const labels of made) assert.match(labels?.['tend/generation'] ?? '', /^[1-9]/)

    proxy.reset()
    const again = succeeded(await driver.up(shop('hello')))
    assert.equal(again.end.summary.unchanged, 5)
    assert.deepEqual(proxy.writes(), [])
    assert.equal(proxy.reads().filter(({ path }) => path.includes('/containers/json')).length, 1)
    // no list tells what docker update changed: each container is asked once, and nothing else is; Podman would not tell
    const isAsked = (path: string) => /\/containers\/[0-9a-f]{64}\/json/.test(path)
    const [asked, others] = [
      proxy.calls().filter(({ path }) => isAsked(path)),
      proxy.calls().filter(({ path }) => !isAsked(path)),
    ]
    assert.equal(asked.length, t.name === 'Podman' ? 0 : 2)
    assert.ok(others.length <= 5, JSON.stringify(others))

    const changed = succeeded(await driver.up(shop('good day')))
    assert.match(changed.text, /replace container\/web-1: environment.GREETING changed/)
    assert.match(changed.text, /environment.GREETING: hello → good day/)
    assert.ok(!changed.text.includes('container/db-1:'), changed.text)
    const after = await driver.ids()
    assert.equal(after['first-db-1'], before['first-db-1'])
    assert.notEqual(after['first-web-1'], before['first-web-1'])
    assert.deepEqual(Object.keys(after), ['first-db-1', 'first-web-1'])
    assert.equal(await driver.inside('first-web-1', 'sh', '-c', 'echo $GREETING'), 'good day')
    assert.equal(await driver.fetched('first-db-1', 'web'), 'hello')

    const down = succeeded(await driver.down())
    assert.equal(down.end.summary.deleted, 4)
    assert.deepEqual(
      down.plan?.kept.map(({ ref }) => ref),
      ['volume/data'],
    )
    assert.deepEqual(await driver.ids(), {})
  })

  await t.test('a weight that the kernel can not give is told by either engine', async (own) => {
    const driver = stack(own, 'weight')
    const service = `image: ${busybox}, command: sleep 1000, stop_grace_period: 0s`
    const run = succeeded(
      await driver.up(`services: { web: { ${service}, blkio_config: { weight: 300 } } }`),
    )
    const host = recordOf((await driver.inspect('weight-web-1'))['HostConfig'])
    const told = run.events.some((event) => event.type === 'warning' && /weight/i.test(event.text))
    assert.equal(host['BlkioWeight'] === 300, !told)
  })
})
