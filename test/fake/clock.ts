/** A clock that runs only when somebody sleeps. */
import type { Clock } from '#model/clock.ts'

export function fakeClock(): Clock {
  let now = Date.UTC(2026, 0, 1)
  return {
    now: () => now,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted()
      const until = now + milliseconds
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      now = Math.max(now, until)
    },
    random: () => 0.5,
  }
}
