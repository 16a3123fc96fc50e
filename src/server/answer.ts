/** One request from its first line to its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, problemOf } from '#model/problem.ts'
import type { Metrics } from '#model/service.ts'
import { newNote, type Auditor, type AuditNote } from './audit.ts'
import type { Caller } from './access/caller.ts'
import type { Guard } from './access/guard.ts'
import { notFound } from './access/refusals.ts'
import { checkApp } from './access/scope.ts'
import { HeldElsewhere } from '#model/replicas.ts'
import { passOnHeld } from './forward.ts'
import { readBody } from './body.ts'
import type { Log } from './log.ts'
import { failureOf, type Failure } from './problem-answer.ts'
import type { Reply } from './reply.ts'
import type { Route } from './route.ts'
import type { Router } from './router.ts'
import { beginStream, sendBytes } from './send.ts'
import type { Streams } from './streams.ts'

type Answering = {
  readonly router: Router
  readonly guard: Guard
  readonly streams: Streams
  readonly auditor: Auditor
  /** Resolves when it is known what a caller who is bound by labels may use. */
  readonly labelsKnown: (
    caller: Caller,
    key: string | undefined,
    gone: AbortSignal,
  ) => Promise<void>
  readonly metrics: Metrics
  readonly log: Log
  /** Files of the dashboard, where there are any. */
  readonly site: ((path: string) => Reply | undefined) | undefined
}

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The body, once it is read. */
  bytes?: Buffer
}

export async function answer(parts: Answering, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  const began = performance.now()
  const [path, query] = split(request.url ?? '/')
  const found = parts.router.find(request.method ?? 'GET', path)
  const route = found.kind === 'route' ? found.route : undefined
  const note = newNote()
  try {
    if (route === undefined) parts.guard.greet(request)
    const page = path === '/' && wantsPage(request) ? parts.site?.('/') : undefined
    if (page?.kind === 'bytes') return sendBytes(request, response, page.status, page.body)
    if (found.kind === 'methods') return sendMethods(exchange, found.allow, found.errors, parts.log)
    if (found.kind === 'nothing') return await sendUnknown(parts, exchange, path)
    await perform(parts, exchange, found.route, found.params, query, note)
  } catch (caught) {
    const elsewhere =
      caught instanceof HeldElsewhere && !response.headersSent
        ? passOnHeld(caught, request, response, exchange.bytes, (problem) =>
            fail(exchange, problem, failureOf(problem, errorsOf(found), parts.log)),
          )
        : undefined
    if (caught instanceof HeldElsewhere && elsewhere === undefined) return
    const thrown = elsewhere ?? (isLeft(exchange, caught) ? whoAskedLeft : caught)
    const failure = failureOf(thrown, errorsOf(found), parts.log)
    if (route !== undefined) {
      note.detail ||= problemOf(thrown).message
      await parts.auditor.answered(note, route, request, failure.status)
    }
    fail(exchange, thrown, failure)
  } finally {
    measure(parts, exchange, route, performance.now() - began)
  }
}

const whoAskedLeft = new Problem({
  type: 'runtime',
  code: 'interrupted',
  message: 'who asked went away before the answer',
})

/** Work that ended because nobody waits for it any more is no bug. */
function isLeft({ response }: Exchange, thrown: unknown): boolean {
  return response.destroyed && thrown instanceof Error && thrown.name === 'AbortError'
}

/** Browsers ask for a page; the origin's clients for text. */
function wantsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

async function perform(
  { guard, streams, auditor, labelsKnown }: Answering,
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
  query: string,
  note: AuditNote,
): Promise<void> {
  const { request, response } = exchange
  note.app = params['key'] ?? ''
  const caller = await guard.admit(request, route, note)
  const signal = goneSignal(route, response)
  await labelsKnown(caller, params['key'], signal)
  if (params['key'] !== undefined) checkApp(caller, params['key'])
  const bytes = await readBody(request, route.most)
  exchange.bytes = bytes
  const asked = { request, bytes, caller, note, signal }
  const reply = await route.perform(asked, params, query === '' ? none : textsOf(query))
  if (reply.kind === 'bytes') {
    await auditor.answered(note, route, request, reply.status)
    return sendBytes(request, response, reply.status, reply.body, reply.headers)
  }
  if (request.method === 'HEAD') {
    beginStream(response, reply.type)
    response.end()
    return
  }
  streams.open(exchange, caller)
  beginStream(response, reply.type)
  await reply.write(response, asked.signal)
}

const none = {}
const never = new AbortController().signal

/** Answers that lie ready are not worth watching their readers. */
function goneSignal(route: Route, response: ServerResponse): AbortSignal {
  if (route.cost === 'cached') return never
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function split(url: string): readonly [path: string, query: string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** Of a name that is there twice the first counts. */
function textsOf(query: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) texts[name] ??= value
  return texts
}

function errorsOf(found: ReturnType<Router['find']>): Route['errors'] {
  switch (found.kind) {
    case 'route':
      return found.route.errors
    case 'methods':
      return found.errors
    case 'nothing':
      return 'problem'
  }
}

function sendMethods(
  { request, response }: Exchange,
  allow: string,
  errors: Route['errors'],
  log: Log,
): void {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { Allow: allow })
    response.end()
    return
  }
  const problem = new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${request.method ?? ''} is not possible here`,
    suggestion: `use ${allow}`,
  })
  const { body } = failureOf(problem, errors, log, 405)
  sendBytes(request, response, 405, body, ['Allow', allow])
}

async function sendUnknown(parts: Answering, exchange: Exchange, path: string): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const reply = isRead && !path.startsWith('/api/') ? parts.site?.(path) : undefined
  if (reply?.kind === 'bytes') return sendBytes(request, response, reply.status, reply.body)
  throw notFound('there is nothing at this path', '/api/openapi.json lists all paths')
}

function fail({ request, response }: Exchange, thrown: unknown, failure: Failure): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { status, body } = failure
  const more: string[] = []
  if (status === 401) more.push('WWW-Authenticate', 'Bearer realm="tend"')
  if (status === 429 || status === 503) more.push('Retry-After', waitIn(thrown))
  // what was not read of the body is not read any more
  if (!request.complete) more.push('Connection', 'close')
  sendBytes(request, response, status, body, more)
}

function waitIn(thrown: unknown): string {
  return (thrown instanceof Problem && /\d+/.exec(thrown.suggestion ?? '')?.[0]) || '1'
}

/** Labels have few values: the route's pattern, never the path. */
function measure(
  { metrics, log }: Answering,
  { request, response }: Exchange,
  route: Route | undefined,
  milliseconds: number,
): void {
  const path = route?.path ?? '(none)'
  const status = String(response.statusCode)
  metrics.count('tend_http_requests_total', { route: path, status })
  if (route?.cost === 'cached') return
  metrics.observe('tend_http_request_seconds', { route: path }, milliseconds / 1000)
  log('debug', 'answered', { method: request.method ?? '', route: path, status, milliseconds })
}
