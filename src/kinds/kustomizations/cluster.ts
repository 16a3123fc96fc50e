/** One cluster with all kustomizations of its objects: each with ports of its own, all of them listed and watched together. */
import { aboutCluster } from '#clients/kubernetes/about.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { accountUser, type Clusters, type Line } from '#clients/kubernetes/clusters.ts'
import { timedLogLines, type LogsWanted, type TimedLogLine } from '#clients/kubernetes/logs.ts'
import { podContainersOf } from '#domains/kustomizations/look/set-pods.ts'
import { kustomizationsKind, kustomizationTarget } from '#domains/kustomizations/domain.ts'
import { setMemory, type SetMemory } from '#domains/kustomizations/memory.ts'
import type { ObjectName, Owner } from '#domains/kustomizations/object.ts'
import type { ServerMarks } from '#domains/kustomizations/observe/server-fingerprint.ts'
import { readSpec, type KustomizationSpec } from '#domains/kustomizations/spec.ts'
import type { Claims } from '#domains/kustomizations/apply-options.ts'
import { keyOf } from '#model/application.ts'
import { defined } from '#model/defined.ts'
import type { Clock } from '#model/clock.ts'
import type { Declared } from '#model/declaration.ts'
import { Problem, problemOf, type Place } from '#model/problem.ts'
import type { Connection, Ports } from '#model/connection.ts'
import type { ServiceConnection } from '#model/application-kind.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { TaskRunner } from '#model/render.ts'
import type { Ref } from '#model/ref.ts'
import type { Snapshot } from '#model/source.ts'
import type { Gathered } from './gathered.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { Log } from '#model/log.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import type { ClaimsBook } from './claims-book.ts'
import type { Outside } from './outside.ts'
import type { RemotesBook } from './remotes-book.ts'
import { openKustomizationLists } from './list-kustomizations.ts'
import { liveHealth } from './live-health.ts'
import type { PlaceTask } from './request.ts'

/** What is known beside the declarations: the clusters, and what specs refer to in them. */
export type KubeSurroundings = {
  readonly clock: Clock
  readonly log: Log
  readonly address: string
  readonly clusters: Clusters
  /** Why nothing may be done in the cluster at this moment. */
  pausedBy(): Problem | undefined
  readonly gathered: (key: string) => Gathered
  /** The bases that lie on other machines. */
  readonly remotes: RemotesBook
  /** Builds what our own kustomize can't; undefined: the operator named no program for it. */
  readonly outside: Outside | undefined
  /** The inventory in the status of its object; undefined: nobody knows it. */
  inventory(key: string): readonly ObjectName[] | undefined
  /** The objects that may be removed for this application. */
  ownedObjects(key: string): Promise<ReadonlySet<Ref>>
  /** The spec of an application that is no longer declared: it is removed with the rights that the spec names. */
  lastSpec(key: string): Json | undefined
  readonly claims: ClaimsBook
  /** The snapshot that each application was last rendered from. */
  readonly snapshots: Map<string, Snapshot>
  /** Runs tasks on a repository's files, for one application. */
  readonly tasksFor: (key: string) => TaskRunner
}

