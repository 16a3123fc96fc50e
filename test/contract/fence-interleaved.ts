/** Two connections at one moment: a write of a run and the taking of its lease, each held open while the other one comes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { keyOf } from '#model/application.ts'
import type { Database } from '#store/database.ts'
import type { Leases, Store } from '#model/store.ts'
import { waitFor } from '../testbed/serving.ts'
import { isTakenOver } from './fence.ts'
import { isLease, leaseOf } from './leases.ts'
import { newRun, succeeded, web } from './store.ts'

export type Interleaved = {
  readonly database: Database
  /** For holding back; on a connection of its own. */
  readonly other: Database
  readonly store: Store
  readonly leases: Leases
}

const key = keyOf(web)
const late = { at: 2, type: 'warning', text: 'late' } as const

type Writing = {
  readonly table: 'events' | 'runs'
  readonly write: (store: Store, run: number, generation: number) => Promise<unknown>
}

const writings: Readonly<Record<string, Writing>> = {
  'an event': { table: 'events', write: (store, run) => store.append(web, run, late) },
  'an end': { table: 'runs', write: (store, run) => store.end(web, run, succeeded) },
  'a begin': {
    table: 'runs',
    write: (store, _, generation) => store.begin({ ...newRun(), generation }),
  },
}

export function interleavings(make: () => Promise<Interleaved>): void {
  for (const [name, { table, write }] of Object.entries(writings)) {
    void test(`nobody takes a lease while ${name} is being written, and nobody waits for that`, async () => {
      const { database, other, store, leases } = await make()
      const { run, generation } = await begun(database, store, leases)
      await holdWrites(database, table)
      const writing = await other.transaction(async (held) => {
        await held.rows('select pg_advisory_xact_lock(7)')
        const one = write(store, run, generation)
        await waits(other, 'advisory')
        const asked = await Promise.race([leases.take(key, 'second'), setTimeout(10_000)])
        assert.ok(asked !== undefined, 'it waited for the write')
        assert.ok(!isLease(asked), 'the lease was taken while a write of its run was under way')
        assert.equal(asked.name, 'first')
        // what is written can't be waited for in here: it ends when this one does
        return { one }
      })
      await writing.one
      const lease = leaseOf(await leases.take(key, 'second'))
      assert.equal(lease.generation, generation + 1)
      await lease.release()
      await Promise.all([database.close(), other.close()])
    })

    void test(`${name} that waits for who takes the lease is refused`, async () => {
      const { database, other, store, leases } = await make()
      const { run, generation } = await begun(database, store, leases)
      const writing = await other.transaction(async (held) => {
        const sql = "update leases set generation = generation + 1, token = 'x' where key = ?"
        await held.change(sql, [key])
        const one = assert.rejects(write(store, run, generation), isTakenOver)
        await waits(database, 'transactionid')
        return { one }
      })
      await writing.one
      assert.equal((await store.runs(web)).length, 1)
      assert.equal((await store.runs(web))[0]?.outcome, undefined)
      assert.deepEqual(await store.events(web, run), [])
      await Promise.all([database.close(), other.close()])
    })
  }
}

/** A run under a lease that the next one may take. */
async function begun(
  database: Database,
  store: Store,
  leases: Leases,
): Promise<{ readonly run: number; readonly generation: number }> {
  const { generation } = leaseOf(await leases.take(key, 'first'))
  const run = await store.begin({ ...newRun(), generation })
  await database.change('update leases set expires_at = 0 where key = ?', [key])
  return { run, generation }
}

/** After its check, and before it is over, a write to the table waits for whoever has the lock. */
async function holdWrites(database: Database, table: string): Promise<void> {
  await database.change(
    `create function held_back() returns trigger language plpgsql as $$ begin
       perform pg_advisory_xact_lock(7); return null; end $$`,
  )
  await database.change(
    `create trigger held_back after insert or update on ${table}
     for each row execute function held_back()`,
  )
}

async function waits(database: Database, event: 'advisory' | 'transactionid'): Promise<void> {
  const sql = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = ?`
  await waitFor(async () => (await database.rows(sql, [event])).length > 0, 10_000)
}
