/** What a store and leases over one database do together: a run whose lease another one took writes nothing any more. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyOf } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { Leases, Store } from '#model/store.ts'
import { leaseOf } from './leases.ts'
import { newRun, succeeded, web } from './store.ts'

export type Fenced = {
  readonly store: Store
  readonly leases: Leases
  /** As if its holder had not been heard of for long. */
  readonly expire: (key: string) => Promise<void>
}

export function isTakenOver(error: unknown): boolean {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.code, 'held')
  assert.match(error.message, /of chart:web was taken over/)
  return true
}

export function fenceContract(name: string, make: () => Promise<Fenced>): void {
  void describe(`${name} as a fence`, () => {
    void test('a run whose lease another one took writes nothing any more', async () => {
      const { store, leases, expire } = await make()
      const key = keyOf(web)
      const first = leaseOf(await leases.take(key, 'first'))
      const run = await store.begin({ ...newRun(), generation: first.generation })
      await store.append(web, run, { at: 1, type: 'opened', run })
      await expire(key)
      const second = leaseOf(await leases.take(key, 'second'))
      assert.ok(second.generation > first.generation)

      const late = { at: 2, type: 'warning', text: 'late' } as const
      await assert.rejects(store.append(web, run, late), isTakenOver)
      await assert.rejects(store.end(web, run, succeeded), isTakenOver)
      const again = { ...newRun(), generation: first.generation }
      await assert.rejects(store.begin(again), isTakenOver)
      assert.deepEqual(
        (await store.events(web, run)).map(({ at }) => at),
        [1],
      )
      assert.equal((await store.runs(web))[0]?.outcome, undefined)

      const next = await store.begin({ ...newRun(), generation: second.generation })
      await store.append(web, next, { at: 3, type: 'opened', run: next })
      await store.end(web, next, succeeded)
      assert.equal((await store.runs(web))[0]?.outcome, 'succeeded')
      await second.release()
      await store.close()
    })
  })
}
