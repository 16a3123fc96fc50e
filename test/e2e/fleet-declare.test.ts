/** A fleet as a file: rows are set, exported and imported, and its clusters come into the kubeconfig that people use. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { fleetOpener } from '../testbed/fleet.ts'

const bench = fleetOpener()

test('what is set for one cluster counts for it alone, beside what its provider has', async () => {
  const { fleet, write, folder, sql } = await bench('dev', 'uat')
  write({
    'fleet.yaml': `providers: { k3d: { config: { env: [{ envVar: A=1, nodeFilters: ['server:*'] }] } } }`,
  })
  const set = await fleet(
    'set dev agents=2 version=1.31.5 config.registries.use=[reg:5000] config.ports=[{"port":"19999:9999","nodeFilters":["loadbalancer"]}] https_port=20443',
  )
  assert.equal(set.code, 0, set.err)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const config = parse(readFileSync(join(folder, 'home/fleet/clusters/dev.k3d.yaml'), 'utf8'))
  const [{ http_port: http } = {}] = sql("select http_port from clusters where name = 'dev'")
  assert.deepEqual(
    config.ports.map(({ port }: { port: string }) => port),
    [`127.0.0.1:${Number(http)}:80`, '127.0.0.1:20443:443', '19999:9999'],
  )
  assert.deepEqual([config.agents, config.image], [2, 'rancher/k3s:v1.31.5-k3s1'])
  assert.deepEqual(config.registries, { use: ['reg:5000'] })
  assert.deepEqual(config.env, [{ envVar: 'A=1', nodeFilters: ['server:*'] }])
  const other = parse(readFileSync(join(folder, 'home/fleet/clusters/uat.k3d.yaml'), 'utf8'))
  assert.deepEqual([other.agents, other.image, other.registries], [0, undefined, undefined])
  assert.equal((await fleet('verify')).code, 0)

  assert.equal((await fleet('set dev agents=1')).code, 0)
  const drifted = await fleet('verify')
  assert.equal(drifted.code, 11)
  assert.match(drifted.out, /agents 2 → 1/)
  const wrong = await fleet('set dev http_port=20443')
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /https_port 20443 is also http_port of dev; nothing was written/)
  assert.match(
    (await fleet('set dev colour=red')).err,
    /colour can't be set.*\n?.*set one of http_port/,
  )
})

test('a port in the config that the row has otherwise is refused, and never taken in silence', async () => {
  const { fleet } = await bench('dev')
  await fleet('set dev config.ports=[{"port":"9090:80","nodeFilters":["loadbalancer"]}]')
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1)
  assert.match(
    ran.out,
    /the row of dev says http_port \d+, and the config for k3d maps port 80 to 9090/,
  )
})

test('an export is imported elsewhere as it was, and a wrong file changes nothing', async () => {
  const { fleet, write, folder } = await bench('dev', 'uat')
  await fleet('set dev servers=3 route=off config.token=abc')
  const text = (await fleet('export')).out
  write({ 'clusters.yaml': text })
  const other = { TEND_FLEET_DB: `${folder}/other.db` }
  const imported = await fleet(`import ${folder}/clusters.yaml`, other)
  assert.equal(imported.code, 0, imported.err)
  assert.equal((await fleet('export', other)).out, text)
  assert.equal((await fleet(`import ${folder}/clusters.yaml`, other)).code, 0)
  assert.equal((await fleet('export', other)).out, text)
  write({ 'wrong.yaml': 'clusters:\n  new: { provider: k3d }\n  bad: { provider: nobody }\n' })
  const wrong = await fleet(`import ${folder}/wrong.yaml`, other)
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /bad: the provider "nobody" is not known; nothing was written/)
  assert.equal((await fleet('export', other)).out, text)
})

test('clusters are merged into the kubeconfig that kubectl uses, as k3d would name them', async () => {
  const { fleet, write, folder, dropCluster } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const file = join(folder, 'config')
  const mine =
    'current-context: work\ncontexts: [{ name: work, context: { cluster: w, user: w } }]\n'
  write({ config: mine })
  const merged = await fleet('kubeconfig --merge', { KUBECONFIG: file })
  assert.equal(merged.code, 0, merged.err)
  assert.match(merged.out, /k3d-dev, k3d-uat in /)
  const config = parse(readFileSync(file, 'utf8'))
  const contexts = config.contexts.map(({ name }: { name: string }) => name)
  assert.deepEqual(contexts, ['work', 'k3d-dev', 'k3d-uat'])
  assert.equal(config['current-context'], 'work')
  assert.equal(readFileSync(`${file}.tend-backup`, 'utf8'), mine)
  dropCluster('uat')
  const left = await fleet('kubeconfig --merge', { KUBECONFIG: file })
  assert.equal(left.code, 1)
  assert.match(left.err, /uat is left out: .*No nodes found for given cluster/)
  assert.equal((await fleet('kubeconfig')).code, 2)
})
