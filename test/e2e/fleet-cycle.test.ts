/** The whole cycle: clean, bootstrap, reconcile, validate; and single clusters by hand. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { backend, endProxy, get } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('haproxy')
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function bench(): Promise<FleetBench> {
  const made = await fleetBench()
  endings.push(() => made.close())
  assert.equal((await made.fleet('init')).code, 0)
  return made
}

test(
  'acceptance 13, 14, 15, 16: regress: the cycle from the database, the log, the report, and the count before any smoke test',
  { skip },
  async () => {
    const { fleet, folder, write, sql, standing } = await bench()
    const proxy = join(folder, 'proxy')
    const port = await freePort()
    write({
      'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '127.0.0.1:${port}' }\n`,
    })
    endings.push(() => endProxy(proxy))
    for (const name of ['dev', 'uat', 'prod']) {
      const { port: http, close } = await backend(name)
      endings.push(close)
      sql(`insert into clusters (name, provider, http_port) values ('${name}', 'k3d', ${http})`)
    }
    const line = 'regress --log run.log --report docs/TEST_REPORT.md --require'
    const short = await fleet(`${line} kind=3,k3d=3`)
    assert.equal(short.code, 1)
    assert.match(short.out, /Too few clusters are declared: kind 0 of 3. Nothing was touched/)
    assert.doesNotMatch(short.out, /== clean/)
    assert.equal((await fleet(`${line} k3d=3,kwokk=1`)).code, 2)
    write({ 'k3d/fail-create-uat': '9' })
    const failed = await fleet(`${line} k3d=3`)
    assert.equal(failed.code, 1)
    assert.match(failed.out, /== reconcile/)
    assert.doesNotMatch(failed.out, /== validate/)
    rmSync(join(folder, 'k3d/fail-create-uat'), { force: true })
    const whole = await fleet(`${line} k3d=3`)
    assert.equal(whole.code, 0, whole.out + whole.err)
    assert.deepEqual(standing(), ['dev', 'prod', 'uat'])
    const log = readFileSync(join(folder, 'run.log'), 'utf8')
    assert.match(log, /== clean[\s\S]*== bootstrap[\s\S]*== reconcile[\s\S]*== validate/)
    assert.equal(statSync(join(folder, 'run.log')).mode & 0o777, 0o600)
    const report = readFileSync(join(folder, 'docs/TEST_REPORT.md'), 'utf8')
    assert.match(
      report,
      /### Reconcile Snapshot \([^)]*\)\n\n- Status: failed-count-check\n- Log: .*run\.log/,
    )
    assert.match(report, /- Status: success/)
    assert.match(report, /- Latest History Entry:\n\n```json/)
    assert.equal((await get(port, 'web.uat.fleet.test')).text, 'uat')
    // nobody else's file is written to, whatever name it was given
    writeFileSync(join(folder, 'victim'), 'mine\n', { mode: 0o640 })
    symlinkSync(join(folder, 'victim'), join(folder, 'link.log'))
    linkSync(join(folder, 'victim'), join(folder, 'hard.log'))
    execFileSync('mkfifo', [join(folder, 'pipe.log')])
    const names = ['link.log', 'hard.log', 'pipe.log', 'docs']
    if (process.getuid?.() === 0) {
      writeFileSync(join(folder, 'other.log'), 'theirs\n', { mode: 0o666 })
      chownSync(join(folder, 'other.log'), 12_345, 12_345)
      names.push('other.log')
    }
    for (const name of names) {
      const refused = await fleet(`regress --log ${name} --require k3d=3`)
      assert.equal(refused.code, 2, name)
      assert.match(refused.err, /can't be written/)
    }
    assert.equal(readFileSync(join(folder, 'victim'), 'utf8'), 'mine\n')
    assert.equal(statSync(join(folder, 'victim')).mode & 0o777, 0o640)
    assert.deepEqual(standing(), ['dev', 'prod', 'uat'])

    // a proxy that does not run keeps nobody from cleaning: nothing is led astray by it
    await endProxy(proxy)
    const cleaned = await fleet('clean')
    assert.equal(cleaned.code, 0, cleaned.out + cleaned.err)
    assert.equal(readFileSync(join(proxy, 'routes.map'), 'utf8'), '')
  },
)

test('validate finds what does not agree, and says which', { skip }, async () => {
  const { fleet, folder, write, dropCluster } = await bench()
  const proxy = join(folder, 'proxy')
  const port = await freePort()
  write({
    'fleet.yaml': `baseDomain: fleet.test\nhaproxy: { folder: ${proxy}, http: '127.0.0.1:${port}' }\n`,
  })
  endings.push(() => endProxy(proxy))
  const { port: http, close } = await backend('dev')
  await close()
  await fleet(`add dev --provider k3d --http-port ${http}`)
  const server = await backend('dev', http)
  endings.push(server.close)
  await fleet('bootstrap')
  await fleet('reconcile --from-db')
  const good = await fleet('validate --json')
  assert.equal(good.code, 0, good.out)
  assert.deepEqual(
    JSON.parse(good.out).checks.map((one: { name: string; status: string }) => [
      one.name,
      one.status,
    ]),
    ['database', 'clusters', 'rows', 'routes', 'leftovers', 'haproxy', 'requests'].map((name) => [
      name,
      'passed',
    ]),
  )
  dropCluster('dev')
  await server.close()
  const bad = await fleet('validate')
  assert.equal(bad.code, 1)
  assert.match(bad.out, /clusters +failed +dev MISSING/)
  const nobody = `whoami\\.dev\\.fleet\\.test: 503, nobody answers behind HAProxy on port ${http}`
  assert.match(bad.out, new RegExp(`requests +failed +${nobody}`))
  assert.match(bad.out, /CONSISTENCY_SUMMARY=\{"passed":4,"failed":3/)
  // whatever was asked is put at the end of a report too, save credentials
  assert.equal((await fleet('verify --report told.md')).code, 10)
  assert.equal((await fleet('kubeconfig dev --report told.md')).code, 1)
  assert.equal((await fleet('reconcile --from-db --report told.md')).code, 0)
  await fleet('kubeconfig dev --report told.md')
  await fleet('clean --report told.md')
  const told = readFileSync(join(folder, 'told.md'), 'utf8')
  assert.match(
    told,
    /### tend fleet verify \([^)]*\)\n\n- Status: failed \(exit code 10\)[\s\S]*MISSING/,
  )
  assert.match(told, /### tend fleet kubeconfig \([^)]*\)\n\n- Status: success/)
  assert.doesNotMatch(told, /current-context/)
  assert.equal(told.match(/### Reconcile Snapshot/g)?.length, 2)
})

test('defect 7: clean takes clusters and registrations, never rows; what nobody noted to have made stays unless --all', async () => {
  const { fleet, standing, sql } = await bench()
  await fleet('add dev --provider k3d')
  await fleet('add uat --provider k3d')
  await fleet('reconcile --from-db')
  sql(`update tend_clusters set made_phase = null where name = 'uat'`)
  const plan = await fleet('clean --dry-run')
  assert.equal(plan.code, 3)
  assert.deepEqual(standing(), ['dev', 'uat'])
  const cleaned = await fleet('clean')
  assert.equal(cleaned.code, 0, cleaned.out + cleaned.err)
  assert.deepEqual(standing(), ['uat'])
  assert.equal((await fleet('clean --all')).code, 0)
  assert.deepEqual(standing(), [])
  assert.equal(sql('select name from clusters').length, 2)
  assert.equal((await fleet('verify')).code, 10)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['dev', 'uat'])
})

test('start, stop, kubeconfig, adopt', async () => {
  const { fleet, standing, sql, folder } = await bench()
  await fleet('add dev --provider k3d')
  assert.equal((await fleet('stop dev')).code, 2)
  await fleet('reconcile --from-db')
  assert.equal((await fleet('stop dev')).code, 0)
  assert.equal(sql('select actual_state from clusters')[0]?.['actual_state'], 'stopped')
  assert.equal((await fleet('verify')).code, 11)
  const started = await fleet('start dev')
  assert.equal(started.code, 0, started.err)
  assert.equal((await fleet('verify')).code, 0)
  const printed = await fleet('kubeconfig dev')
  assert.match(printed.out, /current-context: k3d-dev/)
  const asJson = JSON.parse((await fleet('kubeconfig dev -o json')).out)
  assert.equal(asJson['current-context'], 'k3d-dev')
  const kept = join(folder, 'home/fleet/kubeconfigs/dev.yaml')
  assert.equal(statSync(kept).mode & 0o777, 0o600)
  assert.equal((await fleet('kubeconfig nobody')).code, 2)

  sql(`delete from clusters`)
  assert.equal((await fleet('adopt ghost --provider k3d')).code, 2)
  const adopted = await fleet('adopt dev --provider k3d')
  assert.equal(adopted.code, 0, adopted.err)
  const after = await fleet('reconcile --from-db')
  assert.equal(after.code, 0)
  assert.notEqual(summaryIn(after.out).get('dev')?.['action'], 'create')
  assert.deepEqual(standing(), ['dev'])
  await fleet('rm dev')
  await fleet('reconcile --from-db')
  assert.ok(!existsSync(kept))
})
