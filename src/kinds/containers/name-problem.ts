/** Whose problem it is: of a container that does not get healthy the message tells only what it does. Pure. */
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf } from '#model/ref.ts'

export function nameContainer(problem: ProblemFacts): ProblemFacts {
  const { message, ref } = problem
  const hasSubject = !/^(it|not) /.test(message)
  if (ref === undefined || kindOf(ref) !== 'container' || hasSubject) return problem
  return { ...problem, message: `${ref}: ${message}` }
}
