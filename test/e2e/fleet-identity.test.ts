/** Clusters are judged by what they really are: another one under a known name is a stranger, and other ports are drift. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fleetOpener, summaryIn } from '../testbed/fleet.ts'

const bench = fleetOpener()

test('a cluster that somebody made anew under the same name is a stranger until it is adopted, and nothing deletes it', async () => {
  const { fleet, dropCluster, makeCluster, standing, calls, sql } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  dropCluster('dev')
  makeCluster('dev')
  calls()
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(
    verify.out,
    /dev .*DRIFT +somebody made dev anew.*tend fleet adopt dev --provider k3d/,
  )
  assert.equal((await fleet('reconcile --dry-run')).code, 3)
  for (const flags of ['--from-db', '--from-db --recreate']) {
    const ran = await fleet(`reconcile ${flags}`)
    assert.equal(ran.code, 11, ran.out + ran.err)
    assert.match(String(summaryIn(ran.out).get('dev')?.['message']), /somebody made dev anew/)
    assert.equal(summaryIn(ran.out).get('uat')?.['message'], 'cluster healthy')
  }
  const power = await fleet('stop dev')
  assert.equal(power.code, 1, power.out)
  assert.match(power.err, /somebody made dev anew/)
  for (const flags of ['', ' --all']) {
    const cleaned = await fleet(`clean${flags}`)
    assert.equal(cleaned.code, 0, cleaned.out + cleaned.err)
    assert.match(cleaned.err, /Warning: .*somebody made dev anew.*it is left as it is/)
  }
  assert.deepEqual(standing(), ['dev'])
  const touched = calls().filter((line) => /^cluster (delete|stop|start) dev/.test(line))
  assert.deepEqual(touched, [])

  assert.equal((await fleet('adopt dev --provider k3d')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('verify')).code, 0)
  assert.equal(
    sql("select made_phase from tend_clusters where name = 'dev'")[0]?.['made_phase'],
    'adopted',
  )
  assert.equal((await fleet('clean')).code, 0)
  assert.deepEqual(standing(), [])
})

test('the row of a cluster that somebody else made anew goes, and their cluster stays', async () => {
  const { fleet, dropCluster, makeCluster, standing, sql } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  dropCluster('dev')
  makeCluster('dev')
  assert.equal((await fleet('rm dev')).code, 0)
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 0, ran.out + ran.err)
  assert.match(ran.err, /somebody made dev anew.*it is left as it is/)
  assert.deepEqual(standing(), ['dev', 'uat'])
  assert.deepEqual(sql("select name from clusters where name = 'dev'"), [])
})

test('ports and nodes that a cluster really has are what counts, not what was noted', async () => {
  const { fleet, write, sql, folder } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const [row] = sql("select http_port from clusters where name = 'dev'")
  const kept = `k3d/clusters/dev.json`
  const before = JSON.parse(readFileSync(`${folder}/${kept}`, 'utf8'))
  // k3d cluster edit makes another load balancer, and leaves the servers as they are
  const ports = [{ port: '127.0.0.1:20099:80' }, before.config.ports[1]]
  write({ [kept]: JSON.stringify({ ...before, config: { ...before.config, ports, agents: 2 } }) })
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(
    verify.out,
    new RegExp(`httpPort 20099 → ${Number(row?.['http_port'])}, agents 2 → 0`),
  )
  const recreated = await fleet('reconcile --from-db --recreate')
  assert.equal(recreated.code, 0, recreated.out)
  assert.equal(summaryIn(recreated.out).get('dev')?.['action'], 'recreate')
  assert.equal((await fleet('verify')).code, 0)
})

test('another image of a standing k3d cluster is drift, as its engine tells', async () => {
  const { fleet, write, folder } = await bench('dev')
  const wants = (tag: string): void =>
    write({ 'fleet.yaml': `providers: { k3d: { image: 'rancher/k3s:${tag}' } }\n` })
  /** k3d tells the id of an image alone: the engine has its name. */
  const runs = (image: string): void => {
    const script = `#!/bin/sh\n[ "$1" = ps ] && echo 'k3d-dev-server-0 ${image}'\n`
    writeFileSync(`${folder}/bin/docker`, script, { mode: 0o755 })
  }
  wants('v1.31.5-k3s1')
  runs('rancher/k3s:v1.31.5-k3s1')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('verify')).code, 0)
  // somebody made another server under the same name, or the row means another one by now
  runs('rancher/k3s:v1.30.0-k3s1')
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(verify.out, /image rancher\/k3s:v1\.30\.0-k3s1 → rancher\/k3s:v1\.31\.5-k3s1/)
  // an image that lost its name is unknown, and no drift
  runs(`sha256:${'0'.repeat(64)}`)
  assert.equal((await fleet('verify')).code, 0)
})

