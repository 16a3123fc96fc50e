/** A replica that stands by answers too: it passes every request on to the one that leads. */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Log } from './log.ts'
import { listening, type Served } from './serve.ts'

export type PassOn = {
  readonly listen: { readonly host: string; readonly port: number }
  /** The address of the one that leads; undefined: nobody does just now, or it can't be known. */
  readonly leader: () => Promise<string | undefined>
  readonly log: Log
}

/** Headers that speak of one connection alone. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export async function passOn({ listen, leader, log }: PassOn): Promise<Served> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    if (request.url === '/healthz') return void response.end('standing by\n')
    void leader().then(
      (url) => (url === undefined ? nobody(response) : forward(url, request, response)),
      () => nobody(response),
    )
  })
  const address = await listening(server, listen)
  log('info', 'standing by', { address: address.url })
  return {
    address,
    async close() {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await ended
    },
  }
}

/** Who asks proves who they are to the leader: tokens and signatures go through as they are. */
function forward(url: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url: path = '/' } = request
  const passed = ask(new URL(path, url), { method, headers: kept(request.headers) })
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, kept(answer.headers))
    response.flushHeaders()
    pipeline(answer, response, () => undefined)
  })
  passed.on('error', () => (response.headersSent ? response.destroy() : nobody(response)))
  response.on('close', () => passed.destroy())
  pipeline(request, passed, () => undefined)
}

function kept<Headers extends NodeJS.Dict<string | string[]>>(
  headers: Headers,
): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))
}

function nobody(response: ServerResponse): void {
  const body = JSON.stringify({
    type: 'urn:tend:problem:unreachable',
    title: 'Service Unavailable',
    status: 503,
    detail: "no replica leads just now, or the database can't be reached",
    code: 'unreachable',
    suggestion: 'try again in a few seconds: another one takes over by itself',
  })
  response.writeHead(503, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Retry-After': '2',
  })
  response.end(body)
}
