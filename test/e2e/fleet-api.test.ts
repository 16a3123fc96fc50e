/** Rows of a fleet through the service: shown with what was seen of them, put and removed, and the run follows at once. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench } from '../testbed/fleet.ts'
import { freePort } from '../testbed/port.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'
import type { Loose } from './server-world.ts'

test('rows over HTTP: a cluster is made, changed and removed, and what is secret is hidden', async (t) => {
  const portainer = await portainerStandIn()
  const bench = await fleetBench()
  const { fleet, write, folder, standing, tend, sql, calls } = bench
  const port = await freePort()
  write({
    'fleet.yaml': `name: lab
portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY }, edgeUrl: 'http://edge.test' }
`,
    // nothing happens by itself while this test runs: a change must wake the service
    'tend.yaml': `listen: 127.0.0.1:${port}
fleets: [{ fleet: lab, database: fleet.db, interval: 1h, timeout: 20s }]
`,
  })
  await fleet('init')
  await fleet('add old --provider k3d')
  const planted = 'config.env=[{"envVar":"REGISTRY_PASSWORD=planted","nodeFilters":["all"]}]'
  assert.equal((await fleet(`set old ${planted}`)).code, 0)
  const service = tend('serve --config tend.yaml', { PORTAINER_KEY: portainer.key })
  t.after(async () => {
    service.child.kill('SIGTERM')
    await service.told
    await bench.close()
    await portainer.close()
  })
  async function ask(method: string, path: string, columns?: Loose): Promise<Loose> {
    const token = readFileSync(join(folder, 'home', 'local-token'), 'utf8').trim()
    const body = columns === undefined ? {} : { body: JSON.stringify(columns) }
    const headers = { authorization: `Bearer ${token}` }
    const url = `http://127.0.0.1:${port}/api/v1${path}`
    const answer = await fetch(url, { method, headers, ...body })
    const text = await answer.text()
    return { status: answer.status, text, json: JSON.parse(text) }
  }
  const rows = async () => (await ask('GET', '/fleets/lab')).json.clusters
  const put = (name: string, columns: Loose) => ask('PUT', `/fleets/lab/clusters/${name}`, columns)
  async function until(isSo: (clusters: Loose, status: Loose) => boolean): Promise<Loose> {
    for (let waited = 0; waited < 90_000; waited += 50) {
      const seen = await rows().catch(() => undefined)
      const { json } = await ask('GET', '/apps/fleet:lab').catch(() => ({ json: undefined }))
      if (seen !== undefined && json?.state !== undefined && isSo(seen, json)) return seen
      await sleep(50)
    }
    throw new Error(`it did not come to it: ${JSON.stringify(await rows())}\n${service.out()}`)
  }
  const isSettled = ({ state }: Loose) => state === 'synced' || state === 'missing'
  const conditionOf = (row: Loose, type: string) =>
    row.conditions.find((one: Loose) => one.type === type)?.state

  await t.test('a new row becomes a cluster, with its registration as a condition', async () => {
    await until(([old], status) => old?.actual === 'running' && isSettled(status))
    const made = await put('dev', { provider: 'k3d', servers: 3 })
    assert.equal(made.status, 200, made.text)
    assert.equal(made.json.declared.desired_state, 'present')
    assert.equal(typeof made.json.declared.http_port, 'number', 'a port is given')
    const [dev] = await until(
      ([one]) =>
        one?.assessment?.sync.state === 'synced' && conditionOf(one, 'portainer') === 'true',
    )
    assert.deepEqual([dev.actual, dev.assessment.health.state], ['running', 'healthy'])
    assert.deepEqual(standing(), ['dev', 'old'])
    assert.deepEqual(portainer.endpoints.map(({ Name }) => Name).toSorted(), ['dev', 'old'])
  })

  await t.test('nobody is asked for a row, and its configuration stays hidden', async () => {
    let shown: Loose
    for (let isQuiet = false; !isQuiet; await sleep(50)) {
      // a look that goes on asks for itself; one who asks for rows each time would never be quiet
      calls()
      const asked = portainer.asked.length
      shown = await ask('GET', '/fleets/lab')
      isQuiet = calls().length === 0 && portainer.asked.length === asked
    }
    assert.doesNotMatch(shown.text, /planted/)
    const [, { declared }] = shown.json.clusters
    assert.deepEqual(declared.config, { env: [{ envVar: '******', nodeFilters: ['******'] }] })

    // what was shown can be sent back
    const changed = await put('old', { ...declared, portainer: false })
    assert.equal(changed.json.declared.portainer, false, changed.text)
    await until(
      ([, old], status) => conditionOf(old, 'portainer') === undefined && isSettled(status),
    )
    assert.equal(portainer.endpoints.length, 1)
    const [kept] = sql("select settings from tend_cluster_details where name = 'old'")
    assert.match(String(kept?.['settings']), /REGISTRY_PASSWORD=planted/)
    assert.ok(!calls().some((line) => line.includes('create')), 'it was not made anew')
  })

  await t.test('what tend fleet add and set refuse is refused, in their words', async () => {
    const [dev] = await rows()
    const refusals: readonly [string, Loose, RegExp][] = [
      ['dev', { http_port: 70_000 }, /http_port 70000 is no port/],
      ['dev', { colour: 'blue' }, /colour can't be set/],
      ['dev', { provider: 'kind' }, /is made by k3d/],
      ['uat', { provider: 'k3d', http_port: dev.declared.http_port }, /is also http_port of dev/],
      ['uat', {}, /needs a provider/],
    ]
    for (const [name, columns, words] of refusals) {
      const { status, json } = await put(name, columns)
      assert.equal(status, 400, JSON.stringify(json))
      assert.match(json.detail, words)
    }
    assert.equal((await put('devops', { provider: 'k3d' })).status, 403)
    // who means to add one changes none that is there
    const taken = await put('dev?new=true', { provider: 'k3d', servers: 1 })
    assert.equal(taken.status, 409, taken.text)
    assert.match(taken.json.detail, /there is a cluster dev already/)
    assert.equal((await rows())[0].declared.servers, 3)
    const mount = { 'config.volumes': '[{volume: /:/host}]' }
    assert.match((await put('dev', mount)).json.detail, /config reaches this host/)
    assert.equal((await rows()).length, 2)
  })

  await t.test(
    'a removed row takes its cluster along; one of which nothing was made goes at once',
    async () => {
      const marked = (await ask('DELETE', '/fleets/lab/clusters/dev')).json
      assert.deepEqual([marked.result, marked.name], ['marked', 'dev'], JSON.stringify(marked))
      await until((clusters) => clusters.length === 1)
      assert.deepEqual(standing(), ['old'])
      assert.equal((await ask('DELETE', '/fleets/lab/clusters/dev')).status, 404)

      assert.equal((await ask('POST', '/apps/fleet:lab/suspend')).status, 200)
      await put('uat', { provider: 'k3d', image: 'rancher/k3s:v1.31.1-k3s1' })
      const [, uat] = await rows()
      assert.deepEqual([uat.actual, uat.declared.image], ['unknown', 'rancher/k3s:v1.31.1-k3s1'])
      assert.equal((await ask('DELETE', '/fleets/lab/clusters/uat')).json.result, 'removed')
      assert.equal((await rows()).length, 1)
      const { rows: entries } = (await ask('GET', '/audit?app=fleet:lab')).json
      assert.deepEqual(
        entries
          .filter(({ status }: Loose) => status === 200)
          .map(({ action, detail }: Loose) => `${action} ${detail}`)
          .filter((line: string) => !line.includes(' old'))
          .toReversed(),
        [
          'putCluster dev: provider=k3d, servers=3',
          'removeCluster dev',
          'suspend ',
          'putCluster uat: provider=k3d, image=rancher/k3s:v1.31.1-k3s1',
          'removeCluster uat',
        ],
      )
    },
  )
})
