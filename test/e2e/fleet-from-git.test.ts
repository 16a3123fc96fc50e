/** A fleet that lives in a repository: a commit becomes rows, rows become clusters, and history says what began each run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench, type FleetBench } from '../testbed/fleet.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import type { Going } from '../testbed/tend.ts'

const skip = required('git')
const file = 'lab/clusters.yaml'

type Status = {
  readonly state: string
  readonly reason: string
  readonly failures: number
  readonly sync: { readonly state: string }
  readonly health: { readonly state: string; readonly reason: string }
  readonly synced?: { readonly message: string }
}

test('a fleet lives in Git', { skip }, async (t) => {
  let bench: FleetBench
  let git: Bench
  let service: Going
  let port = 0
  before(async () => {
    bench = await fleetBench()
    git = gitBench()
    port = await freePort()
    bench.write({
      'fleet.yaml': 'name: lab\n',
      'tend.yaml': `listen: 127.0.0.1:${port}
sources: { infra: { git: "${git.bare}", ref: main } }
apps:
  - { fleet: lab, path: lab, interval: 1s, timeout: 20s, values: { database: fleet.db } }
`,
    })
    await bench.fleet('init')
    await bench.fleet('add own --provider k3d')
    git.commit('one', { [file]: clusters({ dev: 'http_port: 18311, https_port: none' }) })
    service = bench.tend('serve --config tend.yaml')
  })
  after(async () => {
    service?.child.kill('SIGTERM')
    await service?.told
    await bench?.close()
    git?.remove()
  })

  async function asked<Answer>(path: string, method = 'GET'): Promise<Answer> {
    const token = readFileSync(join(bench.folder, 'home', 'local-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const url = `http://127.0.0.1:${port}/api/v1/apps/fleet:lab${path}`
    return JSON.parse(await (await fetch(url, { method, headers })).text())
  }
  async function until(isSo: (one: Status) => boolean): Promise<Status> {
    for (let waited = 0; waited < 90_000; waited += 100) {
      const seen = await asked<Status>('').catch(() => undefined)
      if (seen?.state !== undefined && isSo(seen)) return seen
      await sleep(100)
    }
    throw new Error(`it did not come to it: ${JSON.stringify(await asked(''))}\n${service.out()}`)
  }
  const rows = () => bench.sql('select name, http_port, desired_state from clusters order by name')
  const isSynced = (message: string) => (one: Status) =>
    one.state === 'synced' && one.synced?.message === message

  await t.test('a commit becomes rows, and rows become clusters', async () => {
    const synced = await until(isSynced('one'))
    assert.equal(synced.health.state, 'healthy')
    assert.deepEqual(bench.standing(), ['dev'])
    const [dev, own] = rows()
    assert.equal(dev?.['http_port'], 18_311)
    assert.equal(own?.['name'], 'own', 'a row that the file does not name is left as it is')
  })

  await t.test('its rows are shown, and changed in the repository alone', async () => {
    const token = readFileSync(join(bench.folder, 'home', 'local-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const url = `http://127.0.0.1:${port}/api/v1/fleets/lab`
    const shown = JSON.parse(await (await fetch(url, { headers })).text())
    const names: readonly string[] = shown.clusters.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['dev'], 'a row that the file does not name is not its own')
    assert.ok(shown.refusal.includes(git.bare), shown.refusal)
    for (const [method, body] of [
      ['PUT', '{"http_port":18390}'],
      ['DELETE', null],
    ] as const) {
      const answer = await fetch(`${url}/clusters/dev`, { method, headers, body })
      assert.equal(answer.status, 409)
      assert.ok((await answer.text()).includes(git.bare))
    }
    assert.equal(rows()[0]?.['http_port'], 18_311)
  })

  await t.test('each field of a row has the line and the commit that say so', async () => {
    type Line = {
      path: string
      origin: { file: string; line: number; commit: { message: string } }
    }
    const { lines } = await asked<{ lines: readonly Line[] }>('/resources/cluster%2Fdev')
    const found = lines.find(({ path }) => /http_?port$/i.test(path))
    assert.ok(found !== undefined, JSON.stringify(lines))
    assert.equal(found.origin.file, file)
    assert.ok(found.origin.line > 1)
    assert.equal(found.origin.commit.message, 'one')
  })

  await t.test('what the next commit takes away and adds follows', async () => {
    const next = { dev: 'desired_state: absent, http_port: none, https_port: none', uat: ports }
    git.commit('two', { [file]: clusters(next) })
    await until(isSynced('two'))
    assert.deepEqual(bench.standing(), ['uat'])
    assert.deepEqual(
      rows().map(({ name }) => name),
      ['own', 'uat'],
    )
  })

  await t.test('what reaches the host is refused, and what stands is kept', async () => {
    git.commit('three', { [file]: clusters({ uat: `${ports}, config: { volumes: [] }` }) })
    const failed = await until(({ state }) => state === 'failed')
    assert.match(failed.reason, /uat: config reaches this host, and a repository may not say it/)
    assert.deepEqual(bench.standing(), ['uat'])
    git.commit('four', { [file]: clusters({ uat: ports }) })
    await until(isSynced('four'))
  })

  await t.test('what falls is put right, and every run says what began it', async () => {
    bench.dropCluster('uat')
    for (let waited = 0; !bench.standing().includes('uat') && waited < 60_000; waited += 50) {
      await sleep(50)
    }
    await until(({ state, health }) => state === 'synced' && health.state === 'healthy')
    const runs = await asked<readonly { readonly trigger: string }[]>('/runs')
    const triggers = runs.map(({ trigger }) => trigger)
    assert.ok(triggers.includes('drift'), triggers.join(', '))
    assert.ok(triggers.includes('start-up'), triggers.join(', '))
    assert.ok(triggers.includes('refresh'), triggers.join(', '))
    assert.ok(!triggers.includes('manual'), triggers.join(', '))
  })

  await t.test('what keeps failing is tried again and told once, until it is well', async () => {
    bench.fail('create', 'uat', 99)
    bench.dropCluster('uat')
    const failed = await until(({ failures, state }) => state === 'failed' && failures >= 2)
    assert.match(failed.reason, /^uat: /)
    const lines = service.out().split('\n')
    assert.equal(lines.filter((line) => line.includes('sync failed')).length, 1, service.out())
    bench.fail('create', 'uat', 0)
    await until(({ state, health }) => state === 'synced' && health.state === 'healthy')
  })

  await t.test('there is no going back, and each resource has both answers', async () => {
    const told = await bench.tend('rollback lab').told
    assert.equal(told.code, 2, told.out + told.err)
    assert.match(told.out + told.err, /no earlier state to go back to/)
    const found = await asked<readonly { ref: string; health?: { state: string } }[]>('/resources')
    const cluster = found.find(({ ref }) => ref === 'cluster/uat')
    assert.equal(cluster?.health?.state, 'healthy', JSON.stringify(found))
  })
})

const ports = 'http_port: 18312, https_port: none'

function clusters(entries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(entries).flatMap(([name, own]) => [
    `  ${name}:`,
    ...['provider: k3d', ...own.split(', ')].map((line) => `    ${line}`),
  ])
  return `clusters:\n${lines.join('\n')}\n`
}
