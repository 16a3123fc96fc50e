/** What a person is told when rendering went beyond a limit. */
import { Problem } from '#model/problem.ts'
import type { RenderLimits } from './render-limits.ts'

/** `broken`: the process ended though no limit was crossed. */
export type Exceeded = 'timeout' | 'memory' | 'answer' | 'resources' | 'broken'

export function exceeded(limit: Exceeded, limits: RenderLimits): Problem {
  switch (limit) {
    case 'timeout':
      return problem(
        'timed_out',
        `rendering took longer than ${limits.timeout / 1000} s and was ended`,
        'make it smaller or split it; the operator can allow more time with render.timeout in tend.yaml',
      )
    case 'memory':
      return problem(
        'too_large',
        `rendering needed more than ${megabytes(limits.memory)} MB of memory and was ended`,
        'make it smaller or split it; the operator can allow more memory with render.memory in tend.yaml',
      )
    case 'answer':
      return problem(
        'too_large',
        `what it renders to is larger than ${megabytes(limits.answerBytes)} MB`,
        'split it into several applications',
      )
    case 'resources':
      return problem(
        'too_large',
        `it renders to more than ${limits.resources} resources`,
        'split it into several applications',
      )
    case 'broken':
      return new Problem({
        type: 'runtime',
        code: 'bug',
        message: 'the process that renders it ended unexpectedly',
        suggestion: 'it is tried again; see the log of the service if it stays so',
        recoverable: true,
      })
  }
}

/** Whether this is what a render was ended for. */
export function isBeyondLimit({ type, code }: Pick<Problem, 'type' | 'code'>): boolean {
  return type === 'configuration' && (code === 'timed_out' || code === 'too_large')
}

function problem(code: 'timed_out' | 'too_large', message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code, message, suggestion })
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2)
}
