/** Whoever saw a plan gets what the plan is of, or a refusal: never silently something else. */
import { Problem } from '#model/problem.ts'
import type { Expected } from '#model/service.ts'
import type { AppState } from '../state/app-state.ts'

/** `wanted`: what a run would apply; undefined: it would remove everything. */
export function otherThanExpected(
  { key, branch }: Pick<AppState, 'key' | 'branch'>,
  expected: Expected | undefined,
  wanted: Expected | undefined,
): Problem | undefined {
  if (expected === undefined) return undefined
  if (wanted === undefined) return conflict(`${key} is no longer declared by its source`)
  const { revision, hash } = wanted
  if (revision !== expected.revision) {
    const source = branch?.status.shown ?? 'its source'
    const [now, before] = [revision, expected.revision].map((one) => one.slice(0, 12))
    return conflict(`${source} has something newer for ${key}: ${now}, and not ${before}`)
  }
  if (hash === expected.hash) return undefined
  return conflict(`${key} is declared otherwise than when its plan was made`)
}

/** By the source alone, before anything is rendered. */
export function refuseOtherRevision(app: AppState, expected: Expected | undefined): void {
  const { branch, isGone } = app
  const revision = branch?.snapshot?.revision ?? ''
  const wanted = isGone ? undefined : { revision, hash: expected?.hash ?? '' }
  const problem = otherThanExpected(app, expected, wanted)
  if (problem !== undefined) throw problem
}

function conflict(message: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'conflict',
    message,
    suggestion: 'nothing was done: look at the plan again, and sync what it says now',
  })
}
