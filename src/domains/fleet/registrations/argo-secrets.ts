/** Clusters in Argo CD as a registration: an account with a token in the cluster, a Secret `cluster-NAME` where Argo CD runs. */
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { hashOf, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { refOf } from '#model/ref.ts'
import { dropAccount, dropToken, tokenIn } from './argo-account.ts'
import type { Registration, SeenRegistration, WantedRegistration } from './registration.ts'
import { isLoopback } from '../cluster-spec.ts'
import { reachFromArgo, type Reach } from './argo-reach.ts'
import {
  applyAll,
  fleetLabel,
  object,
  refuseStrange,
  removeAll,
  whoseIs,
  type Inside,
  type ClusterConnections,
} from './objects-in-cluster.ts'

type ArgoInput = {
  readonly management: Kubernetes
  readonly namespace: string
  /** Part of a label that says which Secrets are ours. */
  readonly fleet: string
  /** How clusters are reached from where Argo CD runs, if not as from here. */
  readonly host: string | undefined
  readonly isWanted: (row: ClusterRow) => boolean
  readonly connections: ClusterConnections
}

const noteOf = {
  server: 'tend-fleet/server',
  authority: 'tend-fleet/authority',
  host: 'tend-fleet/host',
} as const
const dataNote = 'tend-fleet/data'
const typeLabel = 'argocd.argoproj.io/secret-type'

export function wantedArgoSecret({
  host,
  isWanted,
}: Pick<ArgoInput, 'host' | 'isWanted'>): WantedRegistration {
  return {
    kind: 'secret',
    noun: 'Argo CD secret',
    wanted(row) {
      if (!isWanted(row)) return undefined
      const from = refOf('cluster', row.name)
      const server = { from, output: 'server' }
      const authority = { from, output: 'authority' }
      const known = { server, authority, provider: row.provider, host: host ?? '' }
      if (host === undefined || isLoopback(host) || !isHosted(row.provider)) return known
      return { ...known, reach: { from, output: 'reach' } }
    },
    needs: (row) => [{ ref: refOf('cluster', row.name), until: 'healthy', renew: false }],
  }
}

export function argoSecretRegistration(input: ArgoInput): Registration {
  const { management, namespace, fleet, connections } = input
  const secrets = `/api/v1/namespaces/${namespace}/secrets`
  const reaching = { management, namespace, fleet, connections }
  async function ours(signal: AbortSignal): Promise<readonly JsonRecord[]> {
    const doing = `could not list the secrets of ${namespace}`
    const query = { labelSelector: `${fleetLabel}=${fleet}` }
    const said = await management.ask('GET', secrets, { query, signal, doing })
    return recordsOf(recordOf(said.body)['items'])
  }

  return {
    ...wantedArgoSecret(input),
    close: () => management.close(),
    covers: 'ways from Argo CD',
    covered: 'it reaches all clusters',
    isToldAtOnce: true,
    async lacks(signal) {
      const all = await ours(signal)
      const places = all.map((secret) => decoded(recordOf(secret['data']))['server'] ?? '')
      const reaches = await reachFromArgo(reaching, places, signal)
      return reaches.flatMap((reach, index) => {
        const name = nameOf(all[index] ?? {})
        return reach.kind === 'reached' ? [] : [reachWords(name, places[index] ?? '', reach)]
      })
    },
    async list(wanted, signal) {
      const all = await ours(signal)
      const { host } = input
      const isChecked = host !== undefined && !isLoopback(host)
      const seen = await Promise.all(all.map((one) => seenOf(one, wanted, connections, signal)))
      return new Map(seen.map(([name, one]) => [name, isChecked ? withReach(one) : one]))
    },
    async put(name, spec, { signal, warn }) {
      if (isRecord<Json>(spec) && spec['reach'] === 'loopback') throw unreachable(name, spec, input)
      const place = serverFor(spec, input.host)
      const [reach] = await reachFromArgo(reaching, [place], signal)
      if (reach?.kind === 'unreachable') throw outOfReach(name, place, reach, input)
      if (reach?.kind === 'unknown') warn(reachWords(name, place, reach))
      const inside = connections.open(name)
      try {
        const doing = `could not register ${name} in Argo CD`
        const path = `${secrets}/cluster-${name}`
        await refuseStrange(management, path, fleet, doing, signal)
        let token = await tokenIn(inside.api, fleet, connections, signal)
        if (!(await connections.accepts(name, token, signal))) {
          await dropToken(inside.api, fleet, signal)
          token = await tokenIn(inside.api, fleet, connections, signal)
        }
        const body = secretOf(name, spec, token, inside, input)
        await applyAll(management, [[path, body]], doing, signal)
      } finally {
        inside.api.close()
      }
    },
    async remove(name, { signal, warn }) {
      const doing = `could not remove ${name} from Argo CD`
      const path = `${secrets}/cluster-${name}`
      const whose = await whoseIs(management, path, fleet, doing, signal)
      if (whose === 'ours') await removeAll(management, [path], doing, signal)
      await leave(name, fleet, connections, signal, warn)
    },
  }
}

/** Those whose API server is published by an engine: where it listens is known. */
function isHosted(provider: string): boolean {
  return provider === 'kind' || provider === 'k3d'
}

/** A Secret that was written was reachable then: it differs from what is wanted where the cluster is not by now. */
function withReach(seen: SeenRegistration): SeenRegistration {
  const { spec } = seen
  if (!isRecord<Json>(spec) || !isHosted(textOf(spec['provider']))) return seen
  return { ...seen, spec: { ...spec, reach: '' } }
}

function unreachable(name: string, spec: JsonRecord, { host }: ArgoInput): Problem {
  const provider = textOf(spec['provider'])
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `Argo CD can't reach ${name} at ${host ?? ''}: its API server listens on 127.0.0.1 of this host alone`,
    suggestion: `say where it listens: providers.${provider}.apiAddress: 0.0.0.0 in fleet.yaml, or tend fleet set ${name} api_address=0.0.0.0; then reconcile --from-db --recreate`,
  })
}

