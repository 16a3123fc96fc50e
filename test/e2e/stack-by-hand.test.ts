/** What people change on a running container with docker's own commands is drift, told and mended. */
import assert from 'node:assert/strict'
import { preview } from '#engine/preview.ts'
import { connectDocker } from '#kinds/stacks/docker.ts'
import { ownerOf } from '#model/application.ts'
import { recordOf } from '#model/read-json.ts'
import type { StackDriver } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import type { Proxy } from '../testbed/proxy.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()

const yaml = `
services:
  limited:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    restart: unless-stopped
    mem_limit: 64m
    cpus: 0.5
    pids_limit: 50
  free: { image: "${busybox}", command: sleep 1000, stop_grace_period: 0s, networks: [default, back] }
networks: { back: }
`

onBothEngines(async ({ engineName, t, proxy, stack }) => {
  await t.test('nothing was changed: nothing is written', async (own) => {
    const driver = stack(own, 'untouched')
    succeeded(await driver.up(yaml))
    proxy.reset()
    const idle = succeeded(await driver.up(yaml))
    assert.equal(idle.end.summary.unchanged, 4)
    assert.deepEqual(proxy.writes(), [])
    // nobody listens here, and no list of Docker's tells limits; on Podman there is nothing to ask for
    assert.equal(inspections(proxy), engineName === 'Docker' ? 2 : 0)
    const lists = proxy.reads().filter(({ path }) => /\/containers\/json/.test(path))
    assert.equal(lists.length, 1)
  })

  await t.test('a network that it was put on, or taken off', async (own) => {
    const driver = stack(own, 'joined')
    succeeded(await driver.up(yaml))
    const before = await driver.ids()
    const other = stack(own, 'elsewhere')
    succeeded(await other.up(`services: { a: { image: "${busybox}", command: sleep 1000 } }`))
    const [free, limited] = [before['joined-free-1'] ?? '', before['joined-limited-1'] ?? '']
    await post(driver, '/networks/elsewhere_default/connect', { Container: free })
    await post(driver, '/networks/joined_default/disconnect', { Container: limited })
    const mended = succeeded(await driver.up(yaml))
    assert.match(mended.text, /update container\/free-1: it is on network elsewhere_default/)
    assert.match(mended.text, /update container\/limited-1: it is not on network joined_default/)
    assert.deepEqual(await driver.ids(), before, 'neither was recreated')
    assert.deepEqual(await networksOf(driver, 'joined-free-1'), ['joined_back', 'joined_default'])
    assert.deepEqual(await networksOf(driver, 'joined-limited-1'), ['joined_default'])
  })

  if (engineName === 'Podman') return

  await t.test('docker update: memory, processors, processes, restart policy', async (own) => {
    const driver = stack(own, 'updated')
    succeeded(await driver.up(yaml))
    const before = await driver.ids()
    await post(driver, '/containers/updated-limited-1/update', {
      Memory: 32 * 2 ** 20,
      MemorySwap: 64 * 2 ** 20,
      NanoCpus: 250_000_000,
      PidsLimit: 20,
      RestartPolicy: { Name: 'no' },
    })
    const mended = succeeded(await driver.up(yaml))
    for (const field of ['mem_limit', 'cpus', 'pids_limit', 'restart']) {
      assert.match(mended.text, new RegExp(`${field} is \\S+ on the container`))
    }
    assert.deepEqual(await driver.ids(), before, 'none was recreated')
    const host = recordOf((await driver.inspect('updated-limited-1'))['HostConfig'])
    const { Memory, NanoCpus, PidsLimit, RestartPolicy } = host
    assert.deepEqual([Memory, NanoCpus, PidsLimit], [64 * 2 ** 20, 500_000_000, 50])
    assert.equal(recordOf(RestartPolicy)['Name'], 'unless-stopped')
    proxy.reset()
    succeeded(await driver.up(yaml))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test(
    'who listens inspects a container once, until something happens to it',
    async (own) => {
      const driver = stack(own, 'heard')
      succeeded(await driver.up(yaml))
      const connection = connectDocker({ address: `unix://${proxy.socket}` }, 'test', {
        called() {},
      })
      const stop = new AbortController()
      const news = connection.watch(stop.signal)[Symbol.asyncIterator]()
      own.after(async () => {
        stop.abort()
        connection.close()
      })
      const rendered = driver.render(yaml)
      const application = { kind: 'stack', namespace: null, name: 'heard' } as const
      const ports = connection.ports(ownerOf('test', application))
      const request = { application, instance: 'test', rendered, revision: 'r1', since: 1000 }
      async function look(): Promise<readonly [causes: readonly string[], inspected: number]> {
        await connection.list(signal)
        proxy.reset()
        const { plan } = await preview(request, ports, signal)
        return [plan.groups.map(({ ref, cause }) => `${ref}: ${cause}`), inspections(proxy)]
      }
      assert.deepEqual((await news.next()).value, { kind: 'listening' })
      assert.deepEqual(await look(), [[], 2])
      assert.deepEqual(await look(), [[], 0])
      await post(driver, '/containers/heard-limited-1/update', { PidsLimit: 20 })
      await news.next()
      const drift = [['container/limited-1: pids_limit is 20 on the container'], 1]
      assert.deepEqual(await look(), drift)
      await post(driver, '/containers/heard-limited-1/update', { PidsLimit: 50 })
      await news.next()
      assert.deepEqual(await look(), [[], 1])
      assert.deepEqual(await look(), [[], 0])
    },
  )

  await t.test('a limit where none was declared can only go with the container', async (own) => {
    const driver = stack(own, 'narrowed')
    succeeded(await driver.up(yaml))
    const before = await driver.ids()
    await post(driver, '/containers/narrowed-free-1/update', {
      Memory: 32 * 2 ** 20,
      MemorySwap: 64 * 2 ** 20,
    })
    const mended = succeeded(await driver.up(yaml))
    assert.match(mended.text, /replace container\/free-1: mem_limit is 33554432 on the container/)
    const after = await driver.ids()
    assert.notEqual(after['narrowed-free-1'], before['narrowed-free-1'])
    assert.equal(after['narrowed-limited-1'], before['narrowed-limited-1'])
  })
})

function inspections(proxy: Proxy): number {
  return proxy.reads().filter(({ path }) => /\/containers\/[^/]+\/json/.test(path)).length
}

async function post(driver: StackDriver, path: string, body: object): Promise<void> {
  await driver.docker.ask('POST', path, {
    body: JSON.parse(JSON.stringify(body)),
    signal,
    doing: `could not post ${path}`,
  })
}

async function networksOf(driver: StackDriver, name: string): Promise<readonly string[]> {
  const settings = recordOf((await driver.inspect(name))['NetworkSettings'])
  return Object.keys(recordOf(settings['Networks'])).toSorted()
}
