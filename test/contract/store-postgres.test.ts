/** The store's contracts on a real PostgreSQL, and what several processes do to each other there. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AuditEntry } from '#model/audit.ts'
import { Problem } from '#model/problem.ts'
import { auditOver } from '#store/audit.ts'
import type { Database } from '#store/database.ts'
import { leasesOver, monotonic, type LeaseParts } from '#store/leases.ts'
import { migrate } from '#store/migrations.ts'
import { notesOver } from '#store/notes.ts'
import { openPostgres } from '#store/postgres.ts'
import { isGone } from '#store/process-mark.ts'
import { replicasOver } from '#store/replicas.ts'
import { storeOver } from '#store/runs.ts'
import { openSqlite } from '#store/sqlite.ts'
import { timelineOver } from '#store/timeline.ts'
import { exported, imported, tables } from '#store/transfer.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { interleavings } from './fence-interleaved.ts'
import { fenceContract } from './fence.ts'
import { isLease, leasesContract } from './leases.ts'
import { notesContract } from './notes.ts'
import { replicasInTrouble } from './replicas-trouble.ts'
import { replicasContract } from './replicas.ts'
import { newRun, snapshotOf, storeContract, succeeded, web } from './store.ts'

const skip = requiredPostgres()

/** What is of no use in another place: who holds what at this moment, and the schema itself. */
const ofTheMoment = [
  'leases',
  'tend_schema',
  'replicas',
  'duties',
  'replica_views',
  'replica_messages',
]
const key = new Uint8Array(32)

const entry: AuditEntry = {
  at: 1,
  by: 'token',
  id: 'a1',
  who: 'deploy',
  address: '127.0.0.1',
  action: 'sync',
  app: 'stack:web',
  status: 202,
  detail: '',
  count: 1,
}

const happened = { at: 5, type: 'commit', text: 'a new revision', tone: 'neutral' } as const

