/** A wrong flag or verb, said so that the next try works. */
import { Problem } from '#model/problem.ts'

export function usageProblem(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}
