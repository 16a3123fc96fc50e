/** What is said of a resource before anything is touched, and what is remembered of what was seen. */
import type { Outputs } from '#model/domain.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Observed, Present } from '#model/resource.ts'

/** A reason why it can't be as it is wanted; where one was found already, that one stays. */
export function forecasted(
  seen: Absent | Present,
  problemOf: () => ProblemFacts | undefined,
): Absent | Present {
  if (seen.forecast !== undefined) return seen
  const problem = problemOf()
  return problem === undefined ? seen : { ...seen, forecast: { kind: 'refused', problem } }
}

/** Events of some kinds carry no labels: their names must do. `prefix`: stands before the kind. */
export function noteRefs(
  refs: Map<string, Ref>,
  found: ReadonlyMap<Ref, Observed>,
  prefix = '',
): void {
  for (const [ref, seen] of found) {
    if (seen.kind === 'present') noteNames(refs, ref, seen.outputs, prefix)
  }
}

export function noteNames(refs: Map<string, Ref>, ref: Ref, outputs: Outputs, prefix = ''): void {
  for (const name of Object.values(outputs)) {
    if (typeof name === 'string') refs.set(`${prefix}${kindOf(ref)} ${name}`, ref)
  }
}
