/** The turns of the scheduler: one when something happened, one when time has come, and a pause where turns take long. */
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import type { Clock } from '#model/clock.ts'

export type Turns = {
  /** Something happened: the next turn comes now. */
  wake(): void
  /** Takes turns until the signal. `turn` gives when the next one is due if nothing happens before, ms. */
  take(turn: () => number): Promise<void>
}

/** A clock that is set makes nothing wait longer than this. */
const longestSleep = 30_000
/** The longest pause after a turn that took long, ms. */
const longestRest = 250

export function createTurns(clock: Clock, stop: AbortSignal): Turns {
  let ring: (() => void) | undefined
  let hasRung = false

  /** Until then, or until something happens. */
  async function sleepUntil(time: number): Promise<void> {
    if (hasRung) return
    const woken = new AbortController()
    ring = () => woken.abort()
    const signal = AbortSignal.any([woken.signal, stop])
    await sleepOrStop(clock, Math.max(0, time - clock.now()), signal)
    ring = undefined
  }

  return {
    wake() {
      hasRung = true
      ring?.()
    },
    async take(turn) {
      while (!stop.aborted) {
        hasRung = false
        const began = clock.now()
        const due = turn()
        const now = clock.now()
        // a turn goes through all applications, and of thousands something happens all the time: a fifth of the time is for turns
        const rest = Math.min(4 * (now - began), longestRest)
        if (rest > 0) await sleepOrStop(clock, rest, stop)
        await sleepUntil(Math.min(due, now + longestSleep))
      }
    },
  }
}
