/** What a handler gives back: a value, bytes that are ready, or a stream that it writes itself. */
import type { ServerResponse } from 'node:http'
import type * as z from 'zod/mini'
import { withoutSecretShapes } from '#model/secret-shapes.ts'

export type Reply =
  | BytesReply
  /** Takes the response over; ends it, or is told by the signal that the reader has gone. */
  | {
      readonly kind: 'stream'
      readonly type: string
      readonly write: (response: ServerResponse, signal: AbortSignal) => Promise<void> | void
    }

type BytesReply = {
  readonly kind: 'bytes'
  readonly status: number
  readonly body: Body
  /** Names and values by turns. */
  readonly headers?: readonly string[]
}

export type Body = {
  readonly type: string
  readonly bytes: Buffer
  /** Quoted, as it is sent; undefined: not worth one. */
  readonly etag: string | undefined
  /** What is at this path never changes: whoever has it need not ask again. */
  readonly isLasting?: boolean
  /** The same bytes, compressed. */
  readonly br?: Buffer | undefined
  readonly gzip?: Buffer | undefined
}

export const jsonType = 'application/json; charset=utf-8'
export const textType = 'text/plain; charset=utf-8'
export const eventsType = 'text/event-stream; charset=utf-8'

/** The schema is the one that the route declares for this status: a wrong field does not compile. */
export function json<Schema extends z.ZodMiniType>(
  _schema: Schema,
  value: z.output<Schema>,
  status = 200,
): Reply {
  return { kind: 'bytes', status, body: jsonBody(value) }
}

export function jsonBody(value: unknown, type = jsonType): Body {
  return { type, bytes: Buffer.from(withoutSecretShapes(JSON.stringify(value))), etag: undefined }
}

export function text(words: string, status = 200, type = textType): BytesReply {
  return { kind: 'bytes', status, body: { type, bytes: Buffer.from(words), etag: undefined } }
}

export function redirect(to: string, cookies: readonly string[]): Reply {
  const headers = ['Location', to, ...cookies.flatMap((one) => ['Set-Cookie', one])]
  return { ...text('', 302), headers }
}

export function ready(body: Body): Reply {
  return { kind: 'bytes', status: 200, body }
}
