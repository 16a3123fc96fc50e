/** Who waits for whom: conditions of depends_on, one-shot jobs, restarts of dependents, hooks, replicas, orphans, profiles. */
import assert from 'node:assert/strict'
import { createContainer, removeContainer } from '#clients/docker/containers.ts'
import { busybox } from '../testbed/image.ts'
import type { Driven } from '../testbed/drive.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const quick = `image: ${busybox}\n    stop_grace_period: 0s`
const inline = quick.replace('\n    ', ', ')

function at(driven: Driven, ref: string, words: RegExp, phase: 'began' | 'done' = 'began'): number {
  const index = driven.events.findIndex(
    (event) =>
      event.type === 'operation' &&
      event.ref === ref &&
      event.phase === phase &&
      words.test(event.words),
  )
  assert.ok(index >= 0, `no ${String(words)} of ${ref}`)
  return index
}

function passed(driven: Driven, ref: string): number {
  return driven.events.findIndex(
    (event) => event.type === 'group' && event.ref === ref && event.phase === 'passed',
  )
}

onBothEngines(async ({ t, proxy, stack }) => {
  await t.test('healthy, completed, started: in this order, and never again', async (own) => {
    const driver = stack(own, 'order')
    const yaml = `
services:
  web:
    ${quick}
    command: sleep 1000
    depends_on:
      migrate: { condition: service_completed_successfully }
      cache: { condition: service_started }
  migrate:
    ${quick}
    command: sh -c "echo ran >> /log/runs"
    volumes: ["log:/log"]
    depends_on: { db: { condition: service_healthy } }
  db:
    ${quick}
    command: sh -c "sleep 0.5; touch /tmp/ready; sleep 1000"
    healthcheck: { test: ["CMD", "test", "-f", "/tmp/ready"], interval: 100ms, retries: 50 }
  cache:
    ${quick}
    command: sleep 1000
    volumes: ["log:/log"]
volumes: { log: }
`
    const first = succeeded(await driver.up(yaml))
    const migrated = at(first, 'container/migrate-1', /^Starting/)
    assert.ok(passed(first, 'container/db-1') < migrated)
    assert.ok(passed(first, 'container/migrate-1') < at(first, 'container/web-1', /^Starting/))
    assert.ok(
      at(first, 'container/cache-1', /^Starting/, 'done') <
        at(first, 'container/web-1', /^Starting/),
    )
    proxy.reset()
    succeeded(await driver.up(yaml))
    assert.deepEqual(proxy.writes(), [])
    assert.equal(await driver.inside('order-cache-1', 'cat', '/log/runs'), 'ran')
  })

  await t.test(
    'a dependency that fails stops its dependents, save those that can do without',
    async (own) => {
      const driver = stack(own, 'optional')
      const run = await driver.up(`
services:
  strict: { ${inline}, command: sleep 1000, depends_on: { job: { condition: service_completed_successfully } } }
  loose: { ${inline}, command: sleep 1000, depends_on: { job: { condition: service_completed_successfully, required: false } } }
  job: { ${inline}, command: sh -c "echo no luck; exit 3" }
`)
      assert.equal(run.end.outcome, 'failed')
      const states = Object.fromEntries(
        (await driver.containers()).map(({ name, state }) => [name, state]),
      )
      assert.equal(states['optional-loose-1'], 'running')
      assert.equal(states['optional-strict-1'], undefined)
      const told = run.events.find(
        (event) =>
          event.type === 'group' && event.phase === 'failed' && event.ref === 'container/job-1',
      )
      assert.match(JSON.stringify(told), /exit code 3.*no luck/)
    },
  )

  await t.test(
    'restart: true restarts the dependent when what it depends on is replaced',
    async (own) => {
      const driver = stack(own, 'renewed')
      const yaml = (level: string) => `
services:
  web:
    ${quick}
    command: sleep 1000
    depends_on: { db: { condition: service_started, restart: true } }
  other:
    ${quick}
    command: sleep 1000
    depends_on: [db]
  db:
    ${quick}
    command: sleep 1000
    environment: { LEVEL: ${level} }
`
      succeeded(await driver.up(yaml('one')))
      const before = await driver.ids()
      const started = async (name: string) =>
        JSON.stringify((await driver.inspect(name))['State']).match(/"StartedAt":"[^"]*"/)?.[0]
      const [web, other] = [await started('renewed-web-1'), await started('renewed-other-1')]
      succeeded(await driver.up(yaml('two')))
      const after = await driver.ids()
      assert.equal(after['renewed-web-1'], before['renewed-web-1'])
      assert.equal(after['renewed-other-1'], before['renewed-other-1'])
      assert.notEqual(after['renewed-db-1'], before['renewed-db-1'])
      assert.notEqual(await started('renewed-web-1'), web)
      assert.equal(await started('renewed-other-1'), other)
      proxy.reset()
      succeeded(await driver.up(yaml('two')))
      assert.deepEqual(proxy.writes(), [])
    },
  )

  await t.test('hooks run after the start and before the stop', async (own) => {
    const driver = stack(own, 'hooks')
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    command: sleep 1000
    environment: { LEVEL: ${level} }
    volumes: ["log:/log"]
    post_start: [{ command: ["sh", "-c", "echo up $$LEVEL >> /log/hooks"] }]
    pre_stop: [{ command: ["sh", "-c", "echo down $$LEVEL >> /log/hooks"] }]
volumes: { log: }
`
    succeeded(await driver.up(yaml('one')))
    succeeded(await driver.up(yaml('two')))
    assert.equal(
      await driver.inside('hooks-web-1', 'cat', '/log/hooks'),
      'up one\ndown one\nup two',
    )
    const failing = await driver.up(yaml('three').replace('echo up', 'exit 9; echo up'))
    assert.equal(failing.end.outcome, 'failed')
    assert.equal(failing.end.isRolledBack, true)
    assert.equal(await driver.inside('hooks-web-1', 'sh', '-c', 'echo $LEVEL'), 'two')
    const brief = 'command: sh -c "echo last words; exit 3"'
    const ended = await driver.up(yaml('four').replace('command: sleep 1000', brief))
    assert.equal(ended.end.outcome, 'failed')
    const told = ended.problems.map(({ message, details = [] }) => [message, ...details].join(' '))
    assert.match(told.join(), /it ended with exit code 3.* last words/)
  })

  await t.test(
    'replicas come and go by number, by the file or by the command line',
    async (own) => {
      const driver = stack(own, 'many')
      const yaml = (count: number) => `
services:
  web: { ${inline}, command: sleep 1000, deploy: { replicas: ${count} } }
  db: { ${inline}, command: sleep 1000 }
`
      succeeded(await driver.up(yaml(2)))
      const before = await driver.ids()
      assert.deepEqual(Object.keys(before), ['many-db-1', 'many-web-1', 'many-web-2'])
      succeeded(await driver.up(yaml(2), { input: { scale: { web: 3 } } }))
      const three = await driver.ids()
      assert.equal(three['many-web-2'], before['many-web-2'])
      assert.equal(Object.keys(three).length, 4)
      succeeded(await driver.up(yaml(1)))
      const one = await driver.ids()
      assert.deepEqual(Object.keys(one), ['many-db-1', 'many-web-1'])
      assert.equal(one['many-web-1'], before['many-web-1'])
    },
  )

  await t.test('orphans go, profiles come when asked for, strangers stay', async (own) => {
    const driver = stack(own, 'orphan')
    const service = `{ ${inline}, command: sleep 1000 }`
    const both = `services: { web: ${service}, old: ${service} }`
    succeeded(await driver.up(both))
    const { docker } = driver
    const body = { Image: busybox, Labels: { 'com.docker.compose.project': 'orphan' } }
    await createContainer(docker, { name: 'orphan-stranger-1', body }, signal)
    const run = succeeded(
      await driver.up(
        `services: { web: ${service}, debug: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, profiles: [tools] } }`,
      ),
    )
    assert.match(run.text, /delete container\/old-1: no longer declared/)
    assert.deepEqual(Object.keys(await driver.ids()), ['orphan-stranger-1', 'orphan-web-1'])
    const debug = `{ image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, profiles: [tools], networks: [own] }`
    const withTools = `services: { web: ${service}, debug: ${debug} }\nnetworks: { own: }`
    succeeded(await driver.up(withTools, { load: { profiles: ['tools'] } }))
    const { 'orphan-debug-1': started } = await driver.ids()
    assert.ok(started !== undefined)
    // without the profile it is neither removed nor is what it needs, as docker compose has it
    const left = succeeded(await driver.up(withTools))
    assert.match(left.text, /keep container\/debug-1: its profile is not active now/)
    assert.match(left.text, /keep network\/own: container\/debug-1/)
    assert.equal((await driver.ids())['orphan-debug-1'], started)
    succeeded(await driver.down())
    assert.deepEqual(Object.keys(await driver.ids()), ['orphan-stranger-1'])
    await removeContainer(docker, 'orphan-stranger-1', false, signal)
  })
})
