/** What is said beside the trouble of a source: that what was read before stays. */
import type { ProblemFacts } from '#model/problem.ts'
import type { Branch } from './repository-poller.ts'

/** Whatever is wrong with a repository: what was read of it before stays in force. */
export function withKept(
  problem: ProblemFacts,
  { snapshot }: Pick<Branch, 'snapshot'>,
): ProblemFacts {
  const { details = [] } = problem
  if (snapshot === undefined || details.some((line) => keptLine.test(line))) return problem
  const kept = `The last good snapshot, ${snapshot.revision.slice(0, 12)}, is kept.`
  return { ...problem, details: [...details, kept] }
}

const keptLine = /^The last good snapshot, /
