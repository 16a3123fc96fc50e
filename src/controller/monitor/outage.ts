/** The time in which an engine can't be reached: told once when it begins and once when it ends, and how long each try waits. */
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import type { Log } from '#model/log.ts'

type Outage = {
  /** Why the engine can't be seen; undefined while it can. */
  problem(): Problem | undefined
  /** Since when it is away, or back, ms. */
  since(): number
  /** A try failed. `isSlow`: the engine answered a ping, but a round of lists took too long. */
  failed(problem: Problem, isSlow: boolean): void
  /** A round of lists came through. Gives whether an outage ended with it. */
  succeeded(): boolean
  /** Until the next try, ms. */
  pause(): number
  /** How long a round of lists may take, ms. */
  patience(): number
}

const firstPause = 1_000
/** A ping costs next to nothing, so an engine that is back is found within this time, ms. */
const longestPause = 5_000
/** A round of lists that took too long has cost the engine much, ms. */
const longestPauseWhenSlow = 15_000
/** Pings tell within seconds that an engine hangs; lists of many applications may take longer than that, ms. */
const firstPatience = 20_000
const longestPatience = 80_000

export function outageOf(
  address: () => string,
  clock: Pick<Clock, 'now'>,
  log: Log | undefined,
): Outage {
  let problem: Problem | undefined
  let since = clock.now()
  let tries = 0
  let slowLooks = 0

  return {
    problem: () => problem,
    since: () => since,
    failed(why, isSlow) {
      if (problem === undefined) {
        since = clock.now()
        const facts = { engine: address(), since: new Date(since).toISOString() }
        log?.('error', "the engine can't be reached", { ...facts, why: why.message })
      }
      problem = why
      tries += 1
      if (isSlow) slowLooks += 1
    },
    succeeded() {
      const wasAway = problem !== undefined
      if (wasAway) {
        const seconds = Math.round((clock.now() - since) / 100) / 10
        log?.('info', 'the engine can be reached again', { engine: address(), seconds, tries })
        since = clock.now()
      }
      problem = undefined
      tries = 0
      slowLooks = 0
      return wasAway
    },
    pause() {
      const longest = slowLooks > 0 ? longestPauseWhenSlow : longestPause
      return Math.min(firstPause * 2 ** Math.max(0, tries - 1), longest)
    },
    patience: () => Math.min(firstPatience * 2 ** slowLooks, longestPatience),
  }
}

export function isLate(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'TimeoutError'
}

export function silent(address: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `the engine at ${address} does not answer`,
    suggestion: 'look after it: systemctl status docker',
    recoverable: true,
  })
}
