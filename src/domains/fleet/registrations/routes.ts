/** Routes to clusters as a registration: `SERVICE.CLUSTER.BASE` goes to the port that the cluster publishes, all others nowhere. */
import { hashOf, isRecord, type Json } from '#model/json.ts'
import { shown } from '#model/plan.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { refOf } from '#model/ref.ts'
import type { Later } from '#model/value.ts'
import type { ClusterRow } from '#model/clusters.ts'
import {
  liveRoutes,
  readRoutes,
  swapRoutes,
  writeRoutes,
  type Routes,
} from '#clients/haproxy/map.ts'
import * as haproxy from '#clients/haproxy/proxy.ts'
import { doesNotRun } from '#clients/haproxy/runtime.ts'
import type { Registration, SeenRegistration, WantedRegistration } from './registration.ts'

const config = 'haproxy.cfg'

type RoutesInput = {
  readonly proxy: haproxy.Proxy
  readonly baseDomain: string
  /** Behind the name of each cluster, where several copies of a fleet must not meet. */
  readonly namespace?: string | undefined
  readonly isWanted: (row: ClusterRow) => boolean
}

/** `dev.BASE`, or `dev-NAMESPACE.BASE`. */
export function hostOfCluster(
  name: string,
  { baseDomain, namespace }: Pick<RoutesInput, 'baseDomain' | 'namespace'>,
): string {
  return `${name}${namespace === undefined ? '' : `-${namespace}`}.${baseDomain}`
}

/** Without the ways to a running HAProxy. */
export function wantedRoute(
  input: Omit<RoutesInput, 'proxy'> & { readonly proxy: haproxy.Listening },
): WantedRegistration {
  const { proxy, isWanted } = input
  const isTls = proxy.https !== undefined
  return {
    kind: 'route',
    noun: 'route',
    shared: new Map([[config, { hash: hashOf(haproxy.configText(proxy)) }]]),
    wanted(row) {
      if (!isWanted(row) || (row.httpPort ?? row.nodePort) === null) return undefined
      const of = (output: string): Later => ({ from: refOf('cluster', row.name), output })
      const tls = isTls ? { tlsPort: row.httpsPort === null ? null : of('tlsPort') } : {}
      return {
        host: hostOfCluster(row.name, input),
        address: of('address'),
        port: of('port'),
        ...tls,
      }
    },
    needs: (row) => [{ ref: refOf('cluster', row.name), until: 'healthy', renew: false }],
  }
}

export function routeRegistration(input: RoutesInput): Registration {
  const { proxy } = input
  const ending = hostOfCluster('', input)
  const files = haproxy.filesOf(proxy.folder)
  const router = routerOf(files.map, files.socket)
  const isTls = proxy.https !== undefined
  const tlsRouter = routerOf(files.tlsMap, files.socket)
  const hostOf = (name: string): string => (name.includes('.') ? name : hostOfCluster(name, input))
  function nameOf(host: string): string {
    const name = host.slice(0, -ending.length)
    return host.endsWith(ending) && name !== '' && !name.includes('.') ? name : host
  }
  return {
    ...wantedRoute(input),
    async list(_wanted, signal) {
      const found = new Map<string, SeenRegistration>()
      const text = haproxy.readConfig(proxy.folder)
      const kept = readRoutes(files.map)
      const live = await seenLive(files.socket, files.map, signal)
      const tls = isTls ? await tlsSeen(files, signal) : undefined
      if (text !== undefined) {
        const drift = await configDrift(proxy, live, signal)
        found.set(config, { spec: { hash: hashOf(text) }, ...(drift === '' ? {} : { drift }) })
      }
      const spec = (host: string, to: string): Json => specOf(host, to, tls?.kept)
      for (const [host, to] of kept) {
        const drift =
          'why' in live ? live.why : differs(host, to, live.routes) || tlsDrift(host, tls)
        found.set(nameOf(host), { spec: spec(host, to), ...(drift === '' ? {} : { drift }) })
      }
      if (!('why' in live)) {
        for (const [host, to] of live.routes) {
          if (kept.has(host)) continue
          found.set(nameOf(host), { spec: spec(host, to), drift: 'its file does not have it' })
        }
      }
      return found
    },
    async put(name, spec, { signal, warn }) {
      if (name !== config) {
        await router.change(hostOf(name), targetIn(spec), signal)
        if (isTls) await tlsRouter.change(hostOf(name), tlsTargetIn(spec), signal)
        return
      }
      const wasDead = await haproxy.isDead(proxy, signal)
      if (await haproxy.applyConfig(proxy, signal)) return
      if (wasDead) return haproxy.start(proxy, signal)
      warn('HAProxy does not run: tend fleet bootstrap starts it')
    },
    /** Nobody is led astray by a proxy that does not run; the file says no more what is gone. */
    async remove(name, { signal, warn }) {
      try {
        await router.change(hostOf(name), undefined, signal)
        if (isTls) await tlsRouter.change(hostOf(name), undefined, signal)
      } catch (thrown) {
        if (!doesNotRun(thrown)) throw thrown
        warn('HAProxy does not run: tend fleet bootstrap starts it')
      }
    },
  }
}

