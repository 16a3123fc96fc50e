/** Rows of the acceptance list that no other file shows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { liveRoutes, swapRoutes } from '#clients/haproxy/map.ts'
import { filesOf } from '#clients/haproxy/proxy.ts'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { gitBench } from '../testbed/git.ts'
import { endProxy } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function bench(...names: readonly string[]): Promise<FleetBench> {
  const made = await fleetBench()
  endings.push(() => made.close())
  assert.equal((await made.fleet('init')).code, 0)
  names.forEach((name, index) => {
    const cells = `'${name}', 'k3d', ${20_010 + index}`
    made.sql(`insert into clusters (name, provider, http_port) values (${cells})`)
  })
  return made
}

test('acceptance 6: a dry run prints creates, deletes and prunes, changes nothing, and ends with 3', async () => {
  const { fleet, sql, standing, calls, folder } = await bench('keep', 'gone')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  sql("update clusters set desired_state = 'absent' where name = 'gone'")
  sql("insert into clusters (name, provider, desired_state) values ('never', 'k3d', 'absent')")
  sql("insert into clusters (name, provider) values ('fresh', 'k3d')")
  const table = sql('select * from clusters order by id')
  const config = (): string => readFileSync(join(folder, 'k3d', 'calls'), 'utf8')
  calls()
  const told = await fleet('reconcile --from-db --prune-missing --dry-run')
  assert.equal(told.code, 3, told.out + told.err)
  assert.deepEqual(
    [...summaryIn(told.out)].map(([name, item]) => [name, item['action'], item['result']]),
    [
      ['fresh', 'create', 'planned'],
      ['gone', 'delete', 'planned'],
      ['keep', 'noop', 'ok'],
      ['never', 'prune', 'planned'],
    ],
  )
  assert.deepEqual(sql('select * from clusters order by id'), table)
  assert.deepEqual(standing(), ['gone', 'keep'])
  assert.deepEqual(calls(), ['cluster list -o json'], config())
})

test('acceptance 10, 11: verify says 0, 10 and 11, for programs too, and reconcile ends with its verdict', async () => {
  const { fleet, dropCluster, stopCluster, sql } = await bench('dev', 'uat')
  await fleet('reconcile --from-db')
  const verify = async (): Promise<readonly [number | null, Record<string, number>]> => {
    const { code, out } = await fleet('verify')
    return [code, JSON.parse(/^DB_VERIFY_SUMMARY=(.*)$/m.exec(out)![1]!)]
  }
  const good = await verify()
  assert.deepEqual([good[0], good[1]['total'], good[1]['missing'], good[1]['drift']], [0, 2, 0, 0])
  stopCluster('uat')
  const drift = await verify()
  assert.deepEqual([drift[0], drift[1]['drift']], [11, 1])
  dropCluster('dev')
  const missing = await verify()
  assert.deepEqual([missing[0], missing[1]['missing']], [10, 1])
  await fleet('reconcile --from-db')
  sql("update clusters set http_port = 20099 where name = 'dev'")
  assert.equal((await fleet('verify')).code, 11)
  assert.equal((await fleet('reconcile --from-db')).code, 11, 'the same verdict')
})

test(
  'acceptance 12: drift of every kind is put in, reconciled, and gone',
  {
    skip: required('haproxy'),
  },
  async () => {
    const portainer = await portainerStandIn()
    endings.push(() => portainer.close())
    const git = gitBench()
    endings.push(() => git.remove())
    git.commit('first', { 'deploy/Chart.yaml': 'name: whoami\n' })
    git.git('--git-dir', git.bare, 'config', 'http.receivepack', 'true')
    const http = await startGitHttp({ folder: git.folder })
    endings.push(() => http.stop())
    const { fleet, folder, write, dropCluster, stopCluster, standing } = await bench('dev', 'uat')
    const proxy = join(folder, 'proxy')
    endings.push(() => endProxy(proxy))
    write({
      'fleet.yaml': `baseDomain: fleet.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:${await freePort()}' }
portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY } }
git: { url: '${http.origin}/infra.git' }
`,
    })
    const key = { PORTAINER_KEY: portainer.key }
    assert.equal((await fleet('bootstrap')).code, 0)
    const first = await fleet('reconcile --from-db', key)
    assert.equal(first.code, 0, first.out + first.err)

    dropCluster('dev')
    stopCluster('uat')
    const { map, socket } = filesOf(proxy)
    const { signal } = new AbortController()
    await swapRoutes(socket, map, new Map([['ghost.fleet.test', '127.0.0.1:9']]), signal)
    portainer.endpoints.splice(0)
    git.git('push', '-q', 'origin', ':refs/heads/dev')
    const told = await fleet('validate --json', key)
    assert.equal(told.code, 1)
    const wrong = JSON.parse(told.out).checks.filter(
      (one: { status: string }) => one.status !== 'passed',
    )
    assert.ok(wrong.length >= 4, told.out)

    const repaired = await fleet('reconcile --from-db', key)
    assert.equal(repaired.code, 0, repaired.out + repaired.err)
    assert.deepEqual(standing(), ['dev', 'uat'])
    const routes = [...(await liveRoutes(socket, map, signal)).keys()].toSorted()
    assert.deepEqual(routes, ['dev.fleet.test', 'uat.fleet.test'])
    assert.deepEqual(portainer.endpoints.map(({ Name }) => Name).toSorted(), ['dev', 'uat'])
    const heads = git.git(
      '--git-dir',
      git.bare,
      'for-each-ref',
      '--format=%(refname)',
      'refs/heads',
    )
    assert.match(heads, /refs\/heads\/dev\n[\s\S]*refs\/heads\/uat/)
    assert.equal((await fleet('reconcile --dry-run', key)).code, 0, 'nothing is left')
  },
)

test('acceptance 17: the cycle, its flags and what to do are where they are looked for', () => {
  for (const file of [
    'README.md',
    'README_CN.md',
    'AGENTS.md',
    'docs/TESTING.md',
    'docs/fleet.md',
  ]) {
    const text = readFileSync(file, 'utf8')
    for (const word of ['clean', 'bootstrap', 'reconcile', 'validate', 'tend fleet']) {
      assert.ok(text.includes(word), `${file}: ${word}`)
    }
    assert.ok(text.includes('--dry-run'), `${file}: --dry-run`)
    assert.ok(text.includes('--prune-missing'), `${file}: --prune-missing`)
  }
})

test('acceptance 21: a run verifies at once unless it is told not to, and rows from a file are warned of', async () => {
  const { fleet, sql, write } = await bench('dev')
  await fleet('reconcile --from-db')
  sql("update clusters set http_port = 20098 where name = 'dev'")
  assert.equal((await fleet('reconcile --from-db')).code, 11)
  assert.equal((await fleet('reconcile --from-db', { SKIP_DB_VERIFY: '1' })).code, 0)
  write({ 'environments.csv': 'uat,k3d,30080,19001,true,true,18091,18444,\n' })
  const taken = await fleet('init --import environments.csv')
  assert.match(taken.err, /Warning: rows are taken from environments.csv this once/)
})
