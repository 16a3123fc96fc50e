/** A server that speaks HTTP/2 without TLS and answers as a test says: for what a real API server does only when it is in trouble. */
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { ClusterAccess } from '#clients/kubernetes/cluster-access.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly stream: ServerHttp2Stream
  /** Answers and ends. */
  readonly reply: (
    status: number,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => void
  /** Begins an answer that goes on: each is a line. */
  readonly begin: () => (line: unknown) => void
}

export type KubeStandIn = {
  readonly access: ClusterAccess
  readonly asked: Asked[]
  /** Those that were ever opened. */
  readonly sessions: ServerHttp2Session[]
  stop(): void
}

export async function startKubeStandIn(
  answer: (asked: Asked, count: number) => void,
  settings: { readonly maxConcurrentStreams?: number } = {},
): Promise<KubeStandIn> {
  const asked: Asked[] = []
  const sessions: ServerHttp2Session[] = []
  const server = createServer({ settings })
  server.on('session', (session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    let body = ''
    stream.on('error', () => {})
    stream.setEncoding('utf8').on('data', (part: string) => (body += part))
    stream.on('end', () => {
      const one = askedOf(stream, headers, body)
      asked.push(one)
      answer(one, asked.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    access: {
      server: `http://127.0.0.1:${port}`,
      isVerified: true,
      credential: () => Promise.resolve({}),
    },
    asked,
    sessions,
    stop() {
      for (const session of sessions) session.destroy()
      server.close()
    },
  }
}

function askedOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: string): Asked {
  const url = new URL(headers[':path'] ?? '/', 'http://any')
  return {
    method: headers[':method'] ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    stream,
    reply(status, answer, more = {}) {
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      stream.respond({ ':status': status, 'content-type': 'application/json', ...more })
      stream.end(text)
    },
    begin() {
      stream.respond({ ':status': 200, 'content-type': 'application/json' })
      return (line) => stream.write(`${JSON.stringify(line)}\n`)
    },
  }
}
