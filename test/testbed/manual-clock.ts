/** A clock that only moves when it is told to. */
import type { Clock } from '#model/clock.ts'

export type ManualClock = Clock & {
  advance(milliseconds: number): void
  /** Resolves once so many wait on it. */
  sleeping(count: number): Promise<void>
}

export function manualClock(start = Date.parse('2026-01-02T03:04:05Z')): ManualClock {
  let now = start
  const sleepers = new Set<{ readonly until: number; wake(): void }>()
  const watching = new Set<() => void>()
  function changed(): void {
    for (const look of watching) look()
  }
  return {
    now: () => now,
    random: () => 0,
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        const leave = () => {
          sleepers.delete(sleeper)
          changed()
        }
        const stop = () => {
          leave()
          reject(signal.reason)
        }
        const sleeper = {
          until: now + milliseconds,
          wake() {
            signal.removeEventListener('abort', stop)
            leave()
            resolve()
          },
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        sleepers.add(sleeper)
        changed()
      })
    },
    advance(milliseconds) {
      now += milliseconds
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake()
    },
    sleeping(count) {
      return new Promise((resolve) => {
        const look = () => {
          if (sleepers.size !== count) return
          watching.delete(look)
          resolve()
        }
        watching.add(look)
        look()
      })
    },
  }
}
