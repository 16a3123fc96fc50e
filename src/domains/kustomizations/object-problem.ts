/** Whose problem it is, in the words of people, and where that one is declared. Pure. */
import type { ProblemFacts } from '#model/problem.ts'
import type { Resource } from '#model/resource.ts'
import { nameOfObject, wordsOfObject } from './object.ts'

type Declared = Pick<Resource, 'ref' | 'spec' | 'origin'>

export function aboutObject(problem: ProblemFacts, resources: readonly Declared[]): ProblemFacts {
  const about = resources.find(({ ref }) => ref === problem.ref)
  if (about === undefined) return problem
  const words = wordsOfObject(nameOfObject(about.spec))
  const isNamed = problem.at !== undefined || problem.message.includes(words)
  return {
    ...problem,
    message: isNamed ? problem.message : `${words}: ${problem.message}`,
    at: problem.at ?? about.origin,
  }
}
