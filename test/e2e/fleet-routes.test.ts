/** Requests find the cluster that their host names, and nobody else's, whatever changes meanwhile. Real HAProxy, real traffic. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { configText, filesOf } from '#clients/haproxy/proxy.ts'
import { liveRoutes, swapRoutes, writeRoutes } from '#clients/haproxy/map.ts'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { backend, endProxy, get, type Backend } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('haproxy')
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})
const { signal } = new AbortController()

type Scene = FleetBench & { readonly port: number; readonly proxy: string }

async function scene(): Promise<Scene> {
  const bench = await fleetBench()
  endings.push(bench.close)
  const port = await freePort()
  const proxy = join(bench.folder, 'proxy')
  bench.write({
    'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '127.0.0.1:${port}' }\n`,
  })
  endings.push(() => endProxy(proxy))
  assert.equal((await bench.fleet('init')).code, 0)
  return { ...bench, port, proxy }
}

async function serving(name: string): Promise<Backend> {
  const made = await backend(name)
  endings.push(made.close)
  return made
}

test(
  'acceptance 23: hosts lead to their cluster; unknown ones and other domains to nobody',
  { skip },
  async () => {
    const { fleet, port, sql, proxy, stopCluster } = await scene()
    const [dev, uat] = [await serving('dev'), await serving('uat')]
    for (const [name, { port: http }] of [
      ['dev', dev],
      ['uat', uat],
    ] as const) {
      sql(`insert into clusters (name, provider, http_port) values ('${name}', 'k3d', ${http})`)
    }
    sql(
      `insert into clusters (name, provider, http_port) values ('devops', 'k3d', ${await freePort()})`,
    )
    const booted = await fleet('bootstrap')
    assert.equal(booted.code, 0, booted.out + booted.err)
    assert.deepEqual((await get(port, 'web.dev.fleet.test')).status, 404)
    const made = await fleet('reconcile --from-db')
    assert.equal(made.code, 0, made.out + made.err)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')
    assert.equal((await get(port, 'API.UAT.fleet.test:80')).text, 'uat')
    for (const host of [
      'dev.fleet.test',
      'web.dev.other.test',
      'web.prod.fleet.test',
      'web.devops.fleet.test',
      'fleet.test',
      'a.b.dev.fleet.test',
      'web.dev.fleet.test.evil',
    ]) {
      assert.equal((await get(port, host)).status, 404, host)
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const name of ['dev', 'uat', 'dev', 'uat']) {
      assert.equal((await get(port, `web.${name}.fleet.test`, agent)).text, name)
    }
    agent.destroy()

    // drift of every kind is repaired
    const { map, socket } = filesOf(proxy)
    await swapRoutes(socket, map, new Map([['dev.fleet.test', `127.0.0.1:${uat.port}`]]), signal)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'uat')
    const drift = await fleet('reconcile --dry-run')
    assert.equal(drift.code, 3)
    assert.equal(summaryIn(drift.out).get('dev')?.['action'], 'repair')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')
    assert.equal((await get(port, 'web.uat.fleet.test')).text, 'uat')
    writeRoutes(map, new Map([['ghost.fleet.test', '127.0.0.1:1']]))
    const repaired = await fleet('reconcile --from-db')
    assert.equal(repaired.code, 0, repaired.out)
    assert.equal(summaryIn(repaired.out).get('ghost')?.['result'], 'deleted')
    assert.deepEqual([...(await liveRoutes(socket, map, signal)).keys()].toSorted(), [
      'dev.fleet.test',
      'uat.fleet.test',
    ])

    // a copy of the fleet beside others has a suffix behind its environments
    const copy = { KINDLER_NS: 'develop' }
    assert.equal((await fleet('reconcile --from-db', copy)).code, 0)
    assert.equal((await get(port, 'web.dev-develop.fleet.test')).text, 'dev')
    assert.equal((await get(port, 'web.dev.fleet.test')).status, 404)
    assert.equal((await fleet('validate', copy)).code, 0)
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')

    // the last route goes with its cluster, and the configuration stays good
    stopCluster('uat')
    await fleet('rm dev')
    await fleet('rm uat')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.equal(readFileSync(map, 'utf8'), '')
    assert.equal((await get(port, 'web.dev.fleet.test')).status, 404)
  },
)

test(
  'HAProxy down: its file is right, the run says so, and it serves when it is back',
  { skip },
  async () => {
    const { fleet, port, sql, proxy } = await scene()
    const dev = await serving('dev')
    sql(`insert into clusters (name, provider, http_port) values ('dev', 'k3d', ${dev.port})`)
    const ran = await fleet('reconcile --from-db')
    assert.equal(ran.code, 1)
    const item = summaryIn(ran.out).get('dev')
    assert.match(JSON.stringify(item), /HAProxy does not answer/)
    assert.equal(readFileSync(filesOf(proxy).map, 'utf8'), `dev.fleet.test 127.0.0.1:${dev.port}\n`)
    assert.equal((await fleet('bootstrap')).code, 0)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
  },
)

test(
  'where another HAProxy listens already ours does not: requests are never shared',
  { skip },
  async () => {
    const [first, second] = [await scene(), await scene()]
    assert.equal((await first.fleet('bootstrap')).code, 0)
    second.write({
      'fleet.yaml': `baseDomain: other.test\nhaproxy: { folder: ${second.proxy}, http: '127.0.0.1:${first.port}' }\n`,
    })
    const refused = await second.fleet('bootstrap')
    assert.equal(refused.code, 1)
    assert.match(
      refused.out,
      /can't listen on 127\.0\.0\.1:\d+ \(haproxy\.http .*Address already in use/,
    )
  },
)

test(
  'defect 14: a changed configuration is checked first, then reloaded without a dropped request',
  { skip },
  async () => {
    const { fleet, port, sql, proxy, write } = await scene()
    const dev = await serving('dev')
    sql(`insert into clusters (name, provider, http_port) values ('dev', 'k3d', ${dev.port})`)
    await fleet('bootstrap')
    await fleet('reconcile --from-db')
    write({
      'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: 'nonsense' }\n`,
    })
    const refused = await fleet('reconcile --from-db')
    assert.equal(refused.code, 1)
    assert.match(
      refused.out,
      /can't listen on nonsense \(haproxy\.http in fleet\.yaml\): missing port/,
    )
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')

    // one that is written rightly and that nobody can listen on: told again and again, and what lies there is what is served
    write({
      'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '192.0.2.1:${port}' }\n`,
    })
    for (const verb of ['bootstrap', 'reconcile --from-db']) {
      const unheard = await fleet(verb)
      assert.equal(unheard.code, 1, unheard.out)
      assert.match(unheard.out, /see that 192\.0\.2\.1:\d+ \(haproxy\.http in fleet\.yaml\) can be/)
    }
    assert.match(readFileSync(filesOf(proxy).config, 'utf8'), new RegExp(`bind 127.0.0.1:${port}`))
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')

    // one that a killed run wrote and did not tell HAProxy of
    const late = `127.0.0.1:${port},127.0.0.1:${await freePort()}`
    write({
      'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '${late}' }\n`,
      'proxy/haproxy.cfg': configText({ folder: proxy, http: late }),
    })
    assert.equal((await fleet('reconcile --dry-run')).code, 3)
    const caught = await fleet('reconcile --from-db')
    assert.equal(caught.code, 0, caught.out)
    assert.equal((await get(Number(late.split(':').at(-1)), 'web.dev.fleet.test')).text, 'dev')

    const other = await freePort()
    const http = `127.0.0.1:${port},127.0.0.1:${other}`
    write({
      'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '${http}' }\n`,
    })
    let isOver = false
    const statuses = new Map<string, number>()
    const load = (async () => {
      while (!isOver) {
        const said = await get(port, 'web.dev.fleet.test').then(
          ({ text }) => text,
          (error: Error) => error.message,
        )
        statuses.set(said, (statuses.get(said) ?? 0) + 1)
      }
    })()
    const ran = await fleet('reconcile --from-db')
    isOver = true
    await load
    assert.equal(ran.code, 0, ran.out + ran.err)
    assert.deepEqual([...statuses.keys()], ['dev'])
    assert.equal((await get(other, 'web.dev.fleet.test')).text, 'dev')
  },
)

test(
  'a thousand routes are one swap, and requests during a hundred swaps all arrive',
  { skip },
  async () => {
    const { fleet, port, proxy } = await scene()
    const dev = await serving('dev')
    assert.equal((await fleet('bootstrap')).code, 0)
    const { map, socket } = filesOf(proxy)
    const routes = (turn: number): Map<string, string> =>
      new Map([
        ['dev.fleet.test', `127.0.0.1:${dev.port}`],
        ...Array.from(
          { length: 1000 },
          (_, n) => [`c${n}.fleet.test`, `10.0.${turn}.1:80`] as const,
        ),
      ])
    writeRoutes(map, routes(0))
    await swapRoutes(socket, map, routes(0), signal)
    const pid = readFileSync(filesOf(proxy).pid, 'utf8')
    let isOver = false
    let count = 0
    const wrong: string[] = []
    const agent = new Agent({ keepAlive: true })
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const said = await get(port, 'web.dev.fleet.test', agent).catch(
          (error: Error) => error.message,
        )
        count += 1
        if (typeof said === 'string' || said.text !== 'dev') wrong.push(JSON.stringify(said))
      }
    })
    for (let turn = 1; turn <= 100; turn += 1) await swapRoutes(socket, map, routes(turn), signal)
    isOver = true
    await Promise.all(load)
    agent.destroy()
    assert.deepEqual(wrong, [])
    assert.ok(count > 100)
    console.log(`${count} requests during 100 swaps of 1,001 routes, none failed`)
    assert.equal((await liveRoutes(socket, map, signal)).get('c7.fleet.test'), '10.0.100.1:80')
    assert.equal(readFileSync(filesOf(proxy).pid, 'utf8'), pid)
  },
)

test(
  'a route that works stays where it leads while its row names another port, until the cluster is made anew',
  { skip },
  async () => {
    const { fleet, port, sql } = await scene()
    const [before, after] = [await serving('before'), await serving('after')]
    sql(`insert into clusters (name, provider, http_port) values ('dev', 'k3d', ${before.port})`)
    for (const line of ['bootstrap', 'reconcile --from-db']) {
      const told = await fleet(line)
      assert.equal(told.code, 0, told.out + told.err)
    }
    assert.equal((await fleet(`set dev http_port=${after.port}`)).code, 0)
    const ran = await fleet('reconcile --from-db')
    assert.equal(ran.code, 11, ran.out + ran.err)
    assert.match(String(summaryIn(ran.out).get('dev')?.['message']), /httpPort \d+ → \d+/)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'before')
    const anew = await fleet('reconcile --from-db --recreate')
    assert.equal(anew.code, 0, anew.out + anew.err)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'after')
  },
)
