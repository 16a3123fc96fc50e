/** Calls over as few HTTP/2 sessions as the server allows: streamed answers, every wait abortable, lost sessions replaced. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { ConnectionError } from '#clients/http/connection.ts'
import { openPlain, type Plain } from './plain.ts'
import { openSession, usualTimes, type Session, type SessionTimes } from './session.ts'
import type { Certificate, ClusterAccess } from './cluster-access.ts'
import { bodyOf, type Body } from './stream-body.ts'

export type ChannelCall = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly signal: AbortSignal
  /** The longest silence, ms, before the answer begins and within it. Watches have no limit. */
  readonly silence?: number
  /** The longest that the whole call may take, ms. */
  readonly limit?: number
}

export type ChannelAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Must be read to its end, or left early, which closes the stream. */
  readonly body: Body
}

export type Channel = {
  send(call: ChannelCall, certificate: Certificate | undefined): Promise<ChannelAnswer>
  close(): void
}

export function openChannel(access: ClusterAccess, times: SessionTimes = usualTimes): Channel {
  // one is enough: what it has no stream for waits until one ends
  const calls = sessionsOf(access, times, 1)
  // what lasts must not take the streams of calls that end, nor wait for each other
  const watches = sessionsOf(access, times, Infinity)
  let plain: Plain | undefined
  return {
    async send(call, certificate) {
      const pool = call.silence === undefined ? watches : calls
      try {
        if (plain === undefined) return await send(() => pool.take(certificate), call, mostRepeats)
      } catch (error) {
        if (!isOlder(access, error)) throw error
        plain ??= openPlain(access, times)
      }
      return plain.send(call, certificate)
    },
    close() {
      calls.close()
      watches.close()
      plain?.close()
    },
  }
}

/** The server refused HTTP/2 in its greeting, so no request was sent yet. A server without TLS does not understand the greeting at all. */
function isOlder({ server }: ClusterAccess, error: unknown): boolean {
  const code = codeOf(error)
  return code === 'NO_HTTP2' || (server.startsWith('http:') && code === 'ERR_HTTP2_ERROR')
}

type Sessions = {
  take(certificate: Certificate | undefined): Session | Promise<Session>
  close(): void
}

/**
 * Whoever takes a session has a stream of it. A further session is opened only where none has a stream left. With another
 * certificate all are opened anew.
 */
function sessionsOf(access: ClusterAccess, times: SessionTimes, most: number): Sessions {
  let current: Session[] = []
  let shown: Certificate | undefined
  let opening: Promise<void> | undefined
  let isClosed = false
  function take(certificate: Certificate | undefined): Session | Promise<Session> {
    if (certificate?.cert !== shown?.cert) {
      for (const { http } of current) http.close()
      current = []
      shown = certificate
    }
    const usable = current.filter((session) => session.isUsable())
    const found = usable.find((session) => session.hasRoom()) ?? usable[most - 1]
    if (found !== undefined) {
      found.open += 1
      return found
    }
    opening ??= open(certificate).finally(() => (opening = undefined))
    return opening.then(() => take(certificate))
  }
  async function open(certificate: Certificate | undefined): Promise<void> {
    const opened = await openSession(access, certificate, times)
    // another certificate is shown by now, or nobody wants any
    if (isClosed || certificate?.cert !== shown?.cert) return opened.http.destroy()
    opened.http.once('close', () => (current = current.filter((session) => session !== opened)))
    current.push(opened)
  }
  function close(): void {
    isClosed = true
    for (const { http } of current) http.destroy()
    current = []
  }
  return { take, close }
}

const mostRepeats = 3

/**
 * What the server says it never began is asked again on another session, whatever it was. A GET is, too, when a session
 * that had served before ended under it; whether a write got through only the caller can find out.
 */
async function send(
  take: () => Session | Promise<Session>,
  call: ChannelCall,
  left: number,
): Promise<ChannelAnswer> {
  call.signal.throwIfAborted()
  const session = await opened(take)
  if (call.signal.aborted) session.open -= 1
  call.signal.throwIfAborted()
  const hadServed = session.hasServed
  try {
    return await once(session, call)
  } catch (error) {
    call.signal.throwIfAborted()
    const cause = session.ended() ?? error
    const wasLost = hadServed && call.method === 'GET' && isLoss(codeOf(cause))
    if (left > 0 && (isUntouched(error) || wasLost)) return send(take, call, left - 1)
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectionError(codeOf(cause), message, cause)
  }
}

async function opened(take: () => Session | Promise<Session>): Promise<Session> {
  try {
    return await take()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(codeOf(error), message, error)
  }
}

function once(session: Session, call: ChannelCall): Promise<ChannelAnswer> {
  return new Promise((resolve, reject) => {
    const head: OutgoingHttpHeaders = { ':method': call.method, ':path': call.path }
    for (const [name, value] of Object.entries(call.headers)) {
      head[name] = typeof value === 'string' ? value : [...value]
    }
    const stream = session.http.request(head, { endStream: call.body === undefined })
    let isAnswered = false
    const late = call.limit === undefined ? undefined : setTimeout(() => end(), call.limit)
    const end = () => stream.destroy(silent(call.limit ?? 0))
    stream.once('close', () => {
      session.open -= 1
      clearTimeout(late)
      call.signal.removeEventListener('abort', abort)
      if (isAnswered) return
      reject(new ConnectionError('CLOSED', 'the connection ended before an answer', undefined))
    })
    const abort = () => stream.destroy()
    call.signal.addEventListener('abort', abort)
    if (call.silence !== undefined) {
      const { silence } = call
      stream.setTimeout(silence, () => stream.destroy(silent(silence)))
    }
    const isAborted = () => call.signal.aborted
    const body = bodyOf(stream, isAborted, (error) => brokenOff(session, call, error))
    stream.on('error', reject)
    stream.once('response', (headers) => {
      session.hasServed = true
      isAnswered = true
      resolve({ status: headers[':status'] ?? 0, headers, body })
    })
    if (call.body !== undefined) stream.end(call.body)
  })
}

function brokenOff(session: Session, { signal }: ChannelCall, error: unknown): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  const cause = session.ended() ?? error
  return new ConnectionError(codeOf(cause), 'the answer broke off', cause)
}

/** Whether the server went away in good order and said which streams it did not look at, or closed the session at this very moment. */
function isUntouched(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'ERR_HTTP2_STREAM_ERROR') {
    return error instanceof Error && error.message.includes('REFUSED_STREAM')
  }
  return code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION'
}

const losses = new Set(['ECONNRESET', 'EPIPE', 'CLOSED', 'ERR_HTTP2_STREAM_CANCEL'])

function isLoss(code: string): boolean {
  return losses.has(code) || code === 'ERR_HTTP2_SESSION_ERROR'
}

function silent(milliseconds: number): Error {
  const message = `no answer in ${Math.round(milliseconds / 1000)} s`
  return new ConnectionError('SILENT', message, undefined)
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return 'UNKNOWN'
}
