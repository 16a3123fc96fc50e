/** `--prune-missing` takes registrations along, keeps a copy of the rows and asks before it removes most of them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { required } from '../testbed/packages.ts'
import { fleetOpener, summaryIn } from '../testbed/fleet.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const bench = fleetOpener()
const skip = required('haproxy')

test(
  'pruned rows take their routes and registrations along, and a copy brings them back',
  { skip },
  async () => {
    const { fleet, write, folder, dropCluster, sql } = await bench('dev', 'uat')
    const portainer = await portainerStandIn()
    const proxy = join(folder, 'proxy')
    write({
      'fleet.yaml': `baseDomain: fleet.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:1' }
portainer: { url: '${portainer.url}', edgeUrl: 'https://portainer.example.org', key: { variable: KEY } }`,
    })
    const key = { KEY: portainer.key }
    try {
      await fleet('set uat image=rancher/k3s:v1 git=off')
      await fleet('reconcile --from-db', key)
      assert.deepEqual(portainer.endpoints.map(({ Name }) => Name).toSorted(), ['dev', 'uat'])
      const map = join(proxy, 'routes.map')
      assert.match(readFileSync(map, 'utf8'), /uat\.fleet\.test/)
      const exported = (await fleet('export')).out
      dropCluster('uat')
      const dry = await fleet('reconcile --dry-run --prune-missing', key)
      assert.equal(dry.code, 3, dry.out)
      assert.deepEqual(sql('select name from clusters').length, 2)
      const pruned = await fleet('reconcile --prune-missing', key)
      assert.equal(pruned.code, 0, pruned.out + pruned.err)
      assert.equal(summaryIn(pruned.out).get('uat')?.['action'], 'prune')
      assert.deepEqual(
        portainer.endpoints.map(({ Name }) => Name),
        ['dev'],
      )
      assert.doesNotMatch(readFileSync(map, 'utf8'), /uat/)
      assert.match(readFileSync(map, 'utf8'), /dev\.fleet\.test/)
      const copy = /kept in (\S+\.yaml):/.exec(pruned.err)?.[1] ?? ''
      assert.equal((await fleet(`import ${copy}`)).code, 0)
      assert.equal((await fleet('export')).out, exported)
    } finally {
      await portainer.close()
    }
  },
)

test('most of many rows go only if that is meant', async () => {
  const { fleet, sql, database } = await bench()
  for (let n = 10; n < 21; n += 1) {
    sql(`insert into clusters (name, provider, http_port) values ('c${n}', 'k3d', 200${n})`)
  }
  const refused = await fleet('reconcile --prune-missing')
  assert.equal(refused.code, 2, refused.out + refused.err)
  assert.match(refused.err, /This would remove 11 of 11 rows.*\n?.*--allow-mass-delete/)
  assert.equal(sql('select name from clusters').length, 11)
  const pruned = await fleet('reconcile --prune-missing --allow-mass-delete')
  assert.equal(pruned.code, 0, pruned.out + pruned.err)
  assert.equal(sql('select name from clusters').length, 0)
  assert.match(pruned.err, new RegExp(`kept in ${database}\\.pruned-`))
})
