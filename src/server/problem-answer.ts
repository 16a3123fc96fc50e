/** Problems as answers: problem+json, or `{error}` where the origin's clients look for it. */
import { STATUS_CODES } from 'node:http'
import { codes, problemOf, type Problem } from '#model/problem.ts'
import * as z from 'zod/mini'
import type { Log } from './log.ts'
import { jsonBody, jsonType, type Body } from './reply.ts'
import type { Route } from './route.ts'

const problemType = 'application/problem+json; charset=utf-8'

/** RFC 9457, with our code, what to do, and the place in a user's file. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  suggestion: z.optional(z.string()),
  at: z.optional(z.object({ file: z.string(), line: z.number(), column: z.number() })),
})

export const originErrorSchema = z.object({ error: z.string() })

export type Failure = { readonly status: number; readonly body: Body }

/** A bug's own words may hold anything: they go to the log, and the one who asked is told where they are. */
export function failureOf(
  thrown: unknown,
  errors: Route['errors'],
  log: Log,
  otherStatus?: number,
): Failure {
  const problem = problemOf(thrown)
  const status = otherStatus ?? statusOf(problem)
  const isBug = problem.code === 'bug'
  if (isBug)
    log('error', 'a request met a bug', { reason: problem.message, stack: stackOf(thrown) })
  const detail = isBug
    ? "something went wrong inside Tend; the service's log has it"
    : problem.message
  if (errors === 'origin') {
    const words = problem.suggestion === undefined ? detail : `${detail}: ${problem.suggestion}`
    return { status, body: jsonBody({ error: words }, jsonType) }
  }
  return { status, body: problemBody(problem, status, detail) }
}

function problemBody(problem: Problem, status: number, detail: string): Body {
  const { code, suggestion, at } = problem
  const title = STATUS_CODES[status] ?? 'Error'
  const value: z.output<typeof problemSchema> = {
    type: `urn:tend:problem:${code}`,
    title,
    status,
    detail,
    code,
    suggestion,
    at,
  }
  return jsonBody(value, problemType)
}

/** 499 is a word of one proxy alone. */
function statusOf({ code }: Problem): number {
  return code === 'interrupted' ? 503 : codes[code].http
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? '') : ''
}