type Live = { readonly routes: Routes } | { readonly why: string }

/** The file is what counts; a process that does not answer has yet to learn of it. */
async function seenLive(socket: string, map: string, signal: AbortSignal): Promise<Live> {
  try {
    return { routes: await liveRoutes(socket, map, signal) }
  } catch (thrown) {
    signal.throwIfAborted()
    const { message } = problemOf(thrown)
    return { why: doesNotRun(thrown) ? `${message} (tend fleet bootstrap starts it)` : message }
  }
}

/** One that was started once and runs no more is brought back. */
async function configDrift(proxy: haproxy.Proxy, live: Live, signal: AbortSignal): Promise<string> {
  if (!('why' in live)) {
    return (await haproxy.isBehind(proxy, signal)) ? 'HAProxy goes by another one' : ''
  }
  return (await haproxy.isDead(proxy, signal)) ? 'HAProxy was started and runs no more' : ''
}

type TlsSeen = { readonly kept: Routes; readonly live: Live }

async function tlsSeen(
  { socket, tlsMap }: { readonly socket: string; readonly tlsMap: string },
  signal: AbortSignal,
): Promise<TlsSeen> {
  return { kept: readRoutes(tlsMap), live: await seenLive(socket, tlsMap, signal) }
}

/** A process of before HTTPS was asked for does not know the map: its configuration is told to be another. */
function tlsDrift(host: string, tls: TlsSeen | undefined): string {
  if (tls === undefined || 'why' in tls.live) return ''
  const [kept, live] = [tls.kept.get(host), tls.live.routes.get(host)]
  if (kept === live) return ''
  return live === undefined
    ? 'HAProxy does not know it for HTTPS'
    : `HAProxy leads HTTPS to ${live}`
}

function differs(host: string, to: string, live: Routes): string {
  const found = live.get(host)
  if (found === to) return ''
  return found === undefined ? 'HAProxy does not know it' : `HAProxy goes to ${found}`
}

/** `tls`: undefined where HTTPS is not routed at all. */
function specOf(host: string, to: string, tls: Routes | undefined): Json {
  const split = to.lastIndexOf(':')
  const plain = { host, address: to.slice(0, split), port: Number(to.slice(split + 1)) }
  if (tls === undefined) return plain
  const found = tls.get(host)
  return { ...plain, tlsPort: found === undefined ? null : Number(found.split(':').at(-1)) }
}

/** Undefined: the cluster publishes nothing for HTTPS. */
function tlsTargetIn(spec: Json): string | undefined {
  const { address, tlsPort } = isRecord<Json>(spec) ? spec : {}
  return typeof tlsPort === 'number' && typeof address === 'string'
    ? `${address}:${tlsPort}`
    : undefined
}

function targetIn(spec: Json): string {
  const { address, port } = isRecord<Json>(spec) ? spec : {}
  if (typeof address === 'string' && /^[\d.]+$/.test(address) && typeof port === 'number') {
    return `${address}:${port}`
  }
  throw new Problem({
    type: 'runtime',
    code: 'bad_value',
    message: `a route needs an IPv4 address and a port, not ${shown(address ?? null)}:${shown(port ?? null)}`,
    suggestion: 'name the address in fleet.yaml: clusters.NAME.address',
  })
}

type Router = {
  change(host: string, to: string | undefined, signal: AbortSignal): Promise<void>
}

/** However many changes come while one swap is under way, the next one carries all of them. */
function routerOf(map: string, socket: string): Router {
  const pending = new Map<string, string | undefined>()
  let next: Promise<void> | undefined
  let current: Promise<void> = Promise.resolve()

  async function flush(signal: AbortSignal): Promise<void> {
    next = undefined
    const routes = new Map(readRoutes(map))
    for (const [host, to] of pending) {
      if (to === undefined) routes.delete(host)
      else routes.set(host, to)
    }
    pending.clear()
    writeRoutes(map, routes)
    await swapRoutes(socket, map, routes, signal)
  }

  return {
    change(host, to, signal) {
      pending.set(host, to)
      // whoever asked for the last change was told
      next ??= current.catch(() => undefined).then(() => flush(signal))
      current = next
      return next
    },
  }
}
