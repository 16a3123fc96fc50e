/** What replicas do where answers of the database are lost, or where it is far away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '#store/database.ts'
import { leasesOver } from '#store/leases.ts'
import { replicasOver } from '#store/replicas.ts'
import { isLease, leaseOf } from './leases.ts'
import { factsOf, said, web } from './replicas.ts'

const times = { monotonic: () => performance.now(), expiry: 9_000 }

export function replicasInTrouble(make: () => Promise<Database>): void {
  void test('one that stands still in the middle of an exchange keeps nobody from living on', async () => {
    const database = await make()
    const other = await replicasOver(database, times).join(factsOf('two'))
    await other.exchange(said('two'))
    const [stands, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const paused = database.transaction(async (inside) => {
      for (const sql of database.words.lockReplicas) await inside.rows(sql)
      stands.resolve()
      await goesOn.promise
      await inside.rows('select 1')
    })
    await stands.promise
    const began = performance.now()
    await other.exchange(said('two', { messages: [{ at: 1 }] }))
    assert.ok(performance.now() - began < times.expiry)
    assert.equal(other.isHeld(), true)
    goesOn.resolve()
    await assert.rejects(paused, /stood still|can't be reached/)
    await other.leave()
    await database.close()
  })

  void test('a lease whose holder stands still in the middle of a write can be taken when it is over', async () => {
    const database = await make()
    const terms = { heartbeat: 60_000, expiry: 5_000 }
    const process = { monotonic: () => performance.now(), self: () => undefined }
    const leases = leasesOver(database, { ...process, isGone: () => false, ...terms })
    const first = leaseOf(await leases.take('stack:web', 'first'))
    const [stands, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const paused = database.transaction(async (inside) => {
      const sql = `select generation from leases where key = 'stack:web' ${database.words.lockRead}`
      await inside.rows(sql)
      stands.resolve()
      await goesOn.promise
      await inside.rows('select 1')
    })
    await stands.promise
    const began = performance.now()
    let taken = await leases.take('stack:web', 'second')
    while (!isLease(taken)) taken = await leases.take('stack:web', 'second')
    assert.ok(performance.now() - began < 9_000, `${performance.now() - began} ms`)
    assert.ok(taken.generation > first.generation)
    goesOn.resolve()
    await assert.rejects(paused, /stood still|can't be reached/)
    await taken.release()
    await database.close()
  })

  void test('slots that were given or taken by an exchange without an answer are not lost', async () => {
    const database = await make()
    let isLost = false
    const one = await replicasOver(
      {
        ...database,
        async transaction(work) {
          const done = await database.transaction(work)
          if (isLost) throw new Error('the answer is lost')
          return done
        },
      },
      times,
    ).join(factsOf('one'))
    const other = await replicasOver(database, times).join(factsOf('two'))
    await one.exchange(said('one'))
    isLost = true
    await assert.rejects(one.exchange(said('one', { wants: 4 })), /is lost/)
    isLost = false
    // it does not know of them, and wants them no more
    assert.equal((await one.exchange(said('one'))).slots, 0)
    assert.equal((await other.exchange(said('two', { wants: 4 }))).slots, 4)
    await Promise.all([one.leave(), other.leave()])
    await database.close()
  })

  void test('what was heard is told though old messages could not be removed', async () => {
    const database = await make()
    let now = 0
    const leading = await replicasOver(
      {
        ...database,
        async change(sql, cells) {
          if (sql.startsWith('delete')) throw new Error('no answer came')
          return database.change(sql, cells)
        },
      },
      { monotonic: () => now, expiry: 1e9 },
    ).join(factsOf('one'))
    const other = await replicasOver(database, times).join(factsOf('two'))
    assert.equal((await leading.exchange(said('one'))).leader, leading.id)
    await other.exchange(
      said('two', { changes: [{ ...web, from: undefined, holder: leading.id }] }),
    )
    now = 70_000
    const { duties } = await leading.exchange(said('one'))
    assert.deepEqual(duties, [{ ...web, holder: leading.id }])
    await Promise.all([leading.leave(), other.leave()])
    await database.close()
  })

  void test('what thousands of applications show takes a few dozen statements', async () => {
    const database = await make()
    let count = 0
    const one = await replicasOver(
      {
        ...database,
        transaction: (work) =>
          database.transaction((inside) =>
            work({
              rows: (sql, cells) => ((count += 1), inside.rows(sql, cells)),
              change: (sql, cells) => ((count += 1), inside.change(sql, cells)),
            }),
          ),
      },
      times,
    ).join(factsOf('one'))
    await one.exchange(said('one'))
    const shown = Array.from({ length: 5_000 }, (_, at) => ({ key: `app ${at}`, body: { at } }))
    const bodies = shown.map(({ key, body }) => ({ shown: key, body }))
    count = 0
    await one.exchange(said('one', { shown, messages: bodies }))
    assert.ok(count < 100, `${count} statements`)
    assert.equal((await one.shown()).size, 5_000)
    count = 0
    await one.exchange(said('one', { shown: shown.map(({ key }) => ({ key, body: undefined })) }))
    assert.ok(count < 100, `${count} statements`)
    assert.equal((await one.shown()).size, 0)
    await one.leave()
    await database.close()
  })
}
