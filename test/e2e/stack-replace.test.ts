/** How one gives way to another: in place, side by side, back again when the new one does not work; drift; ports. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordOf, textOf } from '#model/read-json.ts'
import { removeContainer, stopContainer } from '#clients/docker/containers.ts'
import { busybox } from '../testbed/image.ts'
import { page } from '../testbed/page.ts'
import { freePort } from '../testbed/port.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const quick = `image: ${busybox}\n    stop_grace_period: 0s`
const serve = `sh -c "mkdir -p /www; echo $$LEVEL > /www/index.html; exec httpd -f -h /www -p 80"`

onBothEngines(async ({ t, proxy, stack, addImage }) => {
  await t.test('side by side where that is safe: the name answers all the time', async (own) => {
    const driver = stack(own, 'beside')
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    command: ${serve}
    environment: { LEVEL: ${level} }
    healthcheck: { test: ["CMD", "wget", "-qO-", "http://127.0.0.1"], interval: 200ms, retries: 20 }
  client:
    ${quick}
    command: sleep 1000
`
    succeeded(await driver.up(yaml('one')))
    const script =
      'for i in $(seq 1 200); do wget -qO- http://web || echo failed; usleep 20000; done'
    const asking = driver.inside('beside-client-1', 'sh', '-c', script)
    const run = succeeded(await driver.up(yaml('two')))
    assert.ok(!run.text.includes('make container.stop'), run.text)
    const answers = (await asking).split('\n')
    assert.ok(answers.includes('one') && answers.includes('two'), answers.join(' '))
    // a name may lead to the old one for a moment after its end; stopped first, it would fail far more often
    const failures = answers.filter((line) => line === 'failed')
    assert.ok(failures.length <= 60, answers.join(' '))
    assert.equal(await driver.fetched('beside-client-1', 'web'), 'two')
    assert.deepEqual(Object.keys(await driver.ids()), ['beside-client-1', 'beside-web-1'])
  })

  await t.test('never two on one volume, unless start-first says so', async (own) => {
    const driver = stack(own, 'volume')
    const yaml = (level: string, more = '') => `
services:
  db:
    ${quick}
    command: sleep 1000
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
    ${more}
volumes: { data: }
`
    succeeded(await driver.up(yaml('one')))
    const inPlace = succeeded(await driver.up(yaml('two')))
    assert.match(inPlace.text, /make container.stop !/)
    const first = succeeded(
      await driver.up(yaml('three', 'deploy: { update_config: { order: start-first } }')),
    )
    assert.ok(!first.text.includes('make container.stop'), first.text)
    assert.match(first.text, /finish container.stop/)
  })

  await t.test('not healthy in time: the old one is back, and the log is told', async (own) => {
    const driver = stack(own, 'back')
    const yaml = (level: string, test: string) => `
services:
  web:
    ${quick}
    command: sh -c "echo I am $$LEVEL; sleep 1000"
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
    healthcheck: { test: ${test}, interval: 100ms, retries: 2, start_period: 0s }
  other:
    ${quick}
    command: sleep 1000
    environment: { LEVEL: ${level} }
volumes: { data: }
`
    succeeded(await driver.up(yaml('one', 'exit 0')))
    const before = await driver.ids()
    const run = await driver.up(yaml('two', 'exit 1'))
    assert.equal(run.end.outcome, 'failed')
    assert.equal(run.end.isRolledBack, true)
    const told = run.events.find((event) => event.type === 'group' && event.phase === 'failed')
    assert.match(JSON.stringify(told), /health check failed.*I am two/)
    assert.deepEqual(await driver.ids(), before)
    const states = (await driver.containers()).map(({ state }) => state)
    assert.deepEqual(states, ['running', 'running'])
    proxy.reset()
    succeeded(await driver.up(yaml('one', 'exit 0')))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test('what stopped or went is brought back, and nothing else is touched', async (own) => {
    const driver = stack(own, 'drift')
    const yaml = `
services:
  web: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s }
  db: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s }
  job: { image: ${busybox}, command: "true" }
`
    succeeded(await driver.up(yaml))
    const before = await driver.ids()
    await stopContainer(driver.docker, 'drift-web-1', 0, signal)
    const started = succeeded(await driver.up(yaml))
    assert.match(started.text, /update container\/web-1: it has stopped/)
    assert.deepEqual(await driver.ids(), before)
    await removeContainer(driver.docker, 'drift-db-1', false, signal)
    const made = succeeded(await driver.up(yaml))
    assert.match(made.text, /create container\/db-1/)
    assert.equal((await driver.ids())['drift-web-1'], before['drift-web-1'])
    assert.equal((await driver.ids())['drift-job-1'], before['drift-job-1'])
  })

  await t.test(
    'ports: taken by a stranger is told before anything is touched; moved between services',
    async (own) => {
      const driver = stack(own, 'ports')
      const other = stack(own, 'holder')
      const port = await freePort()
      const held = `services: { web: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, ports: ["127.0.0.1:${port}:80"] } }`
      succeeded(await other.up(held))
      const refused = await driver.up(held)
      assert.equal(refused.end.outcome, 'refused')
      assert.match(
        JSON.stringify(refused.plan?.skipped),
        /is held by container holder-web-1 of stack holder/,
      )
      assert.deepEqual(await driver.ids(), {})
      succeeded(await other.down())
      const yaml = (owner: string) => `
services:
  one:
    ${quick}
    command: ${serve}
    environment: { LEVEL: one }
    ${owner === 'one' ? `ports: ["127.0.0.1:${port}:80"]` : ''}
  two:
    ${quick}
    command: ${serve}
    environment: { LEVEL: two }
    ${owner === 'two' ? `ports: ["127.0.0.1:${port}:80"]` : ''}
`
      succeeded(await driver.up(yaml('one')))
      const get = () => page(port)
      assert.equal(await get(), 'one')
      succeeded(await driver.up(yaml('two')))
      assert.equal(await get(), 'two')
    },
  )

  await t.test('ports: taken by a process shows itself before a container is made', async (own) => {
    const driver = stack(own, 'process')
    const holder = createServer()
    own.after(() => void holder.close())
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, '127.0.0.1', () => resolve(Number(Object(holder.address()).port)))
    })
    const web = `
  web:
    ${quick}
    command: sleep 1000`
    const ports = `
    ports: ["127.0.0.1:${port}:80"]`
    const refused = await driver.up(`services:${web}${ports}`)
    assert.equal(refused.end.outcome, 'refused')
    assert.match(
      refused.plan?.skipped[0]?.problem.message ?? '',
      /port \d+\/tcp .*is in use by node/,
    )
    assert.deepEqual(await driver.ids(), {})
    succeeded(await driver.up(`services:${web}`))
    const before = await driver.ids()
    assert.equal((await driver.up(`services:${web}${ports}`)).end.outcome, 'refused')
    assert.deepEqual(await driver.ids(), before, 'the old one was never touched')
    await new Promise((resolve) => holder.close(resolve))
    succeeded(await driver.up(`services:${web}${ports}`))
    // its own port is no obstacle to its successor
    succeeded(await driver.up(`services:${web}${ports}\n    environment: { LEVEL: two }`))
  })

  await t.test('a tag that names another image now replaces; never means never', async (own) => {
    const driver = stack(own, 'image')
    const name = 'localhost/tend/moving:1'
    await addImage(name, 'one')
    const yaml = `services: { web: { image: "${name}", command: sleep 1000, stop_grace_period: 0s } }`
    succeeded(await driver.up(yaml))
    assert.equal(await driver.inside('image-web-1', 'cat', '/mark'), 'one')
    proxy.reset()
    succeeded(await driver.up(yaml))
    assert.deepEqual(proxy.writes(), [])
    await addImage(name, 'two')
    const run = succeeded(await driver.up(yaml))
    assert.match(run.text, /is another image now/)
    assert.equal(await driver.inside('image-web-1', 'cat', '/mark'), 'two')
    const never = await driver.up(
      `services: { web: { image: "localhost/nowhere:1", pull_policy: never, command: sleep 1000 } }`,
    )
    assert.equal(never.end.outcome, 'failed')
    assert.match(JSON.stringify(never.events), /pull_policy never forbids/)
    // nothing was touched
    assert.equal(await driver.inside('image-web-1', 'cat', '/mark'), 'two')
  })

  await t.test('stop signal and grace are kept', async (own) => {
    const driver = stack(own, 'grace')
    const yaml = (level: string) => `
services:
  web:
    image: ${busybox}
    command: ["sh", "-c", "trap 'sleep 0.3; echo bye > /data/bye; exit 0' USR1; while true; do sleep 0.1; done"]
    stop_signal: SIGUSR1
    stop_grace_period: 5s
    environment: { LEVEL: ${level} }
    volumes: ["data:/data"]
volumes: { data: }
`
    succeeded(await driver.up(yaml('one')))
    await sleep(300)
    succeeded(await driver.up(yaml('two')))
    assert.equal(await driver.inside('grace-web-1', 'cat', '/data/bye'), 'bye')
    const config = recordOf((await driver.inspect('grace-web-1'))['Config'])
    assert.match(textOf(config['StopSignal']), /USR1|^10$/)
  })
})
