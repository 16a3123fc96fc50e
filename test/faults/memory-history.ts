/** A store and leases in memory that write down what the checker reads: for sweeps that run in this process. */
import assert from 'node:assert/strict'
import { keyOf } from '#model/application.ts'
import type { Lease, Leases, Store } from '#model/store.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { faultsIn, type Write } from './history.ts'

export type WatchedMemory = {
  readonly store: Store
  readonly leases: Leases
  /** A sweep may ask for the same again; everything else that may never be is a failure. */
  check(where: string): void
}

export function watchedMemory(): WatchedMemory {
  const [store, leases] = [memoryStore(), memoryLeases(() => Date.now())]
  const history: Write[] = []
  const generations = new Map<string, number>()

  function wrote(of: 'begin' | 'event' | 'end', key: string, run: number): void {
    const generation = generations.get(`${key} ${run}`) ?? 0
    history.push({ of, key, run, generation, at: Date.now() })
  }

  return {
    store: {
      ...store,
      async begin(run) {
        const number = await store.begin(run)
        const key = keyOf(run.application)
        generations.set(`${key} ${number}`, run.generation ?? 0)
        wrote('begin', key, number)
        return number
      },
      async append(application, run, event) {
        await store.append(application, run, event)
        if (event.type !== 'progress') wrote('event', keyOf(application), run)
      },
      async end(application, run, result) {
        await store.end(application, run, result)
        wrote('end', keyOf(application), run)
      },
    },
    leases: {
      async take(key, holder) {
        const taken = await leases.take(key, holder)
        if (!('release' in taken)) return taken
        const lease: Lease = taken
        const { generation } = lease
        function held(token: string, expiresAt: number): void {
          history.push({ of: 'lease', key, token, generation, expiresAt, at: Date.now() })
        }
        held(`${key} ${generation}`, Infinity)
        async function release(): Promise<void> {
          await lease.release()
          held('', 0)
        }
        return { ...lease, release }
      },
    },
    check(where) {
      assert.deepEqual(faultsIn(history), [], where)
    },
  }
}
