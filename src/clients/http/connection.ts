/** HTTP/1.1 over a unix socket, TCP, TLS or any stream: kept-alive connections, streamed bodies both ways, every wait abortable. */
import type { Agent, AgentOptions, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, Readable, type Duplex } from 'node:stream'

/** An import would evaluate the lazy exports too, and with them a whole fetch: 35 ms of start-up in place of 4. */
const http = process.getBuiltinModule('node:http')

export type ServerAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number; readonly tls?: Tls }
  /** Opens a new connection each time it is called, for example with a program that carries it. */
  | { readonly open: () => Duplex }

export type Tls = {
  /** The certificates of authorities as PEM; without it those of the system. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** False only where a user said so explicitly. */
  readonly isVerified: boolean
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Parts are sent as they come. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  /** The longest silence, ms, before the answer begins and within it. Streams have no limit. */
  readonly silence?: number
  /** It may take long: on a connection of its own, so that it does not take the place of calls that end. */
  readonly isApart?: boolean
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Must be read to its end, or the connection is lost to others. */
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

export function connect(place: ServerAddress, most = 32): Connection {
  const agent = agentFor(place, { keepAlive: true, maxSockets: most, maxFreeSockets: most })
  // what may be silent for ever, events above all, must not take the place of calls that end
  const patient = agentFor(place, { keepAlive: false })
  return {
    send(call) {
      const isPatient = call.silence === undefined || call.isApart === true
      return send(place, isPatient ? patient : agent, call, call.method === 'GET')
    },
    close() {
      agent.destroy()
      patient.destroy()
    },
  }
}

function agentFor(place: ServerAddress, options: AgentOptions): Agent {
  if ('tls' in place && place.tls !== undefined) {
    const { isVerified, ...pems } = place.tls
    const https = process.getBuiltinModule('node:https')
    return new https.Agent({ ...options, ...pems, rejectUnauthorized: isVerified })
  }
  const agent = new http.Agent(options)
  if ('open' in place) agent.createConnection = () => place.open()
  return agent
}

/**
 * A kept connection may have been closed by the other side in the very moment we use it again. A GET is then simply asked
 * again on a fresh one; whether a write got through only the caller can find out.
 */
async function send(
  place: ServerAddress,
  agent: Agent,
  call: Call,
  mayRepeat: boolean,
): Promise<Answer> {
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
  place: ServerAddress,
  agent: Agent,
  call: Call,
  tell: (wasReused: boolean) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, body, signal } = call
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    const length = isWhole ? Buffer.byteLength(body) : undefined
    const headers = {
      ...call.headers,
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    }
    const protocol = 'tls' in place && place.tls !== undefined ? 'https:' : 'http:'
    const where = 'socketPath' in place ? place : 'host' in place ? hostOf(place) : {}
    const options: RequestOptions = { ...where, protocol, agent, method, path, headers, signal }
    const request = http.request(options, (message) => {
      resolve({
        status: message.statusCode ?? 0,
        headers: message.headers,
        body: read(message, call),
      })
    })
    const { silence } = call
    if (silence !== undefined) {
      const end = (): unknown => request.destroy(silent(silence))
      request.setTimeout(silence, end)
      const stands = protocol === 'https:' ? 'secureConnect' : 'connect'
      request.once('socket', (socket) => limitOpening(socket, stands, silence, end))
    }
    // an answer may come before the last part of the body is sent: then the rest of it may fail to go out
    request.on('error', (error) => {
      tell(request.reusedSocket)
      reject(error)
    })
    if (body === undefined || isWhole) request.end(body)
    else sendParts(body, request, reject)
  })
}

/** Node counts silence only once a connection stands: not while nobody accepts it, and twice while a handshake hangs. */
function limitOpening(socket: Socket, stands: string, silence: number, end: () => unknown): void {
  if (!socket.connecting) return
  const timer = setTimeout(end, silence)
  for (const event of [stands, 'close']) socket.once(event, () => clearTimeout(timer))
}

function hostOf(place: { readonly host: string; readonly port: number }): RequestOptions {
  return { host: place.host, port: place.port }
}

function sendParts(
  body: AsyncIterable<Uint8Array>,
  request: ClientRequest,
  reject: (error: Error) => void,
): void {
  pipeline(Readable.from(body), request, (error) => {
    if (error) reject(error)
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
