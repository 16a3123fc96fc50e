/** Clusters that lost a part, programs that fail, and dry runs: what is told names the cause and the one word that mends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fleetOpener, summaryIn } from '../testbed/fleet.ts'

const bench = fleetOpener()

for (const [role, words] of [
  ['server', 'its server'],
  ['loadbalancer', 'its load balancer'],
] as const) {
  test(`a k3d cluster that lost ${words} is told so, and one word makes it anew`, async () => {
    const { fleet, removeNode, standing } = await bench('dev')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    removeNode('dev', role)
    const told = new RegExp(`${words} was removed.*--recreate makes the cluster anew`)
    const verify = await fleet('verify')
    assert.equal(verify.code, 11, verify.out)
    assert.match(verify.out, told)
    assert.equal((await fleet('reconcile --dry-run')).code, 3)
    const ran = await fleet('reconcile --from-db')
    assert.equal(ran.code, 11, ran.out)
    assert.match(String(summaryIn(ran.out).get('dev')?.['message']), told)
    const mended = await fleet('reconcile --from-db --recreate')
    assert.equal(mended.code, 0, mended.out + mended.err)
    const item = summaryIn(mended.out).get('dev')
    assert.equal(item?.['action'], 'recreate')
    assert.equal(item?.['message'], `made anew: ${words} was removed`)
    assert.equal((await fleet('verify')).code, 0)
    assert.deepEqual(standing(), ['dev'])
  })
}

test('a k3d cluster whose agent was stopped is told so, and started again', async () => {
  const { fleet, stopAgents } = await bench('dev')
  assert.equal((await fleet('set dev agents=1')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  stopAgents('dev')
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(verify.out, /dev .*DRIFT +an agent of it is stopped/)
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 0, ran.out + ran.err)
  assert.equal(summaryIn(ran.out).get('dev')?.['action'], 'start')
})

test('where the API server of a k3d cluster listens is read as k3d tells it', async () => {
  const { fleet, write } = await bench('dev')
  write({ 'fleet.yaml': 'providers: { k3d: { apiAddress: 0.0.0.0 } }\n' })
  const made = await fleet('reconcile --from-db')
  assert.equal(made.code, 0, made.out + made.err)
  assert.equal((await fleet('set dev api_address=127.0.0.1')).code, 0)
  const verify = await fleet('verify')
  assert.equal(verify.code, 11, verify.out)
  assert.match(verify.out, /apiAddress 0\.0\.0\.0 → 127\.0\.0\.1/)
})

test('a cluster that a run brings up and that does not match its row is told of in its summary', async () => {
  const { fleet, stopCluster } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('set dev agents=1')).code, 0)
  stopCluster('dev')
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 11, ran.out)
  const item = summaryIn(ran.out).get('dev')
  assert.equal(item?.['action'], 'start')
  assert.equal(item?.['result'], 'warning')
  assert.match(String(item?.['message']), /^started: .*; but it no longer .*: agents 0 → 1/)
})

test('a dry run ends with 3 whenever verify would end with 11', async () => {
  const { fleet, sql } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('reconcile --dry-run')).code, 0)
  sql("update clusters set http_port = 20097 where name = 'dev'")
  assert.equal((await fleet('verify')).code, 11)
  const dry = await fleet('reconcile --dry-run')
  assert.equal(dry.code, 3, dry.out)
  assert.equal(summaryIn(dry.out).get('dev')?.['result'], 'warning')
})

test('of a program that fails the cause is told, without colours, and progress line by line', async () => {
  const { fleet, fail } = await bench('bad', 'good')
  fail('port', 'bad', 9)
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1, ran.out)
  const message = String(summaryIn(ran.out).get('bad')?.['message'])
  assert.match(
    message,
    /runtime failed to start node 'k3d-bad-serverlb': Bind for .* failed: port is already allocated/,
  )
  assert.match((await fleet('list')).out, /^bad: .*port is already allocated/m)
  assert.doesNotMatch(ran.out + ran.err, /\[3[16]m|\[0m/)
  assert.match(ran.err, /^cluster\/good: Creating cluster good$/m)
  assert.match(ran.err, /^cluster\/good: done in \d+\.\d s$/m)
  assert.match(ran.err, /^cluster\/bad: failed, .*port is already allocated/m)
})
