/** A fleet as an application of `tend serve`: kept, shown, asked by the usual verbs, and its failures told. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench } from '../testbed/fleet.ts'
import { endProxy, get } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const skip = required('haproxy')

test(
  'defect 18: tend serve keeps a fleet and its HAProxy: made, repaired on its interval, suspended, and ended with it',
  { skip },
  async () => {
    const bench = await fleetBench()
    const { fleet, write, folder, standing, dropCluster, tend, fail } = bench
    const [port, proxyPort] = [await freePort(), await freePort()]
    const proxy = join(folder, 'proxy')
    write({
      'fleet.yaml': `name: lab
baseDomain: fleet.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:${proxyPort}' }
`,
      'tend.yaml': `listen: 127.0.0.1:${port}
fleets: [{ fleet: lab, database: fleet.db, interval: 1s, timeout: 20s }]
`,
    })
    await fleet('init')
    await fleet('add dev --provider k3d')
    assert.equal((await fleet('bootstrap')).code, 0)
    const service = tend('serve --config tend.yaml')
    try {
      const token = (): string => readFileSync(join(folder, 'home', 'local-token'), 'utf8').trim()
      const app = async () => {
        const headers = { authorization: `Bearer ${token()}` }
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/apps`, { headers })
        const apps = JSON.parse(await answer.text())
        return apps.find((one: { key: string }) => one.key === 'fleet:lab')
      }
      const until = async (isSo: (one: Awaited<ReturnType<typeof app>>) => boolean) => {
        for (let waited = 0; waited < 60_000; waited += 50) {
          const seen = await app().catch(() => undefined)
          if (seen !== undefined && isSo(seen)) return seen
          await sleep(50)
        }
        throw new Error(`it did not come to it: ${JSON.stringify(await app())}\n${service.out()}`)
      }
      const first = await until(({ state }) => state === 'synced')
      assert.deepEqual(first.application, { kind: 'fleet', namespace: null, name: 'lab' })
      assert.deepEqual(first.containers, { running: 1, total: 1 })
      assert.deepEqual(standing(), ['dev'])

      dropCluster('dev')
      while (!standing().includes('dev')) await sleep(50)
      // nobody listens behind the route: HAProxy itself answers
      const answered = (): Promise<number | undefined> =>
        get(proxyPort, 'web.dev.fleet.test').then(
          ({ status }) => status,
          () => undefined,
        )
      await endProxy(proxy)
      while ((await answered()) !== 503) await sleep(50)
      fail('create', 'uat', 99)
      await fleet('add uat --provider k3d')
      const failed = await until(({ state }) => state === 'failed')
      assert.match(failed.reason, /uat/)
      fail('create', 'uat', 0)
      await until(({ state, containers }) => state === 'synced' && containers.total === 2)

      const suspended = await tend('suspend lab').told
      assert.equal(suspended.code, 0, suspended.out + suspended.err)
      await until(({ state }) => state === 'suspended')
      dropCluster('dev')
      const refused = await tend('sync lab').told
      assert.notEqual(refused.code, 0)
      assert.match(refused.out + refused.err, /suspended/)
      assert.deepEqual(standing(), ['uat'])
      assert.equal((await tend('resume lab').told).code, 0)
      await until(({ state, containers }) => state === 'synced' && containers.running === 2)
      assert.match((await tend('get apps').told).out, /lab/)
      const last = JSON.parse((await fleet('reconcile --last-run --json')).out)
      assert.equal(last.source, 'serve')
    } finally {
      service.child.kill('SIGTERM')
      const { code, out, err } = await service.told
      await endProxy(proxy)
      await bench.close()
      assert.equal(code, 0, out + err)
    }
  },
)

test('passes of the service leave no connections behind', async () => {
  const portainer = await portainerStandIn()
  const bench = await fleetBench()
  const { fleet, write, tend } = bench
  write({
    'fleet.yaml': `portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY } }\n`,
    'tend.yaml': `listen: 127.0.0.1:${await freePort()}
fleets: [{ fleet: fleet, database: fleet.db, interval: 1s }]
`,
  })
  await fleet('init')
  await fleet('add dev --provider k3d')
  const service = tend('serve --config tend.yaml', { PORTAINER_KEY: portainer.key })
  const passes = (): number =>
    portainer.asked.filter((line) => line.startsWith('GET /api/endpoints')).length
  while (passes() < 8 && service.child.exitCode === null) await sleep(50)
  // one pass has at most four
  const open = await portainer.connections()
  service.child.kill('SIGTERM')
  await service.told
  await bench.close()
  await portainer.close()
  assert.ok(passes() >= 8)
  assert.ok(open <= 4, `${open} after ${passes()} passes`)
})

test('a fleet that is declared under another name than its own is told so', async () => {
  const bench = await fleetBench()
  const { fleet, write, tend } = bench
  write({
    'tend.yaml': `listen: 127.0.0.1:${await freePort()}
fleets: [{ fleet: lab, database: fleet.db }]
`,
  })
  await fleet('init')
  const service = tend('serve --config tend.yaml')
  while (!service.out().includes('its fleet.yaml calls it fleet')) await sleep(50)
  service.child.kill('SIGTERM')
  await service.told
  await bench.close()
})

test('a row that comes while a cluster is waited for is not kept waiting', async () => {
  const bench = await fleetBench()
  const { fleet, write, tend, answer, standing } = bench
  write({
    'tend.yaml': `listen: 127.0.0.1:${await freePort()}
fleets: [{ fleet: fleet, database: fleet.db, interval: 1s, timeout: 30m }]
`,
  })
  await fleet('init')
  await fleet('add slow --provider k3d')
  answer('slow', 503)
  const service = tend('serve --config tend.yaml')
  try {
    while (!standing().includes('slow')) await sleep(50)
    await fleet('add uat --provider k3d')
    for (let waited = 0; !standing().includes('uat'); waited += 50) {
      assert.ok(waited < 60_000, service.out())
      await sleep(50)
    }
    answer('slow', 200)
    while ((await fleet('verify')).code !== 0) await sleep(200)
  } finally {
    service.child.kill('SIGTERM')
    const { code, out, err } = await service.told
    await bench.close()
    assert.equal(code, 0, out + err)
  }
})
