/** `tend fleet reconcile --loop` is the loop of the service with one application: what its passes cost, record, read and say. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonRecord } from '../../src/model/json.ts'
import { openClusters } from '../../src/store/clusters.ts'
import { fleetOpener } from '../testbed/fleet.ts'
import { freePort } from '../testbed/port.ts'

const bench = fleetOpener()
const list = 'cluster list -o json'

function historyIn(folder: string): readonly JsonRecord[] {
  const file = join(folder, 'reconcile_history.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

test('a pass over an unchanged fleet lists its clusters once, the first once more, and writes no row', async () => {
  const { fleet, calls, sql, folder } = await bench('dev', 'uat')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const before = sql('select * from clusters')
  calls()
  const told = await fleet('reconcile --loop --interval 10ms --max-runs 4')
  assert.equal(told.code, 0, told.out + told.err)
  // what the first one leaves is compared with what was declared; from then on that is known
  assert.deepEqual(calls(), [list, list, list, list, list])
  assert.deepEqual(sql('select * from clusters'), before)
  assert.equal(told.out.match(/^RECONCILE_SUMMARY=/gm)?.length, 4)
  assert.equal(told.err.match(/The next pass is at /g)?.length, 3)
  const last = historyIn(folder).at(-1)
  assert.deepEqual(
    [last?.['args'], last?.['source'], last?.['from_db']],
    [['--loop'], 'manual', true],
  )
})

test('a pass that does something is a run that nobody asked for, and the next one finds nothing to do', async () => {
  const { fleet, folder, standing } = await bench('dev')
  assert.equal((await fleet('reconcile --loop --interval 10ms --max-runs 2')).code, 0)
  assert.deepEqual(standing(), ['dev'])
  const store = new DatabaseSync(join(folder, 'home', 'tend.db'), { readOnly: true })
  const runs = store.prepare('select application, started_by, outcome from runs').all()
  store.close()
  assert.deepEqual(
    runs.map((run) => ({ ...run })),
    [{ application: 'fleet:fleet', started_by: 'refresh', outcome: 'succeeded' }],
  )
  assert.deepEqual(
    historyIn(folder).map((entry) => entry['executed_count']),
    [1, 0],
  )
})

test('rows that change while a pass waits for its turn are those that it follows', async () => {
  const { fleet, start, database, standing } = await bench('dev')
  const held = await openClusters({ file: database, access: 'write', now: () => Date.now() })
  const lease = await held.leases.take('fleet', 'another')
  assert.ok('release' in lease)
  const loop = start('reconcile --loop --interval 10ms --max-runs 1')
  while (!loop.err().includes('Waiting for another run to end: another')) await sleep(20)
  assert.equal((await fleet('add uat --provider k3d')).code, 0)
  await lease.release()
  await held.close()
  const told = await loop.told
  assert.equal(told.code, 0, told.out + told.err)
  assert.deepEqual(standing(), ['dev', 'uat'])
})

test('dry passes change nothing, and the first that finds something ends them', async () => {
  const { fleet, folder, calls, standing } = await bench('dev')
  await fleet('reconcile --from-db')
  calls()
  const told = await fleet('reconcile --loop --dry-run --interval 10ms --max-runs 3')
  assert.equal(told.code, 0, told.out + told.err)
  assert.deepEqual(calls(), [list, list, list])
  await fleet('add uat --provider k3d')
  const found = await fleet('reconcile --loop --dry-run --interval 10ms --max-runs 3')
  assert.equal(found.code, 3, found.out + found.err)
  assert.deepEqual(standing(), ['dev'])
  const entries = historyIn(folder).slice(1)
  assert.deepEqual(
    entries.map((entry) => [entry['dry_run'], entry['exit_code']]),
    [
      [true, 0],
      [true, 0],
      [true, 0],
      [true, 3],
    ],
  )
})

test('passes prune rows that say absent, make clusters anew, and report, as one alone does', async () => {
  const { fleet, folder, sql, calls } = await bench('dev', 'never')
  await fleet('rm never')
  await fleet('reconcile --from-db')
  const report = join(folder, 'report.md')
  const pruned = await fleet(
    `reconcile --loop --prune-missing --interval 10ms --max-runs 2 --report ${report}`,
  )
  assert.equal(pruned.code, 0, pruned.out + pruned.err)
  assert.deepEqual(
    sql('select name from clusters').map(({ name }) => name),
    ['dev'],
  )
  assert.equal(readFileSync(report, 'utf8').match(/### Reconcile Snapshot/g)?.length, 2)
  assert.deepEqual(
    historyIn(folder).map((entry) => entry['pruned_count']),
    [0, 1, 0],
  )
  sql(`update clusters set http_port = 18999 where name = 'dev'`)
  const told = await fleet('reconcile --loop --interval 10ms --max-runs 2')
  assert.equal(told.code, 11, told.out + told.err)
  calls()
  const anew = await fleet('reconcile --loop --recreate --interval 10ms --max-runs 2')
  assert.equal(anew.code, 0, anew.out + anew.err)
  assert.equal(calls().filter((line) => line === 'cluster delete dev').length, 1)
})

test('rows that can not be read end the loop as they end one pass', async () => {
  const { fleet, write, folder, database } = await bench('dev')
  const missing = { TEND_FLEET_DB: `${database}.none` }
  assert.equal((await fleet('reconcile --loop --max-runs 2', missing)).code, 2)
  write({ 'fleet.yaml': 'portainer: { url: "https://127.0.0.1:1", key: { variable: NOT_SET } }\n' })
  const once = await fleet('reconcile --from-db')
  const loop = await fleet('reconcile --loop --interval 10ms --max-runs 2')
  assert.match(loop.err, /NOT_SET/)
  assert.deepEqual([loop.code, loop.out, loop.err], [once.code, once.out, once.err])
  assert.deepEqual(historyIn(folder), [])
})

test('Ctrl-C between two passes ends them with 130', async () => {
  const { fleet, start } = await bench('dev')
  await fleet('reconcile --from-db')
  const loop = start('reconcile --loop --interval 1h')
  while (!loop.err().includes('The next pass is at')) await sleep(20)
  loop.child.kill('SIGINT')
  assert.equal((await loop.told).code, 130)
})

test('Ctrl-C in the middle of a pass interrupts its run, and what was made by then is told', async () => {
  const { start, answer, folder } = await bench('dev')
  answer('dev', 503)
  const loop = start('reconcile --loop --interval 1h')
  while (!existsSync(join(folder, 'k3d', 'clusters', 'dev.json'))) await sleep(20)
  loop.child.kill('SIGINT')
  const told = await loop.told
  assert.equal(told.code, 130, told.out + told.err)
  assert.equal(historyIn(folder).at(-1)?.['exit_code'], 130)
})

test('the service lists an unchanged fleet when it starts and once for each sync', async () => {
  const { fleet, tend, write, calls } = await bench('dev')
  write({
    'tend.yaml': `listen: 127.0.0.1:${await freePort()}
fleets: [{ fleet: fleet, database: fleet.db, interval: 1h }]
`,
  })
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  calls()
  const service = tend('serve --config tend.yaml')
  try {
    while (!service.out().includes('sync succeeded')) await sleep(50)
    assert.equal((await tend('sync fleet --wait').told).code, 0)
    assert.equal((await tend('sync fleet --wait').told).code, 0)
    // the look at the start, the run, the comparison with what it left, and two syncs
    assert.deepEqual(calls(), [list, list, list, list, list])
  } finally {
    service.child.kill('SIGTERM')
    await service.told
  }
})