function reachWords(
  name: string,
  place: string,
  { kind, why }: Exclude<Reach, { readonly kind: 'reached' }>,
): string {
  return kind === 'unknown'
    ? `nobody knows whether Argo CD reaches ${name} at ${place}: ${why}`
    : `Argo CD can't reach ${name} at ${place}: ${why}`
}

function outOfReach(
  name: string,
  place: string,
  reach: Extract<Reach, { readonly kind: 'unreachable' }>,
  { host }: ArgoInput,
): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: reachWords(name, place, reach),
    suggestion:
      host === undefined
        ? 'say how this host is reached from inside the management cluster: argocd.host in fleet.yaml'
        : `see that ${host} is this host there, that no firewall is between, and where the API server listens: tend fleet set ${name} api_address=0.0.0.0`,
  })
}

/** A cluster that stays keeps no account of ours; most are gone by now. */
async function leave(
  name: string,
  fleet: string,
  connections: ClusterConnections,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<void> {
  const inside = connectionInto(name, connections)
  if (inside === undefined) return
  try {
    await dropAccount(inside.api, fleet, signal)
  } catch (thrown) {
    signal.throwIfAborted()
    warn(problemOf(thrown).message)
  } finally {
    inside.api.close()
  }
}

export function connectionInto(name: string, connections: ClusterConnections): Inside | undefined {
  try {
    return connections.open(name)
  } catch {
    // a cluster without a usable kubeconfig can't be entered
    return undefined
  }
}

async function seenOf(
  secret: JsonRecord,
  wanted: ReadonlySet<string>,
  connections: ClusterConnections,
  signal: AbortSignal,
): Promise<[string, SeenRegistration]> {
  const metadata = recordOf(secret['metadata'])
  const labels = textMapOf(metadata['labels'])
  const notes = textMapOf(metadata['annotations'])
  const name = nameOf(secret)
  const spec = {
    server: notes[noteOf.server] ?? '',
    authority: notes[noteOf.authority] ?? '',
    provider: labels['provider'] ?? '',
    host: notes[noteOf.host] ?? '',
  }
  const data = decoded(recordOf(secret['data']))
  const isMarked =
    labels[typeLabel] === 'cluster' && labels['env'] === name && labels['type'] === 'business'
  if (!isMarked || notes[dataNote] !== hashOf(data).slice(0, 16)) {
    return [name, { spec, drift: 'somebody changed it' }]
  }
  if (!wanted.has(name)) return [name, { spec }]
  const isTaken = await connections.accepts(name, tokenOf(data['config'] ?? ''), signal)
  return [name, { spec, ...(isTaken ? {} : { drift: 'its token is stale' }) }]
}

function nameOf(secret: JsonRecord): string {
  return textOf(recordOf(secret['metadata'])['name']).replace(/^cluster-/, '')
}

/** As Argo CD is told it. */
function serverFor(spec: Json, host: string | undefined): string {
  const server = new URL(textOf(recordOf(spec)['server']))
  if (host !== undefined) server.hostname = host
  return server.href.replace(/\/$/, '')
}

function decoded(data: JsonRecord): Record<string, string> {
  const fields = ['name', 'server', 'config']
  return Object.fromEntries(
    fields.map((field) => [field, Buffer.from(textOf(data[field]), 'base64').toString()]),
  )
}

function tokenOf(config: string): string {
  try {
    const parsed: Json = JSON.parse(config)
    return textOf(recordOf(parsed)['bearerToken'])
  } catch {
    // a config that is no JSON holds no token
    return ''
  }
}

/** An authority and `insecure` exclude each other: there is no way to say the second. */
function secretOf(
  name: string,
  spec: Json,
  token: string,
  { ca }: Inside,
  { namespace, fleet, host }: ArgoInput,
): JsonRecord {
  const wanted = isRecord<Json>(spec) ? spec : {}
  const serverName = new URL(textOf(wanted['server'])).hostname
  const tlsClientConfig = {
    insecure: false,
    ...(ca === undefined ? {} : { caData: Buffer.from(ca).toString('base64') }),
    ...(host === undefined ? {} : { serverName }),
  }
  const stringData = {
    name,
    server: serverFor(spec, host),
    config: JSON.stringify({ bearerToken: token, tlsClientConfig }),
  }
  const provider = textOf(wanted['provider'])
  const labels = { [typeLabel]: 'cluster', env: name, provider, type: 'business' }
  const annotations = {
    [noteOf.server]: textOf(wanted['server']),
    [noteOf.authority]: textOf(wanted['authority']),
    ...(host === undefined ? {} : { [noteOf.host]: host }),
    [dataNote]: hashOf(stringData).slice(0, 16),
  }
  const all = { ...labels, [fleetLabel]: fleet }
  const metadata = { name: `cluster-${name}`, namespace, labels: all, annotations }
  return object('v1', 'Secret', metadata, { stringData })
}
