/** One HTTP/2 session with a server: opened once, pinged while something is under way, and never used past its end. */
import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { ClusterAccess, Certificate } from './cluster-access.ts'
import { builtin, dial, tunnel } from './dial.ts'

export type Session = {
  readonly http: ClientHttp2Session
  /** The number of streams under way. Whoever opens a stream counts it. */
  open: number
  /** Whether a further stream can begin at once. */
  hasRoom(): boolean
  isUsable(): boolean
  /** Whether an answer ever came. A session without one was not just a kept connection that ended. */
  hasServed: boolean
  /** The error that ended the session, if it has ended. */
  readonly ended: () => unknown
}

export type SessionTimes = {
  /** The longest from dialling to the first frame, ms. */
  readonly connect: number
  /** The pause between pings while a stream is open, and how long each may take, ms. */
  readonly ping: number
  readonly pong: number
}

export const usualTimes: SessionTimes = { connect: 10_000, ping: 15_000, pong: 10_000 }

/** How many streams are opened before the server said how many it allows. */
const carefulLimit = 100

/** Rejects with `NO_HTTP2` where the server speaks only an older protocol. */
export async function openSession(
  access: ClusterAccess,
  certificate: Certificate | undefined,
  times: SessionTimes,
): Promise<Session> {
  const { proxy, server } = access
  const line = proxy === undefined ? undefined : await tunnel(proxy, server, times.connect)
  const socket = dial(access, certificate, ['h2', 'http/1.1'], line)
  await connected(socket, times.connect)
  const session = sessionOver(socket, server, times)
  await greeted(session)
  return session
}

/** Waits for the server's greeting: it says how many streams are allowed, and shows that HTTP/2 is spoken at all. */
function greeted({ http, ended }: Session): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('remoteSettings', () => resolve())
    http.once('close', () => {
      const cause = ended()
      reject(cause instanceof Error ? cause : new Error('the line was closed'))
    })
  })
}

function sessionOver(socket: Socket, server: string, times: SessionTimes): Session {
  const http2 = builtin('node:http2')
  const http = http2.connect(new URL(server).origin, {
    createConnection: () => socket,
    settings: { initialWindowSize: 1 << 20, enablePush: false },
  })
  let failure: unknown
  http.on('error', (error) => (failure ??= error))
  http.on('connect', () => http.setLocalWindowSize(1 << 24))
  limitDialling(http, times.connect)
  keepAlive(http, times)
  const session: Session = {
    http,
    open: 0,
    hasServed: false,
    hasRoom: () => session.open < limitOf(http),
    isUsable: () => !http.closed && !http.destroyed,
    ended: () => failure,
  }
  return session
}

function limitOf(http: ClientHttp2Session): number {
  return http.remoteSettings.maxConcurrentStreams ?? carefulLimit
}

function connected(socket: Socket, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const isTls = 'alpnProtocol' in socket
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => {
      fail(Object.assign(new Error(`no connection in ${limit / 1000} s`), { code: 'ETIMEDOUT' }))
    }, limit)
    const lost = () => fail(Object.assign(new Error('the line was closed'), { code: 'ECONNRESET' }))
    socket.once('error', fail)
    socket.once('close', lost)
    const done = () => {
      if (isTls && socket.alpnProtocol !== 'h2') {
        return fail(Object.assign(new Error('it does not speak HTTP/2'), { code: 'NO_HTTP2' }))
      }
      clearTimeout(timer)
      socket.off('error', fail)
      socket.off('close', lost)
      resolve()
    }
    if (!isTls && !socket.connecting) done()
    else socket.once(isTls ? 'secureConnect' : 'connect', done)
  })
}

function limitDialling(http: ClientHttp2Session, limit: number): void {
  const timer = setTimeout(() => {
    const message = `no connection in ${limit / 1000} s`
    http.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
  }, limit)
  timer.unref()
  const settle = () => clearTimeout(timer)
  http.once('remoteSettings', settle)
  http.once('close', settle)
}

/** Pings, because a server that vanished silently would leave a watch waiting for ever. */
function keepAlive(http: ClientHttp2Session, { ping, pong }: SessionTimes): void {
  const timer = setInterval(() => {
    if (http.destroyed || http.connecting) return
    const late = setTimeout(() => {
      const message = `it did not answer a ping in ${pong / 1000} s`
      http.destroy(Object.assign(new Error(message), { code: 'SILENT' }))
    }, pong)
    late.unref()
    http.ping(() => clearTimeout(late))
  }, ping)
  timer.unref()
  http.once('close', () => clearInterval(timer))
}
