/** What would happen, as data: groups of operations, one group per step on a resource. */
import type { Json } from './json.ts'
import type { ProblemFacts } from './problem.ts'
import { kindOf, type Ref } from './ref.ts'
import type { Need } from './resource.ts'
import type { Value } from './value.ts'

/** One changed field. `to` may be the words of a value that is only known after apply. Secrets are already masked. */
export type Change = { readonly path: string; readonly from: Json; readonly to: Json }

export type Step = 'create' | 'update' | 'replace' | 'delete'

/**
 * One call outside. Carries its own words and the masked command a person would type, so that views know only the model.
 * Operations of one list run in order; `after` names further operations (`ref#id`) or whole groups (`ref`) to wait for.
 */
export type Operation = {
  readonly id: string
  readonly verb: string
  readonly payload: Value
  readonly after: readonly string[]
  /** What the operation does, for people: "Creating container web". */
  readonly words: string
  readonly command?: string
  /** The operation takes away something that serves, so it waits until every `prepare` of the plan went well. */
  readonly disrupts: boolean
}

export type Gate = 'none' | 'started' | 'healthy' | 'completed'

/**
 * One step on one resource, with everything that takes it there and back.
 * `prepare` (pull, rehearse) comes before anything of any group is taken away. `finish` (removing what was replaced;
 * orphans likewise) starts only when every group passed its gate. When a run fails, independent groups end, then all
 * begun groups are undone, last first.
 */
export type Group = {
  readonly ref: Ref
  readonly step: Step
  readonly cause: string
  readonly changes: readonly Change[]
  readonly needs: readonly Need[]
  readonly prepare: readonly Operation[]
  readonly make: readonly Operation[]
  readonly gate: Gate
  /** What `look` needs to know while waiting at the gate. */
  readonly subject: Json
  readonly undo: readonly Operation[]
  readonly finish: readonly Operation[]
}

export type Skipped = {
  readonly ref: Ref
  readonly problem: ProblemFacts
  /** The resource does not exist: it is not left as it is but only not made. */
  readonly isAbsent?: boolean
}

export type Plan = {
  readonly groups: readonly Group[]
  readonly unchanged: readonly Ref[]
  /** Resources that are not touched, each with the reason: invalid, waiting for an invalid one, unknown, not ours. */
  readonly skipped: readonly Skipped[]
  /** Resources that are no longer declared and still kept, such as volumes without an explicit prune. */
  readonly kept: readonly { readonly ref: Ref; readonly why: string }[]
  readonly warnings: readonly string[]
  /** Nothing of this application existed: what succeeds of a failing run is kept. */
  readonly isFirst: boolean
}

export function shown(value: Json): string {
  if (value === null) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function countByKind(refs: readonly Ref[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const ref of refs) counts.set(kindOf(ref), (counts.get(kindOf(ref)) ?? 0) + 1)
  return counts
}
