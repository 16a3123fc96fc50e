/** Builds operations, so that each says in words and as a command what it does. */
import type { Operation } from '#model/plan.ts'
import type { Value } from '#model/value.ts'

export type Wording<Verb extends string> = {
  readonly id: string
  readonly verb: Verb
  readonly payload: Value
  readonly words: string
  readonly command: string
  readonly after?: readonly string[]
  readonly disrupts?: boolean
}

export function operationOf<Verb extends string>(wording: Wording<Verb>): Operation {
  return { after: [], disrupts: false, ...wording }
}
