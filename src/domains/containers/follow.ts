/** What happens to this application's objects, as it happens; through breaks of the connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ref } from '#model/ref.ts'

const firstDelay = 100
const longestDelay = 5_000

/** Ends only when it is told to. After each break it says '': anything may have happened in between. */
export async function* follow<Event>(
  listen: () => Promise<AsyncIterable<Event>>,
  refOf: (event: Event) => Ref | undefined,
  signal: AbortSignal,
): AsyncIterable<Ref> {
  let delay = firstDelay
  while (!signal.aborted) {
    try {
      const events = await listen()
      delay = firstDelay
      yield ''
      for await (const event of events) {
        const ref = refOf(event)
        if (ref !== undefined) yield ref
      }
    } catch {
      // it is tried again below
    }
    if (signal.aborted) return
    await sleep(delay, undefined, { signal }).catch(() => undefined)
    delay = Math.min(delay * 2, longestDelay)
  }
}
