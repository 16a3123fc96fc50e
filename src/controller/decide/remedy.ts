/** What is done for an application that is not well: from facts alone. */
import type { HealthState } from '#model/assessment.ts'

export type RemedyFacts = {
  readonly now: number
  readonly policy: 'restart' | 'rollback' | 'alert'
  readonly state: HealthState
  /** Since when it is so, ms. */
  readonly since: number
  /** Containers that are there and could be restarted. */
  readonly restartable: number
  /** The engine itself starts it again and again: restarts are no help. */
  readonly isLooping: boolean
  /** Repairs of what is in force failed again and again. */
  readonly isInVain: boolean
  /** What it got so far, of what is in force. */
  readonly before:
    | { readonly count: number; readonly at: number; readonly isOver?: boolean | undefined }
    | undefined
  /** Until when what is in force is on probation, ms. */
  readonly probationUntil: number
  /** There may be an earlier state to go back to, and going back by itself is allowed. */
  readonly mayRollBack: boolean
  readonly pace: RemedyPace
}

export type RemedyPace = {
  /** After how many ms since the one before each restart comes; when they are used up, restarts do not hold. */
  readonly pauses: readonly number[]
  /** What the engine restarts by itself is given so long, ms. */
  readonly grace: number
  /** What is well for so long needs no more help, ms. */
  readonly proof: number
}

export const usualPace: RemedyPace = { pauses: [0, 10_000, 30_000], grace: 60_000, proof: 60_000 }

export type Remedy = {
  readonly what: 'restart' | 'rollback' | 'give up' | 'well again' | undefined
  /** When to ask again if nothing happens before, ms. */
  readonly until?: number
}

export function remedyFor(facts: RemedyFacts): Remedy {
  const { now, state, since, before, policy, pace } = facts
  if (state === 'healthy') return wellAgain(facts)
  // what is not well yet, or can't be seen, is waited for
  if (state !== 'failed' && state !== 'degraded') return { what: undefined }
  if (before?.isOver === true) return { what: undefined }
  if (policy === 'alert') return { what: 'give up' }
  const isOnProbation = now < facts.probationUntil && facts.mayRollBack
  if (policy === 'rollback' && isOnProbation) return { what: 'rollback' }
  const last: Remedy = { what: isOnProbation ? 'rollback' : 'give up' }
  if (facts.isInVain) return last
  if (facts.isLooping) return laterOr(since + pace.grace, now, last)
  if (facts.restartable === 0) return laterOr(since + pace.grace, now, last)
  const count = before?.count ?? 0
  const pause = pace.pauses[count]
  if (pause === undefined) return last
  return laterOr((before?.at ?? since) + pause, now, { what: 'restart' })
}

function laterOr(at: number, now: number, then: Remedy): Remedy {
  return now >= at ? then : { what: undefined, until: at }
}

/** Counts of help begin anew only when it held. */
function wellAgain({ before, since, now, pace }: RemedyFacts): Remedy {
  if (before === undefined) return { what: undefined }
  return laterOr(Math.max(since, before.at) + pace.proof, now, { what: 'well again' })
}
