/** Reality is made to match the clusters table: what is created, deleted, started, pruned, and what never is. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fleetOpener, summaryIn } from '../testbed/fleet.ts'

const bench = fleetOpener()

test('acceptance 8: a plan and a summary with every row; what is missing is made, and then nothing is to do: no writes, one listing', async () => {
  const { fleet, standing, calls, sql } = await bench('dev', 'uat', 'prod')
  const plan = await fleet('reconcile --dry-run')
  assert.equal(plan.code, 3, plan.err)
  assert.equal(summaryIn(plan.out).get('dev')?.['result'], 'planned')
  assert.deepEqual(standing(), [])
  const made = await fleet('reconcile --from-db')
  assert.equal(made.code, 0, made.out + made.err)
  assert.deepEqual(standing(), ['dev', 'prod', 'uat'])
  const item = summaryIn(made.out).get('dev')
  assert.deepEqual(
    [item?.['action'], item?.['result'], item?.['actual']],
    ['create', 'created', 'running'],
  )
  const rows = sql('select name, actual_state, status, server_ip from clusters order by name')
  assert.deepEqual(
    { ...rows[0] },
    {
      name: 'dev',
      actual_state: 'running',
      status: 'Ready',
      server_ip: '172.20.0.3',
    },
  )
  calls()
  const before = sql('select * from clusters')
  const again = await fleet('reconcile --from-db')
  assert.equal(again.code, 0)
  assert.equal(summaryIn(again.out).get('uat')?.['message'], 'cluster healthy')
  assert.deepEqual(calls(), ['cluster list -o json'])
  assert.deepEqual(sql('select * from clusters'), before, 'no row is written')
  assert.equal((await fleet('verify')).code, 0)
})

test('after everything was deleted by hand the table brings it back', async () => {
  const { fleet, standing, dropCluster } = await bench('dev', 'uat')
  await fleet('reconcile --from-db')
  dropCluster('dev')
  const verify = await fleet('verify')
  assert.equal(verify.code, 10)
  assert.match(verify.out, /DB_VERIFY_SUMMARY=\{"total":2,"missing":1/)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), ['dev', 'uat'])
})

test('acceptance 3, defect 12: an absent row: its cluster goes first, the row last; one that never was stays rightly absent', async () => {
  const { fleet, standing, sql } = await bench('dev', 'old', 'never')
  await fleet('rm never')
  await fleet('reconcile --from-db')
  assert.deepEqual(standing(), ['dev', 'old'])
  assert.deepEqual(
    { ...sql(`select actual_state, status from clusters where name = 'never'`)[0] },
    {
      actual_state: 'absent',
      status: 'Removed',
    },
  )
  await fleet('rm old')
  assert.equal((await fleet('verify')).code, 11)
  const gone = await fleet('reconcile --from-db')
  assert.equal(gone.code, 0, gone.out)
  assert.equal(summaryIn(gone.out).get('old')?.['result'], 'deleted')
  assert.deepEqual(standing(), ['dev'])
  assert.deepEqual(
    sql('select name from clusters order by name').map(({ name }) => name),
    ['dev', 'never'],
  )
  assert.equal((await fleet('verify')).code, 0, 'a row that is rightly absent is ok')
  const pruned = await fleet('reconcile --from-db --prune-missing')
  assert.equal(summaryIn(pruned.out).get('never')?.['action'], 'prune')
  assert.deepEqual(
    sql('select name from clusters').map(({ name }) => name),
    ['dev'],
  )
})

test('defect 13: a delete that fails keeps the row, and the next run ends it', async () => {
  const { fleet, standing, sql, fail } = await bench('old')
  await fleet('reconcile --from-db')
  await fleet('rm old')
  fail('delete', 'old', 10)
  const failed = await fleet('reconcile --from-db')
  assert.equal(failed.code, 1)
  assert.match(String(summaryIn(failed.out).get('old')?.['message']), /device busy/)
  assert.equal(sql('select actual_state from clusters')[0]?.['actual_state'], 'failed')
  fail('delete', 'old', 0)
  await fleet('reconcile --from-db')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(standing(), [])
  assert.deepEqual(sql('select name from clusters'), [])
})

test('acceptance 2, 9: one failure stops nobody else, is tried again, shows, and heals', async () => {
  const { fleet, standing, fail, sql } = await bench('bad', 'good', 'slow')
  fail('create', 'bad', 100)
  fail('half', 'slow', 1)
  const ran = await fleet('reconcile --from-db')
  assert.equal(ran.code, 1)
  const summary = summaryIn(ran.out)
  assert.equal(summary.get('bad')?.['result'], 'error')
  assert.match(
    String(summary.get('bad')?.['message']),
    /Failed Cluster Start: Failed to add one or more agents: device busy/,
  )
  assert.equal(summary.get('good')?.['result'], 'created')
  assert.equal(summary.get('slow')?.['result'], 'created', 'half of one was taken away first')
  assert.deepEqual(standing(), ['good', 'slow'])
  const [row] = sql(`select * from clusters where name = 'bad'`)
  assert.equal(row?.['actual_state'], 'failed')
  assert.match(String(row?.['reconcile_error']), /FAILED/)
  fail('create', 'bad', 0)
  await fleet('reconcile --from-db')
  assert.deepEqual(standing(), ['bad', 'good', 'slow'])
})

test('defect 9: what is stopped is started; what is not ready is waited for', async () => {
  const { fleet, stopCluster, calls } = await bench('dev')
  await fleet('reconcile --from-db')
  stopCluster('dev')
  assert.equal((await fleet('verify')).code, 11)
  calls()
  const started = await fleet('reconcile --from-db')
  assert.equal(started.code, 0, started.out)
  assert.equal(summaryIn(started.out).get('dev')?.['action'], 'start')
  assert.ok(calls().some((line) => line.startsWith('cluster start dev')))
})

test('a cluster that never gets ready fails in time and says what was seen', async () => {
  const { fleet, answer } = await bench('dev')
  answer('dev', 503)
  const ran = await fleet('reconcile --from-db --timeout 1s')
  assert.equal(ran.code, 1)
  assert.match(String(summaryIn(ran.out).get('dev')?.['message']), /readyz with 503/)
  answer('dev', 200)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
})

test('defect 5: when the provider can not be asked, nothing is created, deleted or pruned', async () => {
  const { fleet, standing, breakProvider, sql } = await bench('dev', 'old')
  await fleet('reconcile --from-db')
  await fleet('rm old')
  breakProvider(true)
  for (const line of [
    'reconcile --from-db',
    'reconcile --prune-missing',
    'reconcile --from-db --prune-missing',
    'reconcile --dry-run',
  ]) {
    const ran = await fleet(line)
    assert.equal(ran.code, 1, `${line}: ${ran.out}`)
    assert.match(ran.out, /Cannot connect to the Docker daemon/)
  }
  const verify = await fleet('verify')
  assert.equal(verify.code, 1)
  assert.match(verify.out, /"unknown":2/)
  breakProvider(false)
  assert.deepEqual(standing(), ['dev', 'old'])
  assert.equal(sql('select name from clusters').length, 2)
})

test('acceptance 5: prune-missing alone removes rows whose clusters are certainly missing, creates nothing, never devops', async () => {
  const { fleet, standing, sql, calls } = await bench('dev', 'test-old')
  sql(`insert into clusters (name, provider) values ('devops', 'k3d')`)
  await fleet('reconcile --from-db')
  sql(`update clusters set desired_state = 'present' where name = 'test-old'`)
  await fleet('rm test-old')
  await fleet('reconcile --from-db')
  sql(`insert into clusters (name, provider) values ('test-old', 'k3d')`)
  calls()
  const plan = await fleet('reconcile --prune-missing --dry-run')
  assert.equal(plan.code, 3)
  assert.equal(sql('select name from clusters').length, 3)
  const pruned = await fleet('reconcile --prune-missing')
  assert.equal(pruned.code, 0, pruned.out + pruned.err)
  assert.deepEqual(
    [...summaryIn(pruned.out)].map(([name, item]) => [name, item['action'], item['result']]),
    [
      ['dev', 'noop', 'ok'],
      ['test-old', 'prune', 'deleted'],
    ],
  )
  assert.deepEqual(
    sql('select name from clusters order by name').map(({ name }) => name),
    ['dev', 'devops'],
  )
  assert.deepEqual(standing(), ['dev'])
  assert.ok(calls().every((line) => !line.includes('create')))
})

test('defect 1: a row that no longer fits its cluster is told, and made anew only on demand', async () => {
  const { fleet, sql, calls } = await bench('dev')
  await fleet('reconcile --from-db')
  sql(`update clusters set http_port = 18999 where name = 'dev'`)
  const told = await fleet('reconcile --from-db')
  assert.equal(told.code, 11)
  assert.match(String(summaryIn(told.out).get('dev')?.['message']), /httpPort \d+ → 18999/)
  calls()
  const made = await fleet('reconcile --from-db --recreate')
  assert.equal(made.code, 0, made.out)
  assert.equal(summaryIn(made.out).get('dev')?.['action'], 'recreate')
  assert.ok(calls().some((line) => line === 'cluster delete dev'))
  assert.equal((await fleet('verify')).code, 0)
})

test('rows that can not be are left alone with what hangs on them; the others go on', async () => {
  const { fleet, standing, sql } = await bench('dev')
  sql(`insert into clusters (name, provider, http_port) values ('twin-a', 'k3d', 19500)`)
  sql(`insert into clusters (name, provider, http_port) values ('twin-b', 'k3d', 19500)`)
  sql(`insert into clusters (name, provider) values ('Wrong_', 'k3d')`)
  sql(`insert into clusters (name, provider, desired_state) values ('odd', 'k3d', 'maybe')`)
  sql(`insert into clusters (name, provider) values ('lone', 'kwok')`)
  const ran = await fleet('reconcile --from-db', { PATH: `${process.env['PATH']}` })
  assert.equal(ran.code, 1)
  const withPrograms = await fleet('reconcile --from-db')
  assert.equal(withPrograms.code, 1)
  assert.deepEqual(standing(), ['dev'])
  const summary = summaryIn(withPrograms.out)
  assert.match(
    String(summary.get('twin-a')?.['message']),
    /http_port 19500 is also http_port of twin-b/,
  )
  assert.match(String(summary.get('odd')?.['message']), /desired_state/)
  assert.match(String(summary.get('lone')?.['message']), /kwokctl is not installed/)
})

test('the history holds every run, and the last one is told', async () => {
  const { fleet, folder } = await bench('dev')
  const none = await fleet('reconcile --last-run')
  assert.equal(none.code, 2)
  await fleet('reconcile --from-db', { RECONCILE_SOURCE: 'loop', RECONCILE_INVOKER: 'ci' })
  const last = await fleet('reconcile --last-run --json')
  const entry = JSON.parse(last.out)
  assert.deepEqual(Object.keys(entry), [
    'timestamp',
    'duration_seconds',
    'exit_code',
    'source',
    'invoker',
    'history_file',
    'args',
    'from_db',
    'dry_run',
    'prune_missing',
    'plan_count',
    'executed_count',
    'failed_count',
    'pruned_count',
    'summary',
  ])
  assert.deepEqual([entry.source, entry.invoker, entry.executed_count], ['loop', 'ci', 1])
  assert.match((await fleet('reconcile --last-run')).out, /Last run: .*exit code 0/)
  const lines = readFileSync(join(folder, 'reconcile_history.jsonl'), 'utf8').trim().split('\n')
  assert.equal(lines.length, 1)
})

test('acceptance 20, defect 2: a loop makes exactly the passes it was told, and ends on the first that fails', async () => {
  const { fleet, fail, folder } = await bench('dev')
  assert.equal((await fleet('reconcile --loop --interval 15 --max-runs 1')).code, 0)
  assert.equal((await fleet('reconcile --loop --interval 10ms --max-runs 3')).code, 0)
  const lines = (): number =>
    readFileSync(join(folder, 'reconcile_history.jsonl'), 'utf8').trim().split('\n').length
  assert.equal(lines(), 4)
  await fleet('add bad --provider k3d')
  fail('create', 'bad', 100)
  assert.equal((await fleet('reconcile --loop --interval 10ms --max-runs 5')).code, 1)
  assert.equal(lines(), 5)
})

test('defect 3, 4: two reconcilers never interleave', async () => {
  const { fleet, calls, write, folder } = await bench('a', 'b', 'c')
  // one table is one fleet, whatever settings call it
  write({ 'other.yaml': 'name: other\n' })
  const [one, other] = await Promise.all([
    fleet('reconcile --from-db'),
    fleet(`reconcile --from-db --config ${join(folder, 'other.yaml')}`),
  ])
  assert.deepEqual([one.code, other.code], [0, 0], one.err + other.err)
  assert.equal(calls().filter((line) => line.startsWith('cluster create')).length, 3)
  const results = [one, other].map(({ out }) => String(summaryIn(out).get('a')?.['result']))
  assert.deepEqual(results.toSorted(), ['created', 'ok'])
})

test('acceptance 7: what was asked for is said: usage, flags, and a database that is not there', async () => {
  const { fleet, database, write } = await bench()
  assert.equal((await fleet('reconcile')).code, 2)
  const missing = { TEND_FLEET_DB: `${database}.none` }
  assert.equal((await fleet('reconcile --from-db', missing)).code, 2)
  assert.equal((await fleet('verify', missing)).code, 1)
  write({ 'bad.db': 'not a database, but long enough to be taken for one'.repeat(100) })
  const damaged = await fleet('reconcile --from-db --db bad.db')
  assert.equal(damaged.code, 2)
  assert.match(damaged.err, /is damaged[\s\S]*good copy/)
  const help = await fleet('reconcile --help')
  for (const flag of ['--dry-run', '--from-db', '--prune-missing', '--verbose']) {
    assert.ok(help.out.includes(flag))
  }
})