export function connectCluster(
  around: KubeSurroundings,
  instance: string,
  service: ServiceConnection | undefined,
): Connection {
  const { clock, clusters, address } = around
  const memories = new Map<string, SetMemory>()
  const serverMarks = new Map<string, ServerMarks>()
  /** The specs of applications that have no object: they say where and with whose rights these are removed. */
  const filed = new Map<string, Json>()
  const health = liveHealth(clock)
  const lists = openKustomizationLists(
    clock,
    instance,
    {
      optionsOf: ({ namespace, name }) =>
        specFor(keyOf({ kind: 'kustomization', namespace, name })),
      healthOf: (owner, looks, signal) =>
        health(owner, looks, specFor(owner.slice(instance.length + 1)), () => ports(owner), signal),
    },
    (plural, problem) => {
      around.log('warning', `nothing is heard of ${plural}`, { why: problemOf(problem).message })
    },
  )
  lists.of(clusters.local())

  function specFor(key: string, declared?: Declared): KustomizationSpec {
    return readSpec(declared?.values ?? around.lastSpec(key) ?? filed.get(key) ?? {}).spec
  }

  /** Calls are made as a service account of the namespace that the Kustomization lives in, and of no other namespace. */
  function lineFor(key: string, namespace: string, spec: KustomizationSpec): Line {
    const account = spec.serviceAccountName
    const user = account === '' ? undefined : accountUser(namespace, account)
    if (spec.kubeConfig === undefined) return clusters.local(user)
    return clusters.remote({ name: `of ${key}`, text: remoteFor(around.gathered(key)) }, user)
  }

  /** Another kustomization of the same cluster that declares the object, so that an object can move between them without being deleted. */
  function claimantOf(key: string, ref: Ref, by: Owner | undefined): string | undefined {
    const { kubeConfig } = around.gathered(key)
    const meant = by && keyOf({ kind: 'kustomization', ...by })
    return around.claims.find(ref, (other) => {
      const isMeant = other !== key && (meant === undefined || other === meant)
      return isMeant && around.gathered(other).kubeConfig === kubeConfig
    })
  }

  function lineOf(owner: string, declared?: Declared) {
    const key = owner.slice(instance.length + 1)
    const { namespace: space, name = '' } = applicationOf(key) ?? {}
    const namespace = space ?? 'default'
    if (declared !== undefined) filed.set(key, declared.values)
    const spec = specFor(key, declared)
    return { key, namespace, name, spec, line: lineFor(key, namespace, spec) }
  }

  function ports(owner: string, declared?: Declared): Ports {
    const { key, namespace, name, spec, line } = lineOf(owner, declared)
    const memory = memories.get(`${line.key} ${owner}`) ?? setMemory()
    memories.set(`${line.key} ${owner}`, memory)
    const marks = serverMarks.get(line.key) ?? {}
    serverMarks.set(line.key, marks)
    // without a declaration everything goes
    const options = {
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
      kind: kustomizationsKind(options, claims),
      target: kustomizationTarget({
        kubernetes:
          service === undefined
            ? line.kubernetes
            : counted(line.kubernetes, () => service.called()),
        discovery: line.discovery,
        clock,
        owner: { namespace, name },
        options,
        claims,
        placeOf: (...asked) => placeOf(around, key, ...asked),
        isAbandoned: declared === undefined ? isAbandoned : undefined,
        inventory: around.inventory(key),
        ownedObjects: () => around.ownedObjects(key),
        clusterCache: lists.of(line, owner),
        serverMarks: marks,
        memory,
      }),
    }
  }

  /** `container` is namespace, pod and container, as `containers` names them. */
  function linesOf(
    owner: string | undefined,
    container: string,
    wanted: LogsWanted,
    signal: AbortSignal,
  ): AsyncIterable<TimedLogLine> {
    const [namespace = '', name = '', own = ''] = container.split('/')
    // never with our own rights where its owner has fewer
    const { kubernetes } = lineOf(defined(owner)).line
    return timedLogLines(kubernetes, { namespace, name, container: own }, wanted, signal)
  }

  async function reach(signal: AbortSignal): Promise<void> {
    const problem = around.pausedBy()
    if (problem !== undefined) throw problem
    await ping(clusters.local().kubernetes, signal)
  }

  return {
    engine: 'kubernetes',
    place: { address },
    ports,
    async list(signal) {
      await reach(signal)
      return { apps: await lists.apps(signal), orphans: new Map() }
    },
    watch: (signal) => lists.news(signal),
    ping: reach,
    about: (signal) => aboutCluster(clusters.local().kubernetes, signal),
    async containers(owner, signal) {
      const { key, line } = lineOf(owner)
      const own = await around.ownedObjects(key)
      return podContainersOf(line.kubernetes, line.discovery, own, signal)
    },
    async *logs(container, { owner, tail, follows }, signal) {
      const wanted = { tail, follows, since: undefined }
      for await (const { text } of linesOf(owner, container, wanted, signal)) yield text
    },
    async *logLines(container, { owner, ...wanted }, signal) {
      for await (const line of linesOf(owner, container, wanted, signal)) {
        yield { ...line, stream: 'stdout' }
      }
    },
    close: () => lists.close(),
  }
}

/** The target of another cluster. A cluster that can't be found is never taken for this one. */
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

/** The file comes from a repository, so it is read in a render process. Where the files of the commit are gone by now there is no place. */
async function placeOf(
  { snapshots, tasksFor }: KubeSurroundings,
  key: string,
  origin: Place,
  objectKind: string,
  message: string,
): Promise<Place | undefined> {
  const snapshot = snapshots.get(key)
  if (snapshot === undefined) return undefined
  const files = filesOfSnapshot(snapshot)
  const asked = { ...placeTask, files, origin, objectKind, message } satisfies PlaceTask
  // only file and line are missing from the message
  const found = await tasksFor(key)
    .perform(asked, placeTimeout)
    .catch(() => undefined)
  return isPlace(found) ? found : undefined
}

const placeTask = { kind: 'kustomization', name: 'place' } as const

function isPlace(found: unknown): found is Place {
  if (!isRecord(found)) return false
  const { file, line, column } = found
  return typeof file === 'string' && typeof line === 'number' && typeof column === 'number'
}

/** How long to look for the line of a field, ms: it is not worth more. */
const placeTimeout = 3_000
