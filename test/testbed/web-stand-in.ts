/** A stand-in for somebody's web service: keeps every request as it came and answers as it is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebStandIn = {
  readonly url: string
  readonly seen: readonly Seen[]
  /** The answers to come, in order; 200 when there are none left. `hang up`: the connection is cut. */
  answer(...answers: readonly (number | 'hang up')[]): void
  close(): Promise<void>
}

export async function webStandIn(): Promise<WebStandIn> {
  const seen: Seen[] = []
  const answers: (number | 'hang up')[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      seen.push({ method: request.method ?? '', path: request.url ?? '', headers, body })
      const next = answers.shift() ?? 200
      if (next === 'hang up') return void request.socket.destroy()
      const moved = next >= 300 && next < 400 ? { Location: '/elsewhere' } : {}
      response.writeHead(next, moved).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    answer: (...next) => void answers.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
