/** Stands before a real API server, call by call: passes them on, or answers, delays and cuts the ones that it is told to. */
import { readFileSync } from 'node:fs'
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { ClusterAccess } from '#clients/kubernetes/cluster-access.ts'
import type { TestKube } from './kube.ts'

/**
 * `cut-before`: the server never hears of it. `cut-after`: it acts, its answer is lost. `hang`: it acts, no answer comes. `garbage`: an
 * answer that says that all is well, and bytes of no language. A number is answered at once.
 */
export type KubeFault =
  | 'pass'
  | 'slow'
  | 'cut-before'
  | 'cut-after'
  | 'hang'
  | 'garbage'
  | 429
  | 500
  | 409

export type KubeCall = {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly isWatch: boolean
}

export type KubeFaults = {
  readonly access: ClusterAccess
  readonly port: number
  /** What happens to each call from now on; numbers begin again at 1. */
  plan(fault: (call: KubeCall) => KubeFault): void
  calls(): number
  /** Ends all watches that are under way, or all connections. */
  cutWatches(): void
  cutAll(): void
  stop(): void
}

export async function startKubeFaults(kube: TestKube): Promise<KubeFaults> {
  let fault: (call: KubeCall) => KubeFault = () => 'pass'
  let count = 0
  let onward: ClientHttp2Session | undefined
  const sessions = new Set<ServerHttp2Session>()
  const watches = new Set<ServerHttp2Stream>()
  const ca = kube.ca || readFileSync(kube.kubeconfig, 'utf8')

  function far(): ClientHttp2Session {
    if (onward === undefined || onward.closed || onward.destroyed) {
      onward = connect(kube.server, { ca })
      onward.on('error', () => onward?.destroy())
    }
    return onward
  }

  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (near, headers) => {
    count += 1
    near.on('error', () => undefined)
    const path = headers[':path'] ?? '/'
    const isWatch = path.includes('watch=true')
    if (isWatch) {
      watches.add(near)
      near.on('close', () => watches.delete(near))
    }
    const what = fault({ number: count, method: headers[':method'] ?? 'GET', path, isWatch })
    if (what === 'cut-before') near.close(2)
    else if (typeof what === 'number') refuse(near, what)
    else if (what === 'garbage') answerGarbage(near)
    else if (what === 'slow') setTimeout(() => pass(far(), near, headers, 'pass'), 300)
    else if (what === 'hang') pass(far(), near, headers, 'hang')
    else pass(far(), near, headers, what === 'cut-after' ? 'cut' : 'pass')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const cutAll = () => sessions.forEach((session) => session.destroy())
  return {
    port,
    access: faultsAccess(port, kube.token),
    plan(next) {
      fault = next
      count = 0
    },
    calls: () => count,
    cutWatches: () => watches.forEach((stream) => stream.close(2)),
    cutAll,
    stop() {
      cutAll()
      onward?.destroy()
      server.close()
    },
  }
}

export function faultsAccess(port: number, token: string): ClusterAccess {
  return {
    server: `http://127.0.0.1:${port}`,
    isVerified: true,
    credential: () => Promise.resolve({ authorization: `Bearer ${token}` }),
  }
}

function refuse(near: ServerHttp2Stream, code: number): void {
  near.resume()
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message: 'injected' }
  const again = code === 429 ? { 'retry-after': '0' } : {}
  near.respond({ ':status': code, 'content-type': 'application/json', ...again })
  near.end(JSON.stringify(body))
}

function answerGarbage(near: ServerHttp2Stream): void {
  near.resume()
  near.respond({ ':status': 200, 'content-type': 'application/json' })
  near.end(Buffer.alloc(64, 0xfe))
}

function pass(
  far: ClientHttp2Session,
  near: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  then: 'pass' | 'cut' | 'hang',
): void {
  if (near.destroyed) return
  const { ':authority': _, ':scheme': __, ...rest } = headers
  // a DELETE has a body too: its preconditions
  const asked = far.request(rest, { endStream: false })
  asked.on('error', () => near.close(2))
  asked.on('response', (answer) => {
    if (near.destroyed) return asked.close()
    if (then !== 'pass') {
      asked.resume()
      return void asked.on('end', () => (then === 'cut' ? near.close(2) : undefined))
    }
    const { connection: ___, ...kept } = answer
    near.respond(kept)
    asked.pipe(near)
  })
  asked.on('close', () => {
    if (asked.rstCode !== 0 && !near.destroyed) near.close(2)
  })
  near.on('close', () => asked.close())
  near.pipe(asked)
}
