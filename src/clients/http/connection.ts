/** Plain HTTP/1.1 over a unix socket or TCP: kept-alive connections, streamed answers, every wait abortable. */
import type { Agent, IncomingMessage, RequestOptions } from 'node:http'

/** Importing it evaluates its lazy exports too, and with them a whole fetch: 35 ms of start-up that this way costs 4. */
const http = process.getBuiltinModule('node:http')

export type Place =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
  /** Longest silence, ms: before the answer begins and within it. None for streams. */
  readonly silence?: number
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** To be read to its end, or the connection is lost to others. */
  readonly body: AsyncIterable<Uint8Array>
}

export type Connection = {
  send(call: Call): Promise<Answer>
  close(): void
}

/** Facts for whoever turns this into words: the code is Node's (ECONNREFUSED, ECONNRESET, …) or ours for silence. */
export class ConnectionError extends Error {
  readonly code: string
  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'ConnectionError'
    this.code = code
  }
}

export function connect(place: Place, most = 32): Connection {
  const agent = new http.Agent({ keepAlive: true, maxSockets: most, maxFreeSockets: most })
  return {
    send: (call) => send(place, agent, call, call.method === 'GET'),
    close: () => agent.destroy(),
  }
}

/**
 * A kept connection may have been closed by the other side in the very moment we use it again. A GET is then simply asked
 * again on a fresh one; whether a write got through only the caller can find out.
 */
async function send(place: Place, agent: Agent, call: Call, mayRepeat: boolean): Promise<Answer> {
  call.signal.throwIfAborted()
  let wasReused = false
  try {
    return await once(place, agent, call, (reused) => (wasReused = reused))
  } catch (error) {
    call.signal.throwIfAborted()
    const code = codeOf(error)
    if (mayRepeat && wasReused && code === 'ECONNRESET') return send(place, agent, call, false)
    const message = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(code, message, error)
  }
}

function once(
  place: Place,
  agent: Agent,
  call: Call,
  tell: (wasReused: boolean) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, body, signal } = call
    const length = body === undefined ? undefined : Buffer.byteLength(body)
    const headers = {
      ...call.headers,
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    }
    const options: RequestOptions = { ...place, agent, method, path, headers, signal }
    const request = http.request(options, (message) => {
      resolve({
        status: message.statusCode ?? 0,
        headers: message.headers,
        body: read(message, call),
      })
    })
    if (call.silence !== undefined) {
      request.setTimeout(call.silence, () => request.destroy(silent(call.silence ?? 0)))
    }
    request.once('error', (error) => {
      tell(request.reusedSocket)
      reject(error)
    })
    request.end(body)
  })
}

async function* read(message: IncomingMessage, call: Call): AsyncIterable<Uint8Array> {
  try {
    for await (const part of message) yield part
  } catch (error) {
    call.signal.throwIfAborted()
    throw new ConnectionError(codeOf(error), 'the answer broke off', error)
  }
}

function silent(milliseconds: number): Error {
  return new ConnectionError(
    'SILENT',
    `no answer in ${Math.round(milliseconds / 1000)} s`,
    undefined,
  )
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return 'UNKNOWN'
}
