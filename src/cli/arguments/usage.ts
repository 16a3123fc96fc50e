/** Problems of a wrong flag or verb, with the words that would be right. */
import { Problem } from '#model/problem.ts'

export function usageProblem(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}
