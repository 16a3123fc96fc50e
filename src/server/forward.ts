/** Requests that another replica has to answer are passed on to it. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { Problem } from '#model/problem.ts'
import type { HeldElsewhere } from '#model/replicas.ts'

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

/** A request that was passed on once is not passed on again: what moves meanwhile is asked for anew. */
const mark = 'tend-passed-on'

/** A replica that does not begin to answer what is only read, for so long, stands still: others take over from it sooner, ms. */
const patience = 20_000

/** Passes it on to who looks after it. Gives the problem where nobody does. */
export function passOnHeld(
  { key, url }: HeldElsewhere,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer | undefined,
  failed: (problem: Problem) => void,
): Problem | undefined {
  if (url !== undefined && request.headers[mark] === undefined) {
    forward(url, request, response, bytes, () => failed(unheld(key)))
    return undefined
  }
  return unheld(key)
}

function unheld(key: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `no replica looks after ${key} at this moment`,
    suggestion: 'try again in a few seconds: another one takes it over by itself',
    recoverable: true,
  })
}

/** The same for one of several things that a request asks for: an answer in JSON. */
export async function askHolder(
  held: HeldElsewhere,
  request: IncomingMessage,
  path: string,
  body: unknown,
): Promise<unknown> {
  const { key, url } = held
  if (url === undefined || request.headers[mark] !== undefined) throw held
  const { 'content-length': _length, host: _host, ...headers } = kept(request.headers)
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...Object.fromEntries(texts), 'content-type': 'application/json', [mark]: key },
    body: JSON.stringify(body),
  })
  return answer.json()
}

/** Who asks proves who they are to the other one: tokens and signatures go through as they are. */
export function forward(
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer | undefined,
  failed: () => void,
  limit = patience,
): void {
  const { method = 'GET', url: path = '/' } = request
  const headers = { ...kept(request.headers), [mark]: '1' }
  const passed = ask(new URL(path, url), { method, headers })
  // whoever changes something may have asked to wait until it is done
  const late = method === 'GET' ? setTimeout(() => passed.destroy(), limit) : undefined
  passed.on('close', () => clearTimeout(late))
  passed.on('response', (answer) => {
    clearTimeout(late)
    response.writeHead(answer.statusCode ?? 502, kept(answer.headers))
    response.flushHeaders()
    pipeline(answer, response, () => undefined)
  })
  passed.on('error', () => (response.headersSent ? response.destroy() : failed()))
  response.on('close', () => passed.destroy())
  if (bytes === undefined) pipeline(request, passed, () => undefined)
  else passed.end(bytes)
}

function kept<Headers extends NodeJS.Dict<string | string[]>>(
  headers: Headers,
): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))
}
