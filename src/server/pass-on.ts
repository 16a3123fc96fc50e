/** A replica that stands by answers too: it passes every request on to the one that leads. */
import { createServer, type ServerResponse } from 'node:http'
import { forward } from './forward.ts'
import type { Log } from './log.ts'
import { listening, type Served } from './serve.ts'

type PassOn = {
  readonly listen: { readonly host: string; readonly port: number }
  /** The address of the one that leads; undefined: nobody does just now, or it can't be known. */
  readonly leader: () => Promise<string | undefined>
  readonly log: Log
}

export async function passOn({ listen, leader, log }: PassOn): Promise<Served> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    if (request.url === '/healthz') return void response.end('standing by\n')
    void leader().then(
      (url) =>
        url === undefined
          ? nobody(response)
          : forward(url, request, response, undefined, () => nobody(response)),
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

function nobody(response: ServerResponse): void {
  const body = JSON.stringify({
    type: 'urn:tend:problem:unreachable',
    title: 'Service Unavailable',
    status: 503,
    detail: "this replica takes no part just now: the database can't be reached",
    code: 'unreachable',
    suggestion: 'try again in a few seconds: it goes on by itself when the database is back',
  })
  response.writeHead(503, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Retry-After': '2',
  })
  response.end(body)
}
