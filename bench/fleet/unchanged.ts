/** Nothing to do with fifty rows: one listing, one question to each cluster, no write. */
import { fleetBench } from '../../test/testbed/fleet.ts'
import { contest, milliseconds, type Row } from '../row.ts'

const count = 50
const limit = 1000

export async function* unchanged(): AsyncIterable<Row> {
  const bench = await fleetBench('dist/tend')
  const { fleet, sql, calls } = bench
  try {
    await fleet('init')
    for (let row = 0; row < count; row += 1) {
      const cells = `'c${row}', 'k3d', ${20_100 + row}`
      sql(`insert into clusters (name, provider, http_port) values (${cells})`)
    }
    const made = await fleet('reconcile --from-db --concurrency 4')
    if (made.code !== 0) throw new Error(made.out + made.err)
    calls()
    const before = JSON.stringify(sql('select * from clusters'))
    const times = await contest({ run: { run: () => fleet('reconcile --from-db') } }, 7)
    const asked = calls()
    const writes = JSON.stringify(sql('select * from clusters')) === before ? 0 : 1
    const others = asked.filter((line) => line !== 'cluster list -o json')
    yield {
      name: 'nothing to do with 50 rows, to one second',
      measured: times.run / limit,
      goal: { is: 'at most', than: 1 },
      behind: milliseconds(times.run),
    }
    yield {
      name: 'nothing to do with 50 rows, listings of the provider in a run',
      measured: (asked.length - others.length) / 7,
      goal: { is: 'at most', than: 1 },
      behind: `${asked.length} calls in 7 runs`,
    }
    yield {
      name: 'nothing to do with 50 rows, writes',
      measured: others.length + writes,
      goal: { is: 'at most', than: 0 },
      behind: `${others.length} other calls, ${writes} rows changed`,
    }
  } finally {
    await bench.close()
  }
}
