/** A reconcile that is killed at any call: the next one converges, with no orphan and no lost row. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fleetBench, summaryIn } from '../testbed/fleet.ts'

const moments = process.env['TEND_FAULTS'] === 'all' ? 20 : 6

test('killed at any call, the next run converges', async () => {
  const bench = await fleetBench()
  const { fleet, start, sql, standing, calls, folder } = bench
  try {
    assert.equal((await fleet('init')).code, 0)
    await fleet('add keep --provider k3d')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    for (let moment = 1; moment <= moments; moment += 1) {
      const [fresh, old] = [`fresh-${moment}`, `old-${moment}`]
      await fleet(`add ${old} --provider k3d`)
      assert.equal((await fleet('reconcile --from-db')).code, 0)
      await fleet(`rm ${old}`)
      await fleet(`add ${fresh} --provider k3d`)
      calls()
      const before = lines()
      const going = start('reconcile --from-db')
      let isOver = false
      void going.told.then(() => (isOver = true))
      while (!isOver && lines() - before < moment) await new Promise((done) => setTimeout(done, 5))
      going.child.kill('SIGKILL')
      await going.told
      const ran = await fleet('reconcile --from-db')
      assert.equal(ran.code, 0, `killed at call ${moment}: ${ran.out}${ran.err}`)
      assert.ok(standing().includes(fresh) && !standing().includes(old), `at ${moment}`)
      const rows = sql(`select name from clusters where name in ('keep', '${fresh}')`)
      assert.equal(rows.length, 2, 'no row is lost')
      assert.equal((await fleet('verify')).code, 0)
      const again = await fleet('reconcile --from-db')
      assert.equal(summaryIn(again.out).get(fresh)?.['action'], 'noop')
      await fleet(`rm ${fresh}`)
      await fleet('reconcile --from-db --prune-missing')
    }
    assert.deepEqual(standing(), ['keep'])
    assert.deepEqual(
      sql('select name from clusters').map(({ name }) => name),
      ['keep'],
    )
  } finally {
    await bench.close()
  }

  function lines(): number {
    return readFileSync(join(folder, 'k3d/calls'), 'utf8').split('\n').length
  }
})
