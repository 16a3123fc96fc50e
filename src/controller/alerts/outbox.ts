/** Sends one after another, tries again for a while, and never keeps anybody waiting who hands something in. */
import type { Clock } from '#model/clock.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { defined } from '#model/defined.ts'

export type Outbox<Item> = {
  /** A newer one of the same key takes the place of one that still waits. */
  put(key: string, item: Item): void
  /** Ends when all that was put is sent or given up. */
  idle(): Promise<void>
  /** Those that wait are somebody else's to send. What is being sent at this moment is not tried again. */
  drop(isMeant: (item: Item) => boolean): void
  close(): void
}

type OutboxWays<Item> = {
  send(item: Item, signal: AbortSignal): Promise<void>
  sent(key: string, item: Item): void
  /** It is not tried again. */
  gaveUp(key: string, item: Item, problem: Problem | 'too many'): void
}

export const attempts = 10
const longest = 300_000

export function outbox<Item>(most: number, clock: Clock, ways: OutboxWays<Item>): Outbox<Item> {
  const waiting = new Map<string, Item>()
  const closing = new AbortController()
  let work: Promise<void> | undefined
  let current: { readonly item: Item; isDropped: boolean } | undefined

  async function go(): Promise<void> {
    for (;;) {
      const [next] = waiting
      if (next === undefined || closing.signal.aborted) break
      waiting.delete(next[0])
      await sendOne(...next)
    }
    work = undefined
  }

  async function sendOne(key: string, item: Item): Promise<void> {
    const sending = { item, isDropped: false }
    current = sending
    for (let attempt = 1; ; attempt++) {
      try {
        await ways.send(item, closing.signal)
        return ways.sent(key, item)
      } catch (thrown) {
        if (closing.signal.aborted || sending.isDropped) return
        const problem = problemOf(thrown)
        // what is newer says more
        if (waiting.has(key)) return
        if (!problem.recoverable || attempt >= attempts) return ways.gaveUp(key, item, problem)
        const step = Math.min(1_000 * 2 ** (attempt - 1), longest)
        await sleepOrStop(clock, step / 2 + (step / 2) * clock.random(), closing.signal)
        if (closing.signal.aborted || sending.isDropped) return
      }
    }
  }

  return {
    put(key, item) {
      if (closing.signal.aborted) return
      waiting.delete(key)
      waiting.set(key, item)
      if (waiting.size > most) {
        const [oldest] = waiting
        waiting.delete(defined(oldest)[0])
        ways.gaveUp(...defined(oldest), 'too many')
      }
      // begun in a later turn, so that who puts never waits, nor hears a fault of it
      work ??= Promise.resolve().then(go)
    },
    async idle() {
      while (work !== undefined) await work
    },
    drop(isMeant) {
      for (const [key, item] of waiting) if (isMeant(item)) waiting.delete(key)
      if (current !== undefined && isMeant(current.item)) current.isDropped = true
    },
    close: () => closing.abort(),
  }
}
