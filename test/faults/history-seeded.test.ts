/** Bugs are put into the statements of leases and runs, one for each thing that the checker looks for: it finds each in the database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { keyOf } from '#model/application.ts'
import type { Leases, Store } from '#model/store.ts'
import type { Database, Query } from '#store/database.ts'
import { leasesOver, monotonic } from '#store/leases.ts'
import { migrate } from '#store/migrations.ts'
import { openPostgres } from '#store/postgres.ts'
import { storeOver } from '#store/runs.ts'
import { openSqlite } from '#store/sqlite.ts'
import { leaseOf } from '../contract/leases.ts'
import { newRun, succeeded, web } from '../contract/store.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { faultsIn } from './history.ts'
import { keepHistory, readHistory } from './keep-history.ts'

type Ports = { readonly leases: Leases; readonly store: Store }
type World = {
  readonly well: Ports
  /** The same with the bug. */
  readonly ill: Ports
  /** As if the holder had not been heard of for long. */
  readonly expire: () => Promise<unknown>
}
type Bug = {
  /** What is written in place of what; without: the bug is in who calls. */
  readonly from?: RegExp
  readonly to?: string
  readonly work: (world: World) => Promise<unknown>
  readonly says: RegExp
}

const key = keyOf(web)
const unchanged = {
  ...succeeded,
  summary: { ...succeeded.summary, created: 0, updated: 0, deleted: 0 },
}
const event = { at: 1, type: 'warning', text: 'late' } as const
const isInForce = /not exists \(select 1 from newest .*?\)/

/** A run of the first holder goes on, and a second one has the lease. */
async function overtaken({ well, expire }: World): Promise<{ run: number; generation: number }> {
  const { generation } = leaseOf(await well.leases.take(key, 'first'))
  const run = await well.store.begin({ ...newRun(), generation })
  await expire()
  leaseOf(await well.leases.take(key, 'second'))
  return { run, generation }
}

const bugs: Readonly<Record<string, Bug>> = {
  'a lease that is taken from a living holder': {
    from: /\(expires_at <= .* or token = \?\)/,
    to: '(expires_at >= 0 or token = ?)',
    async work({ well, ill }) {
      leaseOf(await well.leases.take(key, 'first'))
      leaseOf(await ill.leases.take(key, 'second'))
    },
    says: /generation 2 was taken \d+ ms before 1 had ended/,
  },
  'a generation that does not grow': {
    from: /generation = generation \+ 1/,
    to: 'generation = generation',
    async work({ well, ill, expire }) {
      leaseOf(await well.leases.take(key, 'first'))
      await expire()
      leaseOf(await ill.leases.take(key, 'second'))
    },
    says: /another holder under the same generation 1/,
  },
  'a generation that begins anew': {
    from: /set token = \?, expires_at = 0/,
    to: 'set generation = 0, token = ?, expires_at = 0',
    work: async ({ ill }) => leaseOf(await ill.leases.take(key, 'first')).release(),
    says: /generation 0 after 1/,
  },
  'an event of a run that was taken over': {
    from: isInForce,
    to: '1 = 1',
    async work(world) {
      const { run } = await overtaken(world)
      await world.ill.store.append(web, run, event)
    },
    says: /event of run 1 under generation 1, though 2 was taken before/,
  },
  'an end of a run that was taken over': {
    from: isInForce,
    to: '1 = 1',
    async work(world) {
      const { run } = await overtaken(world)
      await world.ill.store.end(web, run, succeeded)
    },
    says: /end of run 1 under generation 1, though 2 was taken before/,
  },
  'a run that begins under a lease that was taken over': {
    from: /^select generation from leases/,
    to: 'select 0 as generation from leases',
    async work(world) {
      const { generation } = await overtaken(world)
      await world.ill.store.begin({ ...newRun(), generation })
    },
    says: /begin of run 2 under generation 1, though 2 was taken before/,
  },
  'two runs at once': {
    // who is refused takes no heed of it
    async work({ ill }) {
      const { generation } = leaseOf(await ill.leases.take(key, 'first'))
      assert.ok(!('release' in (await ill.leases.take(key, 'second'))))
      await ill.store.begin({ ...newRun(), generation })
      await ill.store.begin({ ...newRun(), generation })
    },
    says: /run 2 began while run 1 went on/,
  },
  'a number that runs backward': {
    from: /last_run = applications.last_run \+ 1/,
    to: 'last_run = applications.last_run - 1',
    async work(world) {
      await overtaken(world)
      await world.ill.store.begin({ ...newRun(), generation: 2 })
    },
    says: /run 0 began after run 1/,
  },
  'a run that does again what was done': {
    async work({ ill }) {
      const { generation } = leaseOf(await ill.leases.take(key, 'first'))
      for (const result of [succeeded, unchanged]) {
        await ill.store.end(web, await ill.store.begin({ ...newRun(), generation }), result)
      }
    },
    says: /run 2 did again what the run before it had done/,
  },
}

function withBug(
  database: Database,
  { from, to = '' }: Bug,
): { database: Database; hasBug(): boolean } {
  let hasBug = from === undefined
  function written(sql: string): string {
    if (from === undefined || !from.test(sql)) return sql
    hasBug = true
    return sql.replace(from, to)
  }
  const over = (query: Query): Query => ({
    rows: (sql, cells) => query.rows(written(sql), cells),
    change: (sql, cells) => query.change(written(sql), cells),
  })
  const transaction: Database['transaction'] = (work) =>
    database.transaction((inside) => work(over(inside)))
  return { database: { ...database, ...over(database), transaction }, hasBug: () => hasBug }
}

function portsOver(database: Database): Ports {
  const leases = leasesOver(database, {
    monotonic,
    self: () => undefined,
    isGone: () => false,
    heartbeat: 60_000,
    expiry: 120_000,
  })
  return { leases, store: storeOver(database, new Uint8Array(32)) }
}

function finds(make: () => Promise<Database>): void {
  for (const [name, bug] of Object.entries(bugs)) {
    test(name, async () => {
      const database = await make()
      await migrate(database, 'it')
      await keepHistory(database)
      const seeded = withBug(database, bug)
      const expire = () => database.change('update leases set expires_at = 0')
      await bug.work({ well: portsOver(database), ill: portsOver(seeded.database), expire })
      assert.ok(seeded.hasBug(), 'no statement has the bug')
      const [first] = faultsIn(await readHistory(database))
      assert.match(first ?? 'nothing was found', bug.says)
      await database.close()
    })
  }

  test('every write is kept, and nothing is wrong with those of today', async () => {
    const database = await make()
    await migrate(database, 'it')
    await keepHistory(database)
    const { leases, store } = portsOver(database)
    const lease = leaseOf(await leases.take(key, 'first'))
    const run = await store.begin({ ...newRun(), generation: lease.generation })
    await store.append(web, run, event)
    await store.end(web, run, succeeded)
    await lease.release()
    const history = await readHistory(database)
    assert.deepEqual(
      history.map(({ of }) => of),
      ['lease', 'begin', 'event', 'end', 'lease'],
    )
    assert.deepEqual(
      history.map(({ generation }) => generation),
      [1, 1, 1, 1, 1],
    )
    assert.deepEqual(faultsIn(history), [])
    await database.close()
  })
}

describe('the checker finds in SQLite', () => finds(() => openSqlite(':memory:')))

describe('the checker finds in PostgreSQL', { skip: requiredPostgres() }, () => {
  let server: Postgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.close())
  finds(() => openPostgres(server.database()))
})
