/** Stands before a daemon's unix socket, or a port of this machine: records every call, and fails the ones it is told to. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * `refuse`: 500 without asking the daemon. `cut-before`: the connection ends before the daemon hears of it. `cut-after`: the
 * daemon acts, its answer is lost. `hang`: the daemon acts, no answer ever comes. `garbage`: the daemon acts, and what comes
 * back is of no protocol.
 */
export type Fault = 'pass' | 'refuse' | 'cut-before' | 'cut-after' | 'hang' | 'garbage'

export type Call = {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly isWrite: boolean
}

export type Proxy = {
  readonly socket: string
  /** Where the target is a port. */
  readonly port: number
  calls(): readonly Call[]
  writes(): readonly Call[]
  reads(): readonly Call[]
  /** Forgets the calls so far; numbers begin again at 1. */
  reset(): void
  /** What happens to each call from now on. */
  plan(fault: (call: Call) => Fault): void
  /** What is done before each call from now on goes to the daemon; undefined: nothing. */
  before(work: ((call: Call) => Promise<unknown>) | undefined): void
  stop(): Promise<void>
}

export async function startProxy(
  target: string | number,
  socket = `${target}.proxy`,
): Promise<Proxy> {
  let calls: Call[] = []
  let fault: (call: Call) => Fault = () => 'pass'
  let before: ((call: Call) => Promise<unknown>) | undefined
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    const [method, path] = [incoming.method ?? 'GET', incoming.url ?? '/']
    const call = { number: calls.length + 1, method, path, isWrite: method !== 'GET' }
    calls.push(call)
    const go = (): void => handle(target, fault(call), incoming, outgoing)
    if (before === undefined) return go()
    // whoever calls is told of what failed here by a connection that ends
    void before(call).then(go, () => incoming.socket.destroy())
  })
  server.keepAliveTimeout = 60_000
  server.requestTimeout = 0
  server.on('connection', (connection) => {
    sockets.add(connection)
    connection.on('close', () => sockets.delete(connection))
  })
  if (typeof target === 'string') rmSync(socket, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (typeof target === 'string') server.listen(socket, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  async function stop(): Promise<void> {
    for (const connection of sockets) connection.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    socket,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    calls: () => calls,
    writes: () => calls.filter((call) => call.isWrite),
    reads: () => calls.filter((call) => !call.isWrite),
    reset: () => (calls = []),
    plan: (next) => (fault = next),
    before: (next) => (before = next),
    stop,
  }
}

function handle(
  target: string | number,
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (fault === 'cut-before') return void incoming.socket.destroy()
  if (fault === 'refuse') return refuse(incoming, outgoing)
  const { method, url, headers } = incoming
  const where =
    typeof target === 'string' ? { socketPath: target } : { host: '127.0.0.1', port: target }
  const onward = request({ ...where, method, path: url, headers, agent: false }, (answer) => {
    if (fault !== 'pass') {
      answer.resume()
      if (fault === 'cut-after') answer.once('end', () => incoming.socket.destroy())
      if (fault === 'garbage') answer.once('end', () => incoming.socket.end('\0\xff nonsense\n'))
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.once('error', () => outgoing.destroy())
  })
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
