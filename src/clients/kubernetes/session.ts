/** One HTTP/2 session with a server: opened once, pinged while something is under way, and never used past its end. */
import type { ClientHttp2Session } from 'node:http2'
import type { ClusterAccess, Certificate } from './cluster-access.ts'

/** Importing these would cost every start of the program; a cluster is not always asked. */
const builtin: typeof process.getBuiltinModule = (name: string) => process.getBuiltinModule(name)

export type Session = {
  readonly http: ClientHttp2Session
  /** Streams under way, counted by whoever opens them. */
  open: number
  /** Whether a further stream can begin at once. */
  hasRoom(): boolean
  isUsable(): boolean
  /** Whether an answer ever came: one that never answered was not just a kept connection that ended. */
  hasServed: boolean
  /** What ended it, when something did. */
  ended(): unknown
}

export type SessionTimes = {
  /** From dialling to the first frame, ms. */
  readonly connect: number
  /** Between pings while a stream is open, ms, and how long each may take. */
  readonly ping: number
  readonly pong: number
}

export const usualTimes: SessionTimes = { connect: 10_000, ping: 15_000, pong: 10_000 }

/** What a server allows before it said what it allows. */
const carefulLimit = 100

export function openSession(
  access: ClusterAccess,
  certificate: Certificate | undefined,
  times: SessionTimes,
): Session {
  const http2 = builtin('node:http2')
  const url = new URL(access.server)
  const http = http2.connect(url.origin, {
    createConnection: () => dial(access, url, certificate),
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
  return http.connecting ? carefulLimit : (http.remoteSettings.maxConcurrentStreams ?? carefulLimit)
}

function dial(access: ClusterAccess, url: URL, certificate: Certificate | undefined) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (url.protocol === 'http:') return builtin('node:net').connect({ host, port, noDelay: true })
  const net = builtin('node:net')
  const socket = builtin('node:tls').connect({
    host,
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: access.isVerified,
    servername: access.serverName ?? (net.isIP(host) === 0 ? host : ''),
    ...(access.ca === undefined ? {} : { ca: access.ca }),
    ...certificate,
    ...checkedName(access),
  })
  socket.setNoDelay(true)
  socket.once('secureConnect', () => {
    if (socket.alpnProtocol === 'h2') return
    socket.destroy(Object.assign(new Error('it does not speak HTTP/2'), { code: 'NO_HTTP2' }))
  })
  return socket
}

/** Node checks against the host that is dialled; another name has to be asked for. */
function checkedName({ serverName }: ClusterAccess) {
  if (serverName === undefined) return {}
  const { checkServerIdentity } = builtin('node:tls')
  return {
    checkServerIdentity: (_host: string, peer: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(serverName, peer),
  }
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

/** A server that vanished without a word would leave a watch waiting for ever. */
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
