/** What replicas that share a database do to each other, whatever it is. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { Exchange, Membership, ReplicaFacts, Replicas } from '#model/replicas.ts'
import type { Database } from '#store/database.ts'

export function factsOf(name: string, changes: Partial<ReplicaFacts> = {}): ReplicaFacts {
  return { name, url: `http://${name}`, host: name, offers: [], wants: 0, ...changes }
}

export function said(
  name: string,
  changes: Partial<Exchange> & { readonly wants?: number } = {},
): Exchange {
  const { wants = 0, ...rest } = changes
  const nothing = { changes: [], ended: [], messages: [], shown: [] }
  return {
    self: factsOf(name, { wants }),
    ...nothing,
    concurrency: 4,
    running: 0,
    hasEnded: false,
    ...rest,
  }
}

export const web = { key: 'stack:web', target: 'stack unix:///a', engine: 'e1', host: 'h1' }

function isOthers(error: unknown): boolean {
  assert.ok(error instanceof Problem, String(error))
  assert.match(error.message, /another replica looks after stack:web by now/)
  return error.code === 'held'
}

export function replicasContract(
  name: string,
  make: () => Promise<{ readonly database: Database; readonly replicas: Replicas }>,
): void {
  void describe(`${name} as replicas`, () => {
    function behaves(
      how: string,
      work: (one: Membership, other: Membership, database: Database) => Promise<void>,
    ): void {
      void test(how, async () => {
        const { database, replicas } = await make()
        const members = [await replicas.join(factsOf('one')), await replicas.join(factsOf('two'))]
        try {
          const [one, other] = members
          assert.ok(one !== undefined && other !== undefined)
          await one.exchange(said('one'))
          await other.exchange(said('two'))
          await work(one, other, database)
        } finally {
          for (const each of members) await each.leave()
          await database.close()
        }
      })
    }

    behaves('see each other, and agree on who leads', async (one, other) => {
      const [mine, its] = [await one.exchange(said('one')), await other.exchange(said('two'))]
      assert.deepEqual(mine.replicas.map(({ name: who }) => who).toSorted(), ['one', 'two'])
      assert.equal(mine.leader, one.id)
      assert.equal(its.leader, one.id)
      await one.leave()
      const later = await other.exchange(said('two'))
      assert.equal(later.leader, other.id)
      assert.deepEqual(
        later.replicas.map(({ name: who }) => who),
        ['two'],
      )
    })

    behaves(
      'of two who take the same duty one gets it, and both hear of it',
      async (one, other) => {
        const mine = await one.exchange(
          said('one', { changes: [{ ...web, from: undefined, holder: one.id }] }),
        )
        const its = await other.exchange(
          said('two', { changes: [{ ...web, from: undefined, holder: other.id }] }),
        )
        assert.deepEqual(mine.duties, [{ ...web, holder: one.id }])
        assert.deepEqual(its.duties, [{ ...web, holder: one.id }])
        const stolen = { ...web, from: '', holder: other.id }
        assert.deepEqual((await other.exchange(said('two', { changes: [stolen] }))).duties, [])
        await one.exchange(said('one', { changes: [{ ...web, from: one.id, holder: '' }] }))
        const taken = await other.exchange(said('two', { changes: [stolen] }))
        assert.deepEqual(taken.duties, [{ ...web, holder: other.id }])
        const heard = await one.exchange(said('one'))
        assert.deepEqual(heard.duties, [{ ...web, holder: other.id }])
        const ended = await other.exchange(said('two', { ended: [web.key] }))
        assert.deepEqual([ended.duties, ended.endedDuties], [[], [web.key]])
      },
    )

    behaves(
      'what one remembers of a duty that another has by now is refused',
      async (one, other, database) => {
        const kept = async () => {
          const rows = await database.rows("select body from notes where topic = 'service.app'")
          return rows.map(({ body }) => String(body))
        }
        await assert.rejects(one.keep(web.key, 'service.app', { at: 0 }), isOthers)
        await one.exchange(said('one', { changes: [{ ...web, from: undefined, holder: one.id }] }))
        await one.keep(web.key, 'service.app', { at: 1 })
        await one.keep(web.key, 'service.app', { at: 2 })
        assert.deepEqual(await kept(), ['{"at":2}'])
        await assert.rejects(other.keep(web.key, 'service.app', { at: 3 }), isOthers)
        const taken = { ...web, from: one.id, holder: other.id }
        await other.exchange(said('two', { changes: [taken] }))
        await other.keep(web.key, 'service.app', { at: 4 })
        // it woke up late, and does not know yet
        await assert.rejects(one.keep(web.key, 'service.app', { at: 5 }), isOthers)
        await one.keep(web.key, 'service.app', undefined)
        assert.deepEqual(await kept(), ['{"at":4}'])
        await other.keep(web.key, 'service.app', undefined)
        assert.deepEqual(await kept(), [])
      },
    )

    behaves(
      'what one tells the others hear once, in order; what it shows stays',
      async (one, other) => {
        const many = Array.from({ length: 450 }, (_, at) => ({ at }))
        await one.exchange(said('one', { messages: many, shown: [{ key: 'k', body: { a: 1 } }] }))
        const { messages } = await other.exchange(said('two'))
        assert.deepEqual(
          messages.map(({ body }) => body),
          many,
        )
        assert.equal(messages[0]?.from, one.id)
        assert.deepEqual((await other.exchange(said('two'))).messages, [])
        assert.deepEqual((await one.exchange(said('one'))).messages, [])
        assert.deepEqual([...(await other.shown())], [['k', { a: 1 }]])
        await one.exchange(said('one', { shown: [{ key: 'k', body: undefined }] }))
        assert.deepEqual([...(await other.shown())], [])
      },
    )

    behaves('never have more runs under way together than allowed', async (one, other) => {
      const all = await one.exchange(said('one', { wants: 9 }))
      assert.equal(all.slots, 4)
      const none = await other.exchange(said('two', { wants: 9 }))
      assert.equal(none.slots, 0)
      // all four are under way: nothing is taken from them
      assert.equal((await one.exchange(said('one', { wants: 5, running: 4 }))).slots, 4)
      // the first two have ended, and the other one waits
      assert.equal((await one.exchange(said('one', { wants: 5, running: 2 }))).slots, 2)
      assert.equal((await other.exchange(said('two', { wants: 9 }))).slots, 2)
      assert.equal((await one.exchange(said('one'))).slots, 0)
      assert.equal((await other.exchange(said('two', { wants: 9, running: 2 }))).slots, 4)
    })

    behaves(
      'one that was silent for too long is gone, and hears so',
      async (one, other, database) => {
        await one.exchange(said('one', { changes: [{ ...web, from: undefined, holder: one.id }] }))
        await database.change('update replicas set expires_at = 0 where id = ?', [one.id])
        const left = await other.exchange(said('two'))
        assert.deepEqual(
          left.replicas.map(({ name: who }) => who),
          ['two'],
        )
        await assert.rejects(one.exchange(said('one')), /no longer counts as alive/)
        assert.equal(one.lost.aborted, true)
        assert.equal(one.isHeld(), false)
      },
    )

    behaves('do nothing beside a service of an earlier version', async (one, other, database) => {
      const sql = `update leases set token = 'another', holder = 'tend serve (pid 7)'
        where key = 'service'`
      await database.change(sql)
      for (const [each, who] of [
        [one, 'one'],
        [other, 'two'],
      ] as const) {
        assert.equal((await each.exchange(said(who))).alone, 'tend serve (pid 7)')
      }
      await database.change("update leases set expires_at = 0 where key = 'service'")
      assert.equal((await other.exchange(said('two'))).leader, other.id)
      assert.equal((await one.exchange(said('one'))).leader, other.id)
    })
  })
}