test('a cluster of a database that kept no identities is known by its ports, once, and nothing else changes', async () => {
  const { fleet, sql, calls, dropCluster, makeCluster } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  sql('drop table tend_cluster_details')
  sql(
    `update tend_clusters set made_spec = json_remove(made_spec, '$.servers', '$.agents', '$.config', '$.apiAddress')`,
  )
  assert.equal((await fleet('verify')).code, 0)
  calls()
  const before = sql('select * from clusters')
  const first = await fleet('reconcile --from-db')
  assert.equal(first.code, 0, first.out + first.err)
  for (const item of summaryIn(first.out).values()) assert.equal(item['action'], 'noop')
  assert.ok(calls().every((line) => line === 'cluster list -o json'))
  const noted = sql('select name from tend_cluster_details where identity is not null')
  assert.equal(noted.length, 2)
  const { last_reconciled_at: _, updated_at: __, ...same } = sql('select * from clusters')[0]!
  const { last_reconciled_at: ___, updated_at: ____, ...was } = before[0]!
  assert.deepEqual(same, was)
  // and one that was made anew without its ports before that first look is none of ours
  sql('delete from tend_cluster_details')
  dropCluster('dev')
  makeCluster('dev', [])
  const second = await fleet('reconcile --from-db')
  assert.equal(second.code, 11, second.out)
  assert.match(String(summaryIn(second.out).get('dev')?.['message']), /somebody made dev anew/)
})

test("a second fleet on the same engine never calls the first one's cluster healthy", async () => {
  const { fleet, folder, sql } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const [row] = sql("select http_port, https_port from clusters where name = 'dev'")
  const other = { TEND_FLEET_DB: `${folder}/other.db`, TEND_HOME: `${folder}/other-home` }
  assert.equal((await fleet('init', other)).code, 0)
  const ports = '--http-port 20080 --https-port 20443'
  assert.equal((await fleet(`add dev --provider k3d ${ports}`, other)).code, 0)
  for (let pass = 0; pass < 2; pass += 1) {
    const ran = await fleet('reconcile --from-db', other)
    assert.equal(ran.code, 11, ran.out)
    const message = String(summaryIn(ran.out).get('dev')?.['message'])
    assert.match(message, new RegExp(`httpPort ${Number(row?.['http_port'])} → .*it is not ours`))
  }
  assert.equal((await fleet('clean', other)).code, 0)
  assert.equal((await fleet('verify')).code, 0)
  // nor where its row has the very same ports
  const same = { TEND_FLEET_DB: `${folder}/same.db`, TEND_HOME: `${folder}/same-home` }
  assert.equal((await fleet('init', same)).code, 0)
  assert.equal((await fleet('add dev --provider k3d', same)).code, 0)
  for (let pass = 0; pass < 2; pass += 1) {
    const ran = await fleet('reconcile --from-db', same)
    assert.match(String(summaryIn(ran.out).get('dev')?.['message']), /it was there before/)
  }
})

test('a changed configuration of a provider is drift, and --recreate makes it count', async () => {
  const { fleet, write } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const config = `providers: { k3d: { config: { options: { k3s: { extraArgs: [{ arg: --disable=traefik }] } } } } }`
  write({ 'fleet.yaml': config })
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(verify.out, /its provider's config is another by now \(--recreate makes it anew\)/)
  assert.equal((await fleet('reconcile --from-db')).code, 11)
  assert.equal((await fleet('reconcile --from-db --recreate')).code, 0)
  assert.equal((await fleet('verify')).code, 0)
})
