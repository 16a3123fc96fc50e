/** The one error of the product: what, on which resource, where, why, and what to do. */
import { inspect } from 'node:util'
import type { Ref } from './ref.ts'

export type Place = { readonly file: string; readonly line: number; readonly column: number }

export type ProblemType = 'configuration' | 'validation' | 'dependency' | 'runtime'

/** Codes with the exit code of a command that ends on them and the HTTP status of an answer. */
export const codes = {
  // configuration: nothing is touched
  chart_unreadable: { exit: 2, http: 400 },
  yaml_error: { exit: 2, http: 400 },
  template_error: { exit: 2, http: 400 },
  values_error: { exit: 2, http: 400 },
  cycle: { exit: 2, http: 400 },
  duplicate_name: { exit: 2, http: 400 },
  unknown_kind: { exit: 2, http: 400 },
  host_port_twice: { exit: 2, http: 400 },
  usage: { exit: 2, http: 400 },
  not_found: { exit: 2, http: 404 },
  store_unusable: { exit: 2, http: 500 },
  would_remove_much: { exit: 2, http: 409 },
  would_remove_all: { exit: 2, http: 409 },
  compose_error: { exit: 2, http: 400 },
  unsupported: { exit: 2, http: 400 },
  denied: { exit: 2, http: 403 },
  held: { exit: 1, http: 409 },
  declaration_error: { exit: 2, http: 400 },
  // validation: the resource is skipped
  unknown_field: { exit: 1, http: 400 },
  wrong_type: { exit: 1, http: 400 },
  bad_value: { exit: 1, http: 400 },
  missing_field: { exit: 1, http: 400 },
  bad_reference: { exit: 1, http: 400 },
  mount_twice: { exit: 1, http: 400 },
  not_possible_here: { exit: 1, http: 400 },
  volume_changed: { exit: 1, http: 409 },
  // dependency: only dependents are held back
  needs_failed: { exit: 1, http: 409 },
  // runtime
  unreachable: { exit: 1, http: 502 },
  name_taken: { exit: 1, http: 409 },
  port_taken: { exit: 1, http: 409 },
  image_not_found: { exit: 1, http: 404 },
  image_denied: { exit: 1, http: 403 },
  gone: { exit: 1, http: 409 },
  in_use: { exit: 1, http: 409 },
  conflict: { exit: 1, http: 409 },
  api_error: { exit: 1, http: 502 },
  timed_out: { exit: 1, http: 504 },
  unhealthy: { exit: 1, http: 502 },
  exited: { exit: 1, http: 502 },
  unknown_state: { exit: 1, http: 502 },
  git_error: { exit: 1, http: 502 },
  unauthorized: { exit: 1, http: 401 },
  forbidden: { exit: 1, http: 403 },
  too_large: { exit: 1, http: 413 },
  too_many: { exit: 1, http: 429 },
  not_ready: { exit: 1, http: 503 },
  suspended: { exit: 1, http: 409 },
  interrupted: { exit: 130, http: 499 },
  superseded: { exit: 1, http: 409 },
  bug: { exit: 1, http: 500 },
} as const

export type Code = keyof typeof codes

/** By rule `allow`; lists under `shared` and `allowedRoots`. */
export type SecurityLines = Readonly<Record<string, 'allow' | readonly string[]>>

export type ProblemFacts = {
  readonly type: ProblemType
  readonly code: Code
  readonly message: string
  readonly ref?: Ref | undefined
  readonly at?: Place | undefined
  readonly suggestion?: string | undefined
  /** What of `security` in tend.yaml would allow it. */
  readonly allowedBy?: SecurityLines | undefined
  /** Further lines for a person: the last log, the last probe. */
  readonly details?: readonly string[] | undefined
  /** Whether trying again may help. */
  readonly recoverable?: boolean | undefined
  readonly cause?: unknown
}

export class Problem extends Error {
  readonly type: ProblemType
  readonly code: Code
  readonly ref: Ref | undefined
  readonly at: Place | undefined
  readonly suggestion: string | undefined
  readonly details: readonly string[]
  readonly recoverable: boolean

  /** A release is several files, each with a class of its own: a problem is known by its name. */
  static override [Symbol.hasInstance](value: unknown): value is Problem {
    return value instanceof Error && value.name === 'Problem'
  }

  constructor(facts: ProblemFacts) {
    super(facts.message, { cause: facts.cause })
    this.name = 'Problem'
    this.type = facts.type
    this.code = facts.code
    this.ref = facts.ref
    this.at = facts.at
    this.suggestion = facts.suggestion
    this.details = facts.details ?? []
    this.recoverable = facts.recoverable ?? false
  }
}

/** Whatever was thrown, as a problem: a bug of ours shows as one, not as a stack trace. */
export function problemOf(thrown: unknown, ref?: Ref): Problem {
  if (thrown instanceof Problem) {
    if (thrown.ref !== undefined || ref === undefined) return thrown
    return new Problem({ ...factsOf(thrown), ref })
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem({ type: 'runtime', code: 'bug', message, ref, cause: thrown })
}

/** A problem as plain data, for events, the store and answers. */
export function factsOf(problem: Problem): ProblemFacts {
  const { type, code, message, ref, at, suggestion, details, recoverable } = problem
  return { type, code, message, ref, at, suggestion, details, recoverable, cause: causeOf(problem) }
}

function causeOf(problem: Problem): string | undefined {
  const { cause } = problem
  if (cause === undefined) return undefined
  if (cause instanceof Error) return cause.message
  return typeof cause === 'string' ? cause : inspect(cause)
}

/** `file:line:column`, as editors understand it. */
export function placeText(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`
}