void describe('on PostgreSQL', { skip }, () => {
  let server: Postgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.close())

  async function opened(address = server.database()): Promise<Database> {
    const database = await openPostgres(address)
    await migrate(database, address)
    return database
  }

  function partsOf(changes: Partial<LeaseParts> = {}): LeaseParts {
    const times = { heartbeat: 3000, expiry: 15_000 }
    return { monotonic, self: () => undefined, isGone, ...times, ...changes }
  }

  storeContract('PostgreSQL', async () => storeOver(await opened(), key))
  notesContract('PostgreSQL', async () => {
    const database = await opened()
    return { notes: notesOver(database), close: () => database.close() }
  })
  leasesContract('PostgreSQL', async () => {
    const database = await opened()
    return { leases: leasesOver(database, partsOf()), close: () => database.close() }
  })
  replicasContract('PostgreSQL', async () => {
    const database = await opened()
    return { database, replicas: replicasOver(database, { monotonic, expiry: 9000 }) }
  })
  replicasInTrouble(() => opened())
  fenceContract('PostgreSQL', async () => {
    const database = await opened()
    return {
      store: storeOver(database, key),
      leases: leasesOver(database, partsOf()),
      async expire(name) {
        await database.change('update leases set expires_at = 0 where key = ?', [name])
      },
    }
  })

  interleavings(async () => {
    const address = server.database()
    const [database, other] = [await opened(address), await opened(address)]
    // nobody renews the lease that is to be taken
    const leases = leasesOver(database, partsOf({ heartbeat: 60_000, expiry: 120_000 }))
    return { database, other, store: storeOver(database, key), leases }
  })

  void test('eight that open a new database together make its tables once', async () => {
    const address = server.database()
    const all = await Promise.all(Array.from({ length: 8 }, () => opened(address)))
    const numbers = await Promise.all(all.map((each) => storeOver(each, key).begin(newRun())))
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
    await Promise.all(all.map((each) => each.close()))
  })

  void test('of two connections one gets a lease, 500 times over', async () => {
    const address = server.database()
    const all = await Promise.all([opened(address), opened(address)])
    const both = all.map((each) => leasesOver(each, partsOf()))
    let inside = 0
    let entered = 0
    async function contend(index: number): Promise<void> {
      while (entered < 500) {
        const answer = await both[index]?.take('chart:web', `holder ${index}`)
        if (answer === undefined || !isLease(answer)) continue
        inside += 1
        entered += 1
        assert.equal(inside, 1)
        await new Promise((resolve) => setImmediate(resolve))
        inside -= 1
        await answer.release()
      }
    }
    await Promise.all([contend(0), contend(1)])
    await Promise.all(all.map((each) => each.close()))
  })

  void test('rows of the audit log are added by many at once and never changed', async () => {
    const database = await opened()
    const audit = auditOver(database)
    await Promise.all(Array.from({ length: 50 }, () => audit.append(entry)))
    assert.equal((await audit.read({ limit: 100 })).length, 50)
    await assert.rejects(database.change("update audit set who = 'me'"), /never changed/)
    await assert.rejects(database.change('delete from audit'), /never removed/)
    await database.close()
  })

  void test('everything moves from SQLite to PostgreSQL and back, secrets and history included', async () => {
    const one = await openSqlite(':memory:')
    await migrate(one, 'one')
    const first = storeOver(one, key)
    const secret = { ...newRun(), snapshot: snapshotOf('1.0.0', { password: 'hunter2' }) }
    for (const run of [newRun('0.9.0'), secret]) {
      const number = await first.begin(run)
      await first.append(web, number, { at: 1, type: 'opened', run: number })
      await first.end(web, number, succeeded)
    }
    await notesOver(one).write('service.app', 'stack:web', { suspended: true })
    await auditOver(one).append(entry)
    await timelineOver(one).append(happened)

    const two = await opened()
    const counts = await imported(two, exported(one), 'two')
    assert.deepEqual(counts, {
      applications: 1,
      snapshots: 2,
      runs: 2,
      events: 2,
      notes: 1,
      audit: 1,
      timeline: 1,
    })
    const three = await openSqlite(':memory:')
    await migrate(three, 'three')
    await imported(three, exported(two), 'three')
    for (const database of [two, three]) {
      const store = storeOver(database, key)
      assert.deepEqual(await store.applications(), await first.applications())
      assert.deepEqual(await store.runs(web), await first.runs(web))
      assert.deepEqual(await store.events(web, 2), await first.events(web, 2))
      assert.deepEqual(await store.snapshot(web, 2), await first.snapshot(web, 2))
      assert.deepEqual(
        [...(await notesOver(database).read('service.app'))],
        [['stack:web', { suspended: true }]],
      )
      await auditOver(database).append(entry)
      assert.equal((await auditOver(database).read({ limit: 9 })).length, 2)
      await timelineOver(database).append(happened)
      assert.deepEqual(await timelineOver(database).read({ limit: 9 }), [happened, happened])
      assert.equal(await store.begin(newRun()), 3)
      await assert.rejects(imported(database, exported(one), 'it'), /holds 1 applications already/)
    }
    await Promise.all([one, two, three].map((each) => each.close()))
  })

  void test('no table is left behind', async () => {
    const database = await openSqlite(':memory:')
    await migrate(database, ':memory:')
    const rows = await database.rows("select name from sqlite_master where type = 'table'")
    const taken = [...tables.map(({ name }) => name), ...ofTheMoment].toSorted()
    assert.deepEqual(rows.map(({ name }) => String(name)).toSorted(), taken)
    await database.close()
  })

  void test('a database that goes away is told in words, and used again when it is back', async () => {
    const address = server.database()
    const database = await opened(address)
    await server.stop()
    await assert.rejects(database.rows('select 1'), (error: unknown) => {
      assert.ok(error instanceof Problem, String(error))
      assert.equal(error.code, 'store_unusable')
      assert.equal(error.recoverable, true)
      assert.doesNotMatch(error.message, /tend@/)
      return true
    })
    await server.start()
    assert.equal((await database.rows('select 1 as one')).length, 1)
    await database.close()
  })
})
