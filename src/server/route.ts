/** One row of the table of routes: what the router matches, what OpenAPI tells, and what is done. */
import type { IncomingMessage } from 'node:http'
import { Problem } from '#model/problem.ts'
import * as z from 'zod/mini'
import type { AuditNote } from './audit.ts'
import type { Caller } from './access/caller.ts'
import type { Reply } from './reply.ts'
import { defined } from '#model/defined.ts'

export type Role = 'read' | 'sync' | 'admin'

/** `open`: for anybody. `signed`: the request itself carries the proof, as webhooks do. */
export type Access = Role | 'open' | 'signed'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Fields = z.ZodMiniObject
type Schema = z.ZodMiniType

/** What an answer holds: a schema for JSON, else a media type. */
export type DocumentedAnswer = {
  readonly says: string
  readonly body: Schema | { readonly type: string }
}

export type RouteRequest = {
  readonly request: IncomingMessage
  /** As it was sent; empty when there is none. */
  readonly bytes: Buffer
  readonly caller: Caller
  /** What the audit log is to say of it, besides who asked. */
  readonly note: AuditNote
  /** Ends when the one who asked has gone. */
  readonly signal: AbortSignal
}

type Texts = Readonly<Record<string, string>>

export type Route = {
  readonly method: Method
  /** `/api/v1/apps/{key}`; `{path*}` at the end takes all that follows. */
  readonly path: string
  readonly access: Access
  readonly name: string
  readonly summary: string
  /** How its errors look: as problem+json, or `{error}` as the origin has it. */
  readonly errors: 'problem' | 'origin'
  /** Work for others (a plan, a run) or not worth counting (an answer that lies ready). */
  readonly cost: 'cached' | 'usual' | 'dear'
  readonly params: Fields | undefined
  readonly query: Fields | undefined
  readonly body: Schema | undefined
  /** Bytes that a body may have. */
  readonly most: number
  readonly answers: Readonly<Record<number, DocumentedAnswer>>
  perform(asked: RouteRequest, params: Texts, query: Texts): Promise<Reply> | Reply
}

type Definition<P extends Fields, Q extends Fields, B extends Schema> = {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly name: string
  readonly summary: string
  readonly errors?: Route['errors']
  readonly cost?: Route['cost']
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** What is said of any body that does not fit. */
  readonly refusal?: string
  readonly most?: number
  readonly answers: Route['answers']
  handle(
    given: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    asked: RouteRequest,
  ): Promise<Reply> | Reply
}

const nothing = z.object({})
const anything = z.unknown()
const usualBody = 64 * 1024

export function route<
  P extends Fields = typeof nothing,
  Q extends Fields = typeof nothing,
  B extends Schema = typeof anything,
>(definition: Definition<P, Q, B>): Route {
  const { params, query, body } = definition
  return {
    errors: 'problem',
    cost: 'usual',
    most: usualBody,
    ...definition,
    params,
    query,
    body,
    perform(asked, pathTexts, queryTexts) {
      return definition.handle(
        {
          params: checked<P>(params, pathTexts, 'the path'),
          query: checked<Q>(query, queryTexts, 'the query'),
          body: checked<B>(body, body && bodyOf(asked.bytes), 'the body', definition.refusal),
        },
        asked,
      )
    },
  }
}

function checked<S extends Schema>(
  schema: S | undefined,
  value: unknown,
  where: string,
  refusal?: string,
): z.output<S> {
  if (isUnasked<S>(schema, value)) return value
  const result = z.safeParse(defined(schema), value)
  if (result.success) return result.data
  if (refusal !== undefined) {
    throw new Problem({ type: 'validation', code: 'bad_value', message: refusal })
  }
  const issue = result.error.issues[0]
  const field = issue === undefined ? '' : issue.path.map(String).join('.')
  const name = field === '' ? where : `${field} in ${where}`
  throw new Problem({
    type: 'validation',
    code: 'bad_value',
    message: `${name}: ${issue === undefined ? 'not as expected' : wordsOn(issue)}`,
    suggestion: '/api/openapi.json says what is expected',
  })
}

/** The library itself says hardly more than that it is wrong. */
function wordsOn(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')} is expected`
    case 'invalid_type':
      return `${issue.expected} is expected`
    case 'too_small':
      return `at least ${issue.minimum} is expected`
    case 'too_big':
      return `at most ${issue.maximum} is expected`
    case 'unrecognized_keys':
      return `there is no ${issue.keys.join(', ')}`
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.message
  }
}

/** Without a schema the handler asks for nothing, and any value will do. */
function isUnasked<S extends Schema>(
  schema: Schema | undefined,
  _value: unknown,
): _value is z.output<S> {
  return schema === undefined
}

function bodyOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (thrown) {
    throw new Problem({
      type: 'validation',
      code: 'bad_value',
      message: 'the body is not JSON',
      suggestion: 'send JSON in UTF-8, or no body at all',
      cause: thrown,
    })
  }
}
