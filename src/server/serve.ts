/** The service over HTTP: `serveHttp` listens, `close` says goodbye to everybody. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { usualAuditKept, type AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations, SecretFrom } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { Service } from '#model/service.ts'
import type { Notes } from '#model/store.ts'
import type { TimelineLog } from '#model/timeline.ts'
import { checkBinding } from './access/bind.ts'
import type { Caller, LabelsOf } from './access/caller.ts'
import { guardOf } from './access/guard.ts'
import { keeperOf } from './access/keeper.ts'
import { untilLabelsKnown } from './access/labels-known.ts'
import { anyName, ownNames } from './access/origin-check.ts'
import { sessionsOf } from './access/sessions.ts'
import { setFileToken } from './access/tokens.ts'
import { answer } from './answer.ts'
import { auditorOf } from './audit.ts'
import { prepareAnswers } from './prepared-answers.ts'
import { connectionsOf, type Connections } from './connections.ts'
import { usualLimits, type Limits } from './limits.ts'
import type { Log } from './log.ts'
import { allRoutes } from './routes/all.ts'
import { routerOf } from './router.ts'
import { scopeOf } from './shapes/origin.ts'
import { siteOf, type SiteFiles } from './site.ts'
import { streamsOf } from './streams.ts'

type ServedDeclarations = Pick<
  Declarations,
  'listen' | 'hooks' | 'projectName' | 'isOrigin' | 'audit' | 'login'
> & {
  readonly discoveries: readonly { readonly path: string }[]
}

export type Serving = {
  readonly service: Service
  readonly notes: Notes
  readonly audit: AuditLog
  readonly timeline: TimelineLog
  /** As they are now: hooks may change while the service runs. Where it listens does not. */
  readonly declarations: () => ServedDeclarations
  readonly readSecret: (from: SecretFrom) => Promise<string>
  readonly clock: Clock
  readonly log: Log
  /** The instance's own, which all replicas have: what one of them seals another one opens. */
  readonly key?: Uint8Array | undefined
  /** What TEND_TOKEN_FILE holds, where there is one. */
  readonly fileToken?: string | undefined
  /** The file of an artifact by the path of its address; unset: none are served. */
  readonly artifactFile?: ((path: string) => string | undefined) | undefined
  /** The folder of the dashboard. */
  readonly dashboard?: SiteFiles | undefined
  readonly limits?: Partial<Limits>
}

export type Served = {
  readonly address: { readonly host: string; readonly port: number; readonly url: string }
  close(): Promise<void>
}

export async function serveHttp(serving: Serving): Promise<Served> {
  const { service, notes, audit, timeline, clock, log, declarations, readSecret } = serving
  const { listen, projectName } = declarations()
  const limits = { ...usualLimits, ...serving.limits }
  const isOpen = listen.isOpen ?? false
  await setFileToken(notes, clock, serving.fileToken)
  const login = () => declarations().login
  const sessions = sessionsOf(notes, clock)
  const keeper = keeperOf(notes, clock, isOpen, sessions)
  const isShut = login() !== undefined || (await keeper.hasTokens())
  checkBinding(listen.host, isShut, isOpen)

  const connections = connectionsOf(limits)
  const rules = isOpen ? ownNames(listen.host, listen.hosts ?? []) : anyName
  const scope = scopeOf(declarations())
  const prepared = prepareAnswers(service, scope, clock)
  const labelsOf: LabelsOf = (key) => service.labelsOf(key) ?? {}
  const guard = guardOf({ keeper, rules, limits, connections, clock, labelsOf })
  const kept = { notes, audit, timeline, keeper, sessions }
  const { artifactFile, key } = serving
  const around = { clock, log, scope, projectName, readSecret, artifactFile, key }
  const hooks = () => declarations().hooks
  const routes = allRoutes({ service, prepared, ...kept, ...around, hooks, login }, guard)
  const streams = streamsOf(limits)
  const auditor = auditorOf({
    audit,
    clock,
    log,
    kept: () => declarations().audit?.kept ?? usualAuditKept,
    isLogged: () => declarations().audit?.isLogged ?? false,
  })
  const site = serving.dashboard === undefined ? undefined : siteOf(serving.dashboard)
  const answering = {
    router: routerOf(routes),
    guard,
    streams,
    auditor,
    labelsKnown: (caller: Caller, key: string | undefined, gone: AbortSignal) =>
      untilLabelsKnown(service, clock, caller, key, gone),
    metrics: service.metrics,
    log,
    site,
  }

  const server = serverOf(limits)
  server.on('connection', (socket) => connections.opened(socket))
  server.on('request', (request, response) => {
    connections.asked(request, response)
    // a reader that goes is no news; without a listener it would end the process
    response.on('error', () => undefined)
    void answer(answering, { request, response })
  })
  const callerNow = async (headers: IncomingHttpHeaders): Promise<Caller | undefined> => {
    const found = await keeper.callerOf(headers)
    return 'refusal' in found ? undefined : found
  }
  const address = await listening(server, listen).catch((thrown: unknown) => {
    prepared.close()
    throw thrown
  })
  const beating = setInterval(() => {
    prepared.feed.beat()
    prepared.originFeed.beat()
    void streams
      .check(callerNow)
      .catch((thrown: unknown) =>
        log('warn', 'who reads events could not be checked', { error: String(thrown) }),
      )
    void auditor.flush()
  }, limits.heartbeat)
  log('info', 'listening', { address: address.url })
  return {
    address,
    async close() {
      clearInterval(beating)
      prepared.close()
      streams.close()
      await closed(server, connections, limits.farewell)
      await auditor.flush(true)
    },
  }
}

function serverOf(limits: Limits): Server {
  const server = createServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: Math.max(100, Math.min(5000, limits.headers / 4)),
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    noDelay: true,
  })
  server.on('clientError', refuse)
  return server
}

const refusals: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'the headers are larger than 16 KiB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
}

/** What is no HTTP never becomes a request: the answer is written by hand. */
function refuse(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, detail] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'this is not HTTP/1.1']
  const number = Number(status.slice(0, 3))
  const title = status.slice(4)
  const body = JSON.stringify({
    type: 'urn:tend:problem:usage',
    title,
    status: number,
    detail,
    code: 'usage',
  })
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/problem+json; charset=utf-8`
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

export async function listening(
  server: Server,
  { host, port }: ServedDeclarations['listen'],
): Promise<Served['address']> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen({ host, port }, resolve)
  })
  const bound = server.address()
  const actual = typeof bound === 'object' && bound !== null ? bound.port : port
  const name = host.includes(':') ? `[${host}]` : host
  return { host, port: actual, url: `http://${name}:${actual}` }
}

function cannotListen(error: Error, host: string, port: number): Problem {
  return new Problem({
    type: 'configuration',
    code: 'port_taken',
    message: `cannot listen on ${host}:${port}: ${error.message}`,
    suggestion: 'end what uses the port, or choose another (PORT, or listen in tend.yaml)',
    cause: error,
  })
}

async function closed(server: Server, connections: Connections, farewell: number): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.closeIdle()
  const hurry = setTimeout(() => server.closeAllConnections(), farewell)
  await ended
  clearTimeout(hurry)
}
