/** Wakes who waits for something to happen. */
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import type { Clock } from '#model/clock.ts'

export type Bell = {
  ring(): void
  /** Resolves when it is rung, at once if it was since the last time, or after so many ms. */
  next(longest: number, stop: AbortSignal): Promise<void>
}

export function createBell(clock: Pick<Clock, 'sleep'>): Bell {
  let hasRung = false
  let waiting: AbortController | undefined
  return {
    ring() {
      hasRung = true
      waiting?.abort()
    },
    async next(longest, stop) {
      if (!hasRung) {
        waiting = new AbortController()
        await sleepOrStop(clock, longest, AbortSignal.any([stop, waiting.signal]))
        waiting = undefined
      }
      hasRung = false
    },
  }
}
