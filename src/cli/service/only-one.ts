/** Allows one service for each home: two that share one would undo each other's work. */
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import type { Holder, Lease, Leases } from '#model/store.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'

export type OnlyOne = {
  /** Is aborted when another service has taken over, because this one was silent for too long. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

type OnlyOneParts = {
  readonly leases: Leases
  readonly holder: string
  readonly clock: Pick<Clock, 'sleep'>
  /** The problem that names the service which has the place. */
  refusal(by: Holder): Problem
}

const again = 3_000
/** So many tries, because an own lease from before the clock was set may still stand there. */
const mostTries = 10

/** Throws when another service has the lease. A lease that was lost because the disk was full is taken again when there is room. */
export async function onlyOne(parts: OnlyOneParts): Promise<OnlyOne> {
  const { leases, holder } = parts
  const taken = await leases.take('service', holder)
  if (!('release' in taken)) throw parts.refusal(taken)
  const ends = new AbortController()
  const lost = new AbortController()
  let lease = taken
  const kept = keep()

  async function keep(): Promise<void> {
    for (;;) {
      await until(AbortSignal.any([lease.lost, ends.signal]))
      if (ends.signal.aborted) return
      const next = await takenAgain(parts, ends.signal)
      if (next === undefined) return
      if (!('release' in next)) return lost.abort(parts.refusal(next))
      lease = next
    }
  }

  return {
    lost: lost.signal,
    async release() {
      ends.abort()
      await kept
      await lease.release()
    },
  }
}

/** Undefined when the service is told to end before. */
async function takenAgain(
  { leases, holder, clock }: OnlyOneParts,
  end: AbortSignal,
): Promise<Lease | Holder | undefined> {
  for (let tries = 1; !end.aborted; tries++) {
    // a database that is away is asked again
    const found = await leases.take('service', holder).catch(() => undefined)
    if (found !== undefined) {
      const isOwn = !('release' in found) && found.name === holder && tries < mostTries
      if (!isOwn) return found
    }
    await sleepOrStop(clock, again, end)
  }
  return undefined
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
