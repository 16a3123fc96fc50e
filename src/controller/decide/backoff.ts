/** How long to wait after a failure, and what a failure means for the next try. */
import type { Outcome } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'

const first = 1_000
const longest = 5 * 60_000
/** Tries of one revision that fail for a passing reason. */
export const mostTries = 5

/** Doubles each time. Half is certain, half is chance: many that failed together do not come back together. */
export function backoff(failures: number, random: number): number {
  const step = Math.min(first * 2 ** Math.max(0, failures - 1), longest)
  return Math.round(step / 2 + (step / 2) * random)
}

/** Of a log, in what is remembered. */
const mostLines = 10

export type Failure = {
  /** Of what was wanted; another one begins anew. */
  readonly hash: string
  /** What was tried. */
  readonly revision?: string | undefined
  readonly tries: number
  readonly at: number
  readonly reason: string
  /** Of its problem; a repair that comes after it has another one. */
  readonly code?: string | undefined
  readonly details?: readonly string[] | undefined
  readonly isRolledBack: boolean
  /** It was refused before anything was touched. */
  readonly isUntouched?: boolean | undefined
  /** It was applied, was not well, and what ran before was put back: it is not tried again by itself. */
  readonly wentBack?: boolean | undefined
  /** All was applied; what is no longer declared could not be removed. */
  readonly isPruning?: boolean | undefined
  /** It passes by itself: tried again at `nextTry`. Otherwise not before then, and only when something changed. */
  readonly isPassing: boolean
  readonly nextTry: number
  /** How often the runtime had changed by then. */
  readonly epoch: number
  /** Of what ends again and again: when it counts as well, if it holds until then. */
  readonly provenAt?: number | undefined
}

export type Ended = {
  readonly outcome: Outcome
  readonly isRolledBack: boolean
  readonly problem: ProblemFacts | undefined
  /** The problem is one of a removal. */
  readonly isPruning?: boolean | undefined
}

/** What a run that ended leaves behind; undefined when it went well, or was only cut short. */
export function failureAfter(
  before: Failure | undefined,
  hash: string,
  ended: Ended,
  around: {
    readonly now: number
    readonly random: number
    readonly epoch: number
    readonly retryInterval?: number | undefined
    readonly revision?: string | undefined
  },
): Failure | undefined {
  const { outcome, isRolledBack, problem } = ended
  if (outcome === 'succeeded') return undefined
  if (outcome === 'interrupted') return before
  const { now, random, epoch, retryInterval, revision } = around
  const tries = before?.hash === hash ? before.tries + 1 : 1
  const code = problem?.code ?? ''
  const mayPass = problem?.recoverable === true || passing.has(code)
  return {
    hash,
    ...(revision ? { revision } : {}),
    tries,
    at: now,
    reason: problem === undefined ? 'the run failed' : sentenceOf(problem),
    ...(problem === undefined ? {} : { code: problem.code }),
    ...(problem?.details?.length ? { details: problem.details.slice(-mostLines) } : {}),
    isRolledBack,
    ...(outcome === 'refused' ? { isUntouched: true } : {}),
    ...(ended.isPruning === true ? { isPruning: true } : {}),
    isPassing:
      retryInterval !== undefined ||
      (!isRolledBack && (inTheWay.has(code) || (mayPass && tries < mostTries))),
    nextTry: now + Math.min(backoff(tries, random), retryInterval ?? Infinity),
    epoch,
  }
}

/** Problems of another program's making that last as long as that does, and what somebody removed while the run was under way. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'held', 'unknown_state', 'not_found'])

/** Something of somebody else is in the way: nobody tells when it goes, so it is tried again for as long as it takes. */
const inTheWay: ReadonlySet<string> = new Set(['name_taken', 'port_taken'])

/** `web/compose.yaml:3:5: what is wrong (what to do)`. */
export function sentenceOf({ message, at, suggestion }: ProblemFacts): string {
  const place = at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `
  return `${place}${message}${suggestion === undefined ? '' : ` (${suggestion})`}`
}

/** Whether what was in force before still is. */
export function isInForce(failure: Failure | undefined): boolean {
  return failure?.isRolledBack === true || failure?.isUntouched === true
}

/** What is wanted was tried and failed, and what the run made of it stayed: a first run goes back to nothing. */
export function isLeftHalf({
  failure,
  desired,
  synced,
}: {
  readonly failure?: Failure | undefined
  readonly desired?: { readonly hash: string } | undefined
  readonly synced?: unknown
}): boolean {
  if (failure === undefined || failure.hash !== desired?.hash) return false
  return synced === undefined || !isInForce(failure)
}

const ofHealth: ReadonlySet<string> = new Set(['exited', 'unhealthy', 'timed_out'])

/** All was applied, and what runs does not work: how that is now, a look tells. */
export function isOfHealth({ code = '' }: Failure): boolean {
  return ofHealth.has(code)
}

/** A time to come, however the clock was set meanwhile: never further away than it was meant to be. */
export function stillToCome(time: number, now: number, farthest = 0): number {
  return time - now > Math.max(longest, farthest) ? now : time
}
