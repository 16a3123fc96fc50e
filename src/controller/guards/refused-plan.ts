/** All that a plan refuses, as one problem: the first, with the others in its details, so that one look tells all. */
import type { Plan } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { sentenceOf } from '../decide/backoff.ts'

const mostOthers = 9

export function refusalIn({ skipped }: Pick<Plan, 'skipped'>): ProblemFacts | undefined {
  const problems = skipped.map(({ problem }) => problem)
  // what only waits for another has nothing of its own to tell
  const own = problems.filter(({ code }) => code !== 'needs_failed')
  const [first, ...others] = own.length === 0 ? problems : own
  if (first === undefined || others.length === 0) return first
  const sentences = [...new Set(others.map(sentenceOf))]
  const more = sentences.length - mostOthers
  const shown = [...sentences.slice(0, mostOthers), ...(more > 0 ? [`and ${more} more`] : [])]
  return { ...first, details: [...(first.details ?? []), ...shown] }
}
