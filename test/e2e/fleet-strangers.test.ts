/** What is not ours, what is not certain and what can't be: left alone, told, and nobody else's trouble. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetOpener, fleetBench, summaryIn } from '../testbed/fleet.ts'

const bench = fleetOpener()

test('a cluster that was there before its row is kept, and cleaned only with --all; a row that says absent deletes it', async () => {
  const { fleet, standing, makeCluster, sql } = await bench('dev', 'mine', 'old')
  for (const name of ['mine', 'old']) makeCluster(name)
  const look = await fleet('reconcile --dry-run')
  assert.equal(look.code, 3)
  assert.equal(summaryIn(look.out).get('mine')?.['action'], 'noop')
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 0, ran.out + ran.err)
  assert.match(String(summaryIn(ran.out).get('mine')?.['message']), /it was there before/)
  assert.equal(summaryIn(ran.out).get('dev')?.['message'], 'made')
  const again = await fleet('reconcile --from-db')
  assert.equal(summaryIn(again.out).get('mine')?.['action'], 'noop')
  const phases = sql('select name, made_phase from tend_clusters order by name')
  assert.deepEqual(
    phases.map((row) => row['made_phase']),
    ['made', 'found', 'found'],
  )
  assert.equal((await fleet('clean')).code, 0)
  assert.deepEqual(standing(), ['mine', 'old'])
  assert.match((await fleet('rm old')).out, /though it was there before its row/)
  const leaving = summaryIn((await fleet('reconcile --dry-run')).out).get('old')
  assert.equal(leaving?.['message'], 'its row says absent, though Tend did not make it')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['dev', 'mine'])
  assert.equal((await fleet('adopt mine --provider k3d')).code, 0)
  assert.equal((await fleet('clean')).code, 0)
  assert.deepEqual(standing(), [])
})

test('a cluster that is not ours is not made anew either; once it is adopted it is', async () => {
  const { fleet, makeCluster, sql, calls } = await bench('mine')
  makeCluster('mine')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  sql("update clusters set http_port = 20097 where name = 'mine'")
  calls()
  const told = await fleet('reconcile --from-db --recreate')
  assert.equal(told.code, 11, told.out)
  assert.match(told.out, /it is not ours: tend fleet adopt, then --recreate/)
  assert.ok(!calls().some((line) => line.startsWith('cluster delete')))
  assert.equal((await fleet('adopt mine --provider k3d')).code, 0)
  assert.equal((await fleet('verify')).code, 11, 'adopting it has not changed its port')
  assert.equal((await fleet('reconcile --from-db --recreate')).code, 0)
  assert.ok(calls().some((line) => line.startsWith('cluster delete')))
})

test('defect 11: a cluster of ours that no row names any more is told, and deleted by nobody', async () => {
  const { fleet, sql, standing } = await bench('dev', 'lost')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  sql("delete from clusters where name = 'lost'")
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 0, ran.out)
  assert.match(ran.err, /Warning: clusters that Tend made and no row names any more: lost \(k3d\)/)
  const checked = await fleet('validate')
  assert.equal(checked.code, 1)
  assert.match(
    checked.out,
    /leftovers +failed +clusters that Tend made and no row names any more: lost/,
  )
  assert.deepEqual(standing(), ['dev', 'lost'])
  assert.equal((await fleet('adopt lost --provider k3d')).code, 0)
  assert.equal((await fleet('rm lost')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['dev'])
  assert.equal((await fleet('validate')).code, 0)
})

test('a cluster that is ready is no half of one, though its run is killed while it waits for others', async () => {
  const { fleet, start, sql, answer, stopCluster, calls } = await bench('dev', 'slow')
  answer('slow', 500)
  const going = start('reconcile --from-db --timeout 1m')
  const phase = (): unknown =>
    sql("select made_phase from tend_clusters where name = 'dev'")[0]?.['made_phase']
  while (phase() !== 'made' && going.child.exitCode === null) await sleep(20)
  const [slow] = sql("select actual_state from clusters where name = 'slow'")
  assert.equal(slow?.['actual_state'], 'creating', 'the run still goes on')
  going.child.kill('SIGKILL')
  await going.told
  stopCluster('dev')
  answer('slow', 200)
  calls()
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const done = calls().filter((line) => line.includes('dev'))
  assert.ok(done.some((line) => line.startsWith('cluster start dev')))
  assert.ok(!done.some((line) => line.startsWith('cluster delete')))
})

test('a row that is taken back while a run is under way keeps its cluster', async () => {
  const { fleet, start, standing, sql, write } = await bench('old')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('add another --provider k3d')).code, 0)
  await fleet('rm old')
  const going = start('reconcile --from-db --concurrency 1', { K3D_STAND_IN_TOGETHER: '99' })
  const making = "select name from clusters where name = 'another' and actual_state = 'creating'"
  while (sql(making).length === 0) await sleep(20)
  assert.equal((await fleet('add old --provider k3d')).code, 0)
  write({ 'k3d/enough': '' })
  const ran = await going.told
  assert.equal(ran.code, 1, ran.out)
  assert.match(ran.out, /the row of old says present by now: nothing of it was deleted/)
  assert.deepEqual(standing(), ['old'])
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['another', 'old'])
})

test('one that somebody makes while we look is not taken away to be made again', async () => {
  const { fleet, standing, fail, makeCluster, calls } = await bench('dev')
  makeCluster('dev')
  fail('list', 'dev', 1)
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1)
  assert.match(ran.out, /somebody else made a cluster dev meanwhile/)
  assert.ok(!calls().some((line) => line.startsWith('cluster delete')))
  assert.deepEqual(standing(), ['dev'])
  assert.equal((await fleet('reconcile --from-db')).code, 0)
})

test('a cluster of others that fleet.yaml does not name is unknown: neither made nor pruned', async () => {
  const { fleet, sql, write, folder } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.equal((await fleet('add shared --provider existing')).code, 0)
  assert.equal((await fleet('verify')).code, 1)
  for (const line of ['reconcile --prune-missing', 'reconcile --from-db']) {
    const ran = await fleet(line)
    assert.equal(ran.code, 1, ran.out)
    assert.match(
      ran.out,
      /fleet\.yaml does not say where shared is \(name its clusters\.shared\.kube/,
    )
    assert.equal(sql("select name from clusters where name = 'shared'").length, 1)
  }
  // a kubeconfig that was moved says nothing about its cluster either
  write({ 'fleet.yaml': `clusters: { shared: { kubeconfig: ${join(folder, 'moved.yaml')} } }\n` })
  const moved = await fleet('verify')
  assert.equal(moved.code, 1)
  assert.match(moved.out, /kubeconfig file of shared can't be read: .*moved\.yaml/)
  // one that nobody starts is not waited for
  write({
    'down.yaml': `current-context: a
contexts: [{ name: a, context: { cluster: a, user: a } }]
clusters: [{ name: a, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: a, user: {} }]
`,
    'fleet.yaml': 'clusters: { shared: { kubeconfig: down.yaml } }\n',
  })
  const down = await fleet('reconcile --from-db --timeout 10m')
  assert.equal(down.code, 1, down.out)
  assert.match(down.out, /nobody listens on https:\/\/127\.0\.0\.1:1 \(others run it/)
  assert.equal((await fleet('verify')).code, 11)
  // paths count from where fleet.yaml is, wherever the command is typed
  write({ 'conf/fleet.yaml': 'clusters: { shared: { kubeconfig: there.yaml } }\n' })
  const beside = await fleet('verify --config conf/fleet.yaml')
  assert.match(beside.out, /can't be read: .*\/conf\/there\.yaml/)
  const strange = await fleet('verify', { KINDLER_NS: 'No_Name' })
  assert.equal(strange.code, 2)
  assert.match(strange.err, /KINDLER_NS "No_Name" can't be a namespace/)
  await fleet('rm shared')
  assert.equal((await fleet('reconcile --from-db --prune-missing')).code, 0)
  assert.equal(sql('select name from clusters').length, 1)
})

test('a management cluster that nobody finds the way to stops nothing but what is registered there', async () => {
  const { fleet, standing, write } = await bench('dev')
  write({ 'fleet.yaml': 'argocd: { kubeconfig: /nonexistent/devops.yaml }\n' })
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1)
  assert.match(ran.out, /secret: .*\/nonexistent\/devops\.yaml/)
  assert.deepEqual(standing(), ['dev'])
  write({ 'fleet.yaml': '' })
  assert.equal((await fleet('clean')).code, 0)
})

test('a cluster that answers is not missing, whatever its program lists', async () => {
  const { fleet, sql, fail, calls } = await bench('dev')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  calls()
  for (const line of ['reconcile --from-db', 'reconcile --prune-missing', 'verify']) {
    fail('list', 'dev', 9)
    const ran = await fleet(line)
    assert.equal(ran.code, 1, line)
    assert.match(ran.out, /k3d does not list dev, and yet it answers/)
  }
  assert.ok(!calls().some((line) => /create|delete/.test(line)))
  assert.equal(sql('select name from clusters').length, 1)
})

test('rows with anything in them: each is told with its fault, none leads out of our folders, the others are made', async () => {
  const { fleet, standing, sql, folder, stopCluster } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const columns = 'insert into clusters (name, provider, http_port, subnet) values'
  sql(`${columns} ('devops', 'k3d', 23800, null)`)
  sql(`${columns} ('huge', 'k3d', 9223372036854775807, null)`)
  sql(`${columns} (x'ff00', 'k3d', x'0102', null)`)
  sql(`${columns} ('words', 'k3d', 'eighty', null)`)
  sql(`${columns} ('manager', 'k3d', 23800, null)`)
  sql(`${columns} ('wide', 'k3d', null, '10.64.0.0/10')`)
  sql(`${columns} ('first', 'k3d', null, '10.65.0.0/16')`)
  sql(`${columns} ('second', 'k3d', null, '10.66.0.0/16')`)
  sql(`${columns} ('../../../victim', 'k3d', null, null)`)
  sql(`${columns} ('--all', 'k3d', null, null)`)
  // what we noted ourselves may be harmed too
  sql(`update tend_clusters set made_spec = '{' where name = 'dev'`)
  writeFileSync(join(folder, 'home/fleet/kubeconfigs/uat.yaml'), 'server: [')
  stopCluster('uat')
  writeFileSync(join(folder, 'victim.yaml'), 'mine\n')
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1)
  const told = [...summaryIn(ran.out).values()]
  const message = (name: string): string =>
    String(told.find((item) => item['name'] === name)?.['message'])
  assert.match(message('huge'), /http_port 9\d+ is no port/)
  assert.match(message('words'), /http_port NaN is no port/)
  assert.match(message('manager'), /http_port 23800 is also http_port of devops/)
  for (const name of ['wide', 'first', 'second']) assert.match(message(name), /overlaps/)
  assert.match(message('../../../victim'), /can't be the name/)
  assert.match(message('--all'), /can't be the name/)
  assert.equal(told.find((item) => item['name'] === 'uat')?.['result'], 'done')
  assert.deepEqual(standing(), ['dev', 'uat'])

  for (const verb of ['start', 'stop', 'kubeconfig']) {
    const refused = await fleet(`${verb} ../../../victim`)
    assert.equal(refused.code, 2)
    assert.match(refused.err, /can't be the name of a cluster/)
  }
  const pruned = await fleet('reconcile --prune-missing')
  assert.equal(pruned.code, 0, pruned.out + pruned.err)
  const left = sql('select name from clusters order by name').map(({ name }) => name)
  assert.ok(!left.includes('--all') && !left.includes('../../../victim'))
  assert.ok(left.includes('devops'))
  assert.equal(readFileSync(join(folder, 'victim.yaml'), 'utf8'), 'mine\n')
})

test('defect 4: what regress cleaned nobody else restores before it does', async () => {
  const { fleet, start, calls } = await bench('a', 'b', 'c')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  calls()
  const cycle = start('regress --require k3d=3 --log run.log --report report.md')
  for (let seen = ''; !seen.includes('cluster delete'); seen += calls().join('\n')) await sleep(20)
  const other = await fleet('reconcile --from-db')
  const whole = await cycle.told
  assert.deepEqual([whole.code, other.code], [0, 0], whole.out + other.out + other.err)
  const restored = whole.out.slice(whole.out.indexOf('== reconcile'))
  for (const item of summaryIn(restored).values()) assert.equal(item['result'], 'created')
  assert.match(other.err, /Waiting for another run to end/)
})

test('regress leaves a cluster that nobody made or adopted here, as clean does', async () => {
  const { fleet, makeCluster, calls } = await bench('dev', 'mine')
  makeCluster('mine')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  calls()
  const ran = await fleet('regress --require k3d=2 --log run.log --report report.md')
  assert.equal(ran.code, 0, ran.out + ran.err)
  assert.deepEqual(
    calls().filter((line) => line.startsWith('cluster delete')),
    ['cluster delete dev'],
  )
})

test('regress without a table tests nothing: no report, no history, and the log says why', async (t) => {
  const made = await fleetBench()
  t.after(() => made.close())
  const { fleet, folder } = made
  mkdirSync(join(folder, 'logs'))
  const ran = await fleet('regress --log logs/run.log')
  assert.equal(ran.code, 2)
  assert.match(ran.err, /there is no clusters table/)
  assert.match(readFileSync(join(folder, 'logs/run.log'), 'utf8'), /there is no clusters table/)
  assert.ok(!existsSync(join(folder, 'docs')))
  assert.ok(!existsSync(join(folder, 'reconcile_history.jsonl')))
})
