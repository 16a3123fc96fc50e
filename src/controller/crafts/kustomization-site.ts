/** One cluster with all kustomizations of its objects: each with ports of its own, all of them in sight together. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { accountUser, type Clusters, type Line } from '#clients/kubernetes/clusters.ts'
import { kustomizationsKind, kustomizationTarget } from '#domains/kustomizations/domain.ts'
import { setMemory, type SetMemory } from '#domains/kustomizations/memory.ts'
import type { ObjectName, Owner } from '#domains/kustomizations/object.ts'
import type { ServerMarks } from '#domains/kustomizations/server-mark.ts'
import { readSpec, type KustomizationSpec } from '#domains/kustomizations/spec.ts'
import type { Claims } from '#domains/kustomizations/ways.ts'
import { keyOf } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import type { Declared } from '#model/declaration.ts'
import type { Json } from '#model/json.ts'
import { Problem, problemOf, type Place } from '#model/problem.ts'
import type { Target } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import type { Snapshot } from '#model/source.ts'
import type { Ports, Site } from '../craft.ts'
import type { Gathered } from '../flux/gather.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { Log } from '../log.ts'
import type { RenderPool } from '../render/render-pool.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { unchanged } from '#model/unchanged.ts'
import type { ClaimsBook } from './claims-book.ts'
import type { Outside } from './kustomize-outside.ts'
import { kustomizationsSight } from './kustomizations-sight.ts'

/** What is known beside the declarations: clusters, and what specs name in them. */
export type KubeSurroundings = {
  readonly clock: Clock
  readonly log: Log
  readonly address: string
  readonly clusters: Clusters
  readonly gathered: (key: string) => Gathered
  /** For builds that need more than we do; undefined: nobody named a program. */
  readonly outside: Outside | undefined
  /** What its object says it consists of; undefined: nobody knows. */
  inventory(key: string): readonly ObjectName[] | undefined
  /** All that may be removed in its name. */
  belongings(key: string): Promise<ReadonlySet<Ref>>
  /** The spec of one that is declared no more: its end is brought about with its own rights. */
  lastSpec(key: string): Json | undefined
  readonly claims: ClaimsBook
  /** What sets were last rendered from, by application. */
  readonly snapshots: Map<string, Snapshot>
  readonly renders: RenderPool
}

