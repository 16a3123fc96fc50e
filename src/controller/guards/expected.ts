/** Whoever saw a plan gets what the plan is of, or a refusal: never silently something else. */
import { Problem, type ProblemFacts } from '#model/problem.ts'
import type { Expected } from '#model/service.ts'
import type { AppState } from '../state/app-state.ts'

/** `wanted`: what a run would apply; undefined: it would remove everything. `unread`: why the source could not be asked. */
export function otherThanExpected(
  { key, branch }: Pick<AppState, 'key' | 'branch'>,
  expected: Expected | undefined,
  wanted: Expected | undefined,
  unread?: ProblemFacts,
): Problem | undefined {
  if (expected === undefined) return undefined
  if (wanted === undefined) return refusal('gone', `${key} is no longer declared`, undefined)
  const { revision, hash } = wanted
  if (revision !== expected.revision) {
    const source = branch?.status.shown ?? 'its source'
    const [now, before] = [revision, expected.revision].map((one) => one.slice(0, 12))
    if (unread === undefined)
      return conflict(`${source} has ${now} now, and the plan is of ${before}`)
    const last = now === '' ? 'nothing was read of it yet' : `what was read of it last is ${now}`
    return conflict(
      `${source} can not be had: ${last}, and the plan is of ${before} (${unread.message})`,
    )
  }
  if (hash === expected.hash) return undefined
  return conflict(`${key} is declared otherwise than when its plan was made`)
}

/** By the source alone, before anything is rendered. */
export function refuseOtherRevision(app: AppState, expected: Expected | undefined): void {
  const { branch, isGone } = app
  const revision = branch?.snapshot?.revision ?? ''
  const wanted = isGone ? undefined : { revision, hash: expected?.hash ?? '' }
  const problem = otherThanExpected(app, expected, wanted, branch?.status.problem)
  if (problem !== undefined) throw problem
}

function conflict(message: string): Problem {
  return refusal(
    'conflict',
    message,
    'nothing was done: look at the plan again, and sync what it says now',
  )
}

function refusal(
  code: 'conflict' | 'gone',
  message: string,
  suggestion = 'nothing was done, and there is nothing to sync any more',
): Problem {
  return new Problem({ type: 'runtime', code, message, suggestion })
}
