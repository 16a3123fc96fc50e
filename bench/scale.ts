/** Many applications of the toy kind `files` on three replicas: what they cost, by processor time and counts, and how that grows. */
import { rmSync } from 'node:fs'
import type { Row } from './row.ts'
import type { Curve } from './curve.ts'
import { openReplicas, type Measured } from './scale/replicas.ts'
import { first } from './scale/first-sync.ts'

/** `TEND_BENCH_APPS=1000,2000` for others. */
const sizes = (process.env['TEND_BENCH_APPS'] ?? '1000,3000,10000').split(',').map(Number)
const megabyte = 1024 ** 2

export const parts = { replicas, 'first-sync': first }

async function* replicas(): AsyncIterable<Row | Curve> {
  const found: Measured[] = []
  for (const size of sizes) {
    const world = await openReplicas(size)
    try {
      const one = await world.measure()
      found.push(one)
      yield costRow(one)
      // three replicas say that they live, however little they have to do
      if (size === sizes.at(-1)) yield restRow(one)
    } finally {
      await world.close()
      rmSync(world.folder, { recursive: true, force: true })
    }
  }
  yield* growthOf(found)
}

function* growthOf(found: readonly Measured[]): Iterable<Row | Curve> {
  const [least, most] = [found[0], found.at(-1)]
  if (least === undefined || most === undefined || least === most) return
  yield growth('processor time', least, most, ({ cpu }) => cpu)
  yield growth('memory over that of none', least, most, ({ memory, empty }) => memory - empty)
  yield curve('Time until all are synced, 3 replicas', 's', found, ({ seconds }) => seconds)
  yield curve('Processor time of the first sync, 3 replicas', 's', found, ({ cpu }) => cpu / 1000)
  yield curve('Memory of 3 replicas', 'MB', found, ({ memory }) => memory / megabyte)
}

function thousands({ size }: Measured): number {
  return size / 1000
}

/** No goal of its own: the row is for its figures. */
function costRow(one: Measured): Row {
  const { size, seconds, cpu, databaseCpu, memory, syncTransactions } = one
  return {
    name: `${size} applications on 3 replicas: synced, to 10 minutes`,
    measured: seconds / 600,
    goal: { is: 'at most', than: 1 },
    behind:
      `${seconds.toFixed(0)} s; each 1,000: ${(cpu / 1000 / thousands(one)).toFixed(1)} s of processor, ` +
      `${(databaseCpu / 1000 / thousands(one)).toFixed(1)} s of PostgreSQL's, ${(memory / megabyte / thousands(one)).toFixed(0)} MB; ` +
      `${(syncTransactions / size).toFixed(1)} transactions for each; load of the machine ${one.load.toFixed(1)}`,
  }
}

function restRow({ size, transactions, restCpu }: Measured): Row {
  return {
    name: `${size} applications at rest: transactions, to 1 per 100 and minute`,
    measured: transactions / (size / 100),
    goal: { is: 'at most', than: 1 },
    behind: `${transactions.toFixed(0)} a minute, ${(transactions / 60).toFixed(2)} a second; ${restCpu.toFixed(1)} % of a processor`,
  }
}

function growth(what: string, least: Measured, most: Measured, of: (one: Measured) => number): Row {
  const [small, large] = [of(least) / least.size, of(most) / most.size]
  return {
    name: `${what} of one application, ${most.size} to ${least.size}`,
    measured: large / small,
    goal: { is: 'at most', than: 1.15 },
    behind: `${large.toFixed(large > 1000 ? 0 : 2)} against ${small.toFixed(small > 1000 ? 0 : 2)} (ms, bytes)`,
  }
}

function curve(
  title: string,
  up: string,
  found: readonly Measured[],
  of: (one: Measured) => number,
): Curve {
  return { title, across: 'applications', up, points: found.map((one) => [one.size, of(one)]) }
}