export function kubeSite(around: KubeSurroundings, instance: string, called: () => void): Site {
  const { clock, clusters, address } = around
  const memories = new Map<string, SetMemory>()
  const serverMarks = new Map<string, ServerMarks>()
  /** Of those that have no object: where, and with whose rights, they are brought to an end. */
  const filed = new Map<string, Json>()
  const sight = kustomizationsSight(clock, instance, (plural, problem) => {
    around.log('warning', `nothing is heard of ${plural}`, { why: problemOf(problem).message })
  })
  sight.of(clusters.local())

  /** As a service account of the namespace that the Kustomization lives in, and of no other. */
  function lineFor(key: string, namespace: string, spec: KustomizationSpec): Line {
    const account = spec.serviceAccountName
    const user = account === '' ? undefined : accountUser(namespace, account)
    if (spec.kubeConfig === undefined) return clusters.local(user)
    return clusters.remote({ name: `of ${key}`, text: remoteFor(around.gathered(key)) }, user)
  }

  /** Another set of the same cluster that declares it: one moves from set to set without being deleted on the way. */
  function claimantOf(key: string, ref: Ref, by: Owner | undefined): string | undefined {
    const { kubeConfig } = around.gathered(key)
    const meant = by && keyOf({ kind: 'kustomization', ...by })
    return around.claims.find(ref, (other) => {
      const isMeant = other !== key && (meant === undefined || other === meant)
      return isMeant && around.gathered(other).kubeConfig === kubeConfig
    })
  }

  function portsFor(owner: string, declared: Declared | undefined): Ports {
    const key = owner.slice(instance.length + 1)
    const { namespace: space, name = '' } = applicationOf(key) ?? {}
    const namespace = space ?? 'default'
    if (declared !== undefined) filed.set(key, declared.values)
    const { spec } = readSpec(declared?.values ?? around.lastSpec(key) ?? filed.get(key) ?? {})
    const line = lineFor(key, namespace, spec)
    const memory = memories.get(`${line.key} ${owner}`) ?? setMemory()
    memories.set(`${line.key} ${owner}`, memory)
    const marks = serverMarks.get(line.key) ?? {}
    serverMarks.set(line.key, marks)
    // without a declaration everything goes
    const ways = {
      ...spec,
      prune: declared === undefined || spec.prune,
      keepsFailed: declared !== undefined && declared.policy.rollback !== 'auto',
    }
    const claims: Claims = (ref, by) => claimantOf(key, ref, by)
    // in another cluster there may be sets of others by the same name
    const isHere = spec.kubeConfig === undefined
    const isAbandoned = (other: Owner): boolean =>
      isHere && around.claims.hasLeft(keyOf({ kind: 'kustomization', ...other }))
    return {
      kind: kustomizationsKind(ways, claims),
      target: kustomizationTarget({
        kubernetes: counted(line.kubernetes, called),
        discovery: line.discovery,
        clock,
        owner: { namespace, name },
        ways,
        claims,
        placeOf: (...asked) => placeOf(around, key, ...asked),
        isAbandoned: declared === undefined ? isAbandoned : undefined,
        inventory: around.inventory(key),
        belongings: () => around.belongings(key),
        sight: sight.of(line, owner),
        serverMarks: marks,
        memory,
      }),
    }
  }

  return {
    address,
    isLocal: false,
    kind: kustomizationsKind({}),
    marks: false,
    get target(): Target {
      throw new TypeError('each kustomization has a target of its own')
    },
    portsFor,
    async sight(signal) {
      await ping(clusters.local().kubernetes, signal)
      return { apps: await sight.apps(signal), orphans: new Map() }
    },
    watch: (signal) => sight.news(signal),
    ping: (signal) => ping(clusters.local().kubernetes, signal),
    mark: async () => undefined,
    adopt: async () => ({ matching: 0, differing: 0 }),
    containers: async () => [],
    // oxlint-disable-next-line require-yield
    async *logs() {
      throw new TypeError('logs of pods are read with kubectl')
    },
    close: () => sight.close(),
  }
}

/** A cluster that can't be found is never taken for this one. */
function remoteFor({ kubeConfig, problem }: Gathered): string {
  if (kubeConfig !== undefined) return kubeConfig
  throw new Problem({
    type: 'runtime',
    code: 'bad_reference',
    recoverable: true,
    message: problem?.message ?? 'the kubeconfig of its cluster is not known yet',
    suggestion:
      'put it back; or, to let go of what is in that cluster, set deletionPolicy: Orphan before deleting it',
  })
}

async function ping(kubernetes: Kubernetes, signal: AbortSignal): Promise<void> {
  await kubernetes.ask('GET', '/readyz', { signal, doing: 'could not reach the cluster' })
}

function counted(kubernetes: Kubernetes, called: () => void): Kubernetes {
  return {
    ...kubernetes,
    as: (who) => counted(kubernetes.as(who), called),
    ask(method, path, ask) {
      called()
      return kubernetes.ask(method, path, ask)
    },
    stream(path, ask) {
      called()
      return kubernetes.stream(path, ask)
    },
  }
}

/** Only to tell a place better: a commit whose files are gone by now tells none. */
/** The file is a repository's: it is read where renders are. */
async function placeOf(
  { snapshots, renders }: KubeSurroundings,
  key: string,
  origin: Place,
  kind: string,
  message: string,
): Promise<Place | undefined> {
  const snapshot = snapshots.get(key)
  if (snapshot === undefined) return undefined
  const asked = { files: filesOfSnapshot(snapshot), origin, kind, message }
  const limits = { timeout: placeTimeout }
  const found = await renders
    .for(key)
    .run('place', asked, limits)
    .catch(() => undefined)
  return found === unchanged ? undefined : found
}

/** ms. A line is not worth more. */
const placeTimeout = 3_000
