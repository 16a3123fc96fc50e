/** Stands before a daemon's unix socket: records every call, and fails the ones it is told to. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * `refuse`: 500 without asking the daemon. `cut-before`: the connection ends before the daemon hears of it. `cut-after`: the
 * daemon acts, its answer is lost. `hang`: the daemon acts, no answer ever comes.
 */
export type Fault = 'pass' | 'refuse' | 'cut-before' | 'cut-after' | 'hang'

export type Call = {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly isWrite: boolean
}

export type Proxy = {
  readonly socket: string
  calls(): readonly Call[]
  writes(): readonly Call[]
  reads(): readonly Call[]
  /** Forgets the calls so far; numbers begin again at 1. */
  reset(): void
  /** What happens to each call from now on. */
  plan(fault: (call: Call) => Fault): void
  stop(): Promise<void>
}

export async function startProxy(target: string, socket = `${target}.proxy`): Promise<Proxy> {
  let calls: Call[] = []
  let fault: (call: Call) => Fault = () => 'pass'
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    const [method, path] = [incoming.method ?? 'GET', incoming.url ?? '/']
    const call = { number: calls.length + 1, method, path, isWrite: method !== 'GET' }
    calls.push(call)
    handle(target, fault(call), incoming, outgoing)
  })
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  server.on('connection', (connection) => {
    sockets.add(connection)
    connection.on('close', () => sockets.delete(connection))
  })
  rmSync(socket, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, resolve)
  })
  async function stop(): Promise<void> {
    for (const connection of sockets) connection.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    socket,
    calls: () => calls,
    writes: () => calls.filter((call) => call.isWrite),
    reads: () => calls.filter((call) => !call.isWrite),
    reset: () => (calls = []),
    plan: (next) => (fault = next),
    stop,
  }
}

function handle(
  target: string,
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (fault === 'cut-before') return void incoming.socket.destroy()
  if (fault === 'refuse') return refuse(incoming, outgoing)
  const { method, url, headers } = incoming
  const onward = request(
    { socketPath: target, method, path: url, headers, agent: false },
    (answer) => {
      if (fault === 'cut-after' || fault === 'hang') {
        answer.resume()
        if (fault === 'cut-after') answer.once('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    },
  )
  onward.once('error', () => incoming.socket.destroy())
  outgoing.once('close', () => {
    if (fault === 'pass') onward.destroy()
  })
  incoming.pipe(onward)
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume()
  incoming.once('end', () => {
    const body = { cause: 'injected', message: 'a fault of the test', response: 500 }
    outgoing.writeHead(500, { 'Content-Type': 'application/json' })
    outgoing.end(JSON.stringify(body))
  })
}
