/** Defects of the origin that no other file shows to be gone. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
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

test('defect 6: pruning right after a clean does not delete what is to be restored', async () => {
  const { fleet, standing, sql } = await bench('dev', 'uat')
  await fleet('reconcile --from-db')
  assert.equal((await fleet('clean --all')).code, 0)
  assert.deepEqual(standing(), [])
  const told = await fleet('reconcile --from-db --prune-missing')
  assert.equal(told.code, 0, told.out + told.err)
  assert.deepEqual(standing(), ['dev', 'uat'])
  assert.equal(sql('select name from clusters').length, 2)
})

test('defect 10: registrations of clusters that stand are repaired, also while another one fails', async () => {
  const portainer = await portainerStandIn()
  endings.push(() => portainer.close())
  const { fleet, write, fail, sql } = await bench('dev')
  const key = { PORTAINER_KEY: portainer.key }
  const url = `url: '${portainer.url}', key: { variable: PORTAINER_KEY }`
  write({ 'fleet.yaml': `portainer: { ${url} }\n` })
  assert.equal((await fleet('reconcile --from-db', key)).code, 0)
  portainer.endpoints.splice(0)
  sql("insert into clusters (name, provider) values ('bad', 'k3d')")
  fail('create', 'bad', 99)
  const told = await fleet('reconcile --from-db', key)
  assert.equal(told.code, 1)
  assert.deepEqual(
    [summaryIn(told.out).get('dev')?.['action'], summaryIn(told.out).get('bad')?.['result']],
    ['repair', 'error'],
  )
  assert.deepEqual(
    portainer.endpoints.map(({ Name }) => Name),
    ['dev'],
  )
})

test(
  'defect 16: a table without rows puts nothing aside unless that is meant',
  { skip: required('haproxy') },
  async () => {
    const portainer = await portainerStandIn()
    endings.push(() => portainer.close())
    const { fleet, write, sql, folder } = await bench('dev', 'uat')
    const key = { PORTAINER_KEY: portainer.key }
    const url = `url: '${portainer.url}', key: { variable: PORTAINER_KEY }`
    // a configuration of HAProxy is nothing that a table without rows would declare
    const proxy = `haproxy: { folder: ${join(folder, 'proxy')}, http: '127.0.0.1:${await freePort()}' }`
    write({ 'fleet.yaml': `baseDomain: fleet.test\n${proxy}\nportainer: { ${url} }\n` })
    endings.push(() => endProxy(join(folder, 'proxy')))
    const stands = await fleet('bootstrap', key)
    assert.equal(stands.code, 0, stands.out + stands.err)
    const made = await fleet('reconcile --from-db', key)
    assert.equal(made.code, 0, made.out + made.err)
    sql('delete from clusters')
    const told = await fleet('reconcile --from-db', key)
    assert.notEqual(told.code, 0)
    assert.match(told.out + told.err, /--allow-empty/)
    assert.equal(portainer.endpoints.length, 2)
    assert.equal((await fleet('reconcile --from-db --allow-empty', key)).code, 0)
    assert.equal(portainer.endpoints.length, 0)
  },
)

test('defect 17: only declared clusters count, and a cycle that falls short ends with 1', async () => {
  const { fleet, sql, standing } = await bench('dev', 'uat', 'stray')
  await fleet('reconcile --from-db')
  sql("delete from clusters where name = 'stray'")
  const told = await fleet('regress --require k3d=3 --log run.log --report report.md')
  assert.equal(told.code, 1)
  assert.match(told.out, /Too few clusters are declared: k3d 2 of 3/)
  assert.ok(standing().includes('stray'), 'nobody declares it, and nobody deletes it')
})

test('defect 19: clusters are made side by side, and a run that is interrupted ends', async () => {
  const { fleet, start, standing, sql, write } = await bench('a', 'b', 'c')
  const made = await fleet('reconcile --from-db', { K3D_STAND_IN_TOGETHER: '3' })
  assert.equal(made.code, 0, made.out + made.err)
  sql("insert into clusters (name, provider) values ('d', 'k3d')")
  const going = start('reconcile --from-db', { K3D_STAND_IN_TOGETHER: '99' })
  while (
    sql("select actual_state from clusters where name = 'd'")[0]?.['actual_state'] !== 'creating'
  ) {
    await sleep(20)
  }
  going.child.kill('SIGINT')
  // what is under way is let end
  write({ 'k3d/enough': '' })
  const interrupted = await going.told
  assert.equal(interrupted.code, 130)
  assert.match(interrupted.out, /RECONCILE_SUMMARY=/)
  assert.match((await fleet('reconcile --last-run')).out, /exit code 130/)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['a', 'b', 'c', 'd'])
})
