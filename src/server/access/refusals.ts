/** The problems of access, each with what to do. */
import { Problem } from '#model/problem.ts'

export function unauthorized(why: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unauthorized',
    message: why,
    suggestion: 'send "Authorization: Bearer TOKEN"; `tend token create` makes a token',
  })
}

export function forbidden(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'forbidden', message, suggestion })
}

export function tooMany(seconds: number): Problem {
  return new Problem({
    type: 'runtime',
    code: 'too_many',
    message: 'too many requests from this address',
    suggestion: `try again in ${seconds} s`,
    recoverable: true,
  })
}

export function tooLarge(most: number): Problem {
  return new Problem({
    type: 'validation',
    code: 'too_large',
    message: `the body is larger than ${most / 1024} KiB`,
    suggestion: 'send less',
  })
}

export function notFound(what: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'not_found', message: what, suggestion })
}
