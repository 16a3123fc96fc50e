/** The one place that tries again: recoverable problems back off exponentially with jitter, others fail at once. */
import type { Clock } from '#model/clock.ts'
import { problemOf, type Problem } from '#model/problem.ts'

export const attempts = 4
const firstDelay = 300
const growth = 3
const longestDelay = 5_000
/** How often a conflict is tried again. Somebody who writes to the same thing all the time is outrun by trying often, not by waiting long. */
const conflictAttempts = 10
const [firstConflictDelay, conflictGrowth] = [100, 1.5]

type Again = { readonly problem: Problem; readonly attempt: number; readonly delay: number }

/** `onAgain` hears of every attempt that failed but the last, so that none is lost. Throws the last problem. */
export async function retried<Result>(
  work: (attempt: number) => Promise<Result>,
  clock: Clock,
  signal: AbortSignal,
  onAgain: (again: Again) => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (thrown) {
      const problem = problemOf(thrown)
      const isOutrun = problem.code === 'conflict'
      const most = isOutrun ? conflictAttempts : attempts
      if (!problem.recoverable || attempt >= most || signal.aborted) throw problem
      const delay = isOutrun
        ? half(firstConflictDelay * conflictGrowth ** (attempt - 1), clock.random())
        : delayOf(attempt, clock.random())
      onAgain({ problem, attempt, delay })
      try {
        await clock.sleep(delay, signal)
      } catch {
        throw problem
      }
    }
  }
}

export function delayOf(attempt: number, random: number): number {
  return half(Math.min(firstDelay * growth ** (attempt - 1), longestDelay), random)
}

/** Half of the pause is certain, half is chance, so that many that failed together do not come back together. */
function half(step: number, random: number): number {
  return Math.round(step / 2 + (step / 2) * random)
}
