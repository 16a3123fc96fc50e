/** The part of the service that follows Flux's objects of one cluster. */
import { join } from 'node:path'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { clustersOf, type Line } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { loadedKustomizations } from '#kinds/kustomizations/load.ts'
import { claimsBook } from '#kinds/kustomizations/claims-book.ts'
import { pinnedIn } from '#controller/flux/remote-status.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import type { RemoteBases } from '#sources/remote-bases.ts'
import { remotesBook } from '#kinds/kustomizations/remotes-book.ts'
import { outsideWith } from '#kinds/kustomizations/outside.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import { ownedObjectsOf } from '#controller/flux/owned-objects.ts'
import { fenced, takeLease, type Hold } from '#controller/flux/lease.ts'
import { refuseBesideFlux } from '#controller/flux/flux-controllers.ts'
import { nothingGathered, type Gathered } from '#kinds/kustomizations/gathered.ts'
import { kustomizations, repositories, type FluxObject } from '#controller/flux/kinds.ts'
import { ownArtifacts } from '#controller/flux/own-artifacts.ts'
import { openFlux, type Flux } from '#controller/flux/open-flux.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import { usualAddress } from '#controller/flux/notify.ts'
import { readyExpressions } from '#controller/flux/ready-expressions.ts'
import type { Log } from '#model/log.ts'
import type { RenderPool } from '#controller/render/render-pool.ts'
import type { Controller } from '#controller/open-service.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import type { Artifact } from '#sources/artifact/repository.ts'

export type ClusterAsked = {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
}

export type KubePart = {
  readonly address: string
  readonly kind: LoadedKind
  /** Reads secrets of repositories, which are only in the cluster. */
  readonly held: (name: string) => string | undefined
  /** The file of an artifact that we serve, by the path of its address. */
  readonly artifactFile: (path: string) => string | undefined
  /** The artifact that source-controller announces for a source. */
  readonly artifact: (name: string) => Artifact | undefined
  readonly stands: (own: string, other: string) => boolean | undefined
  follow(service: Controller, declarations: Declarations): Flux
  readonly hold: Hold
  close(): Promise<void>
}

type KubeAround = {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  /** The name of this process, for another Tend that waits. */
  readonly holder: string
  /** The replica that followed the cluster before this one. */
  readonly predecessor: string | undefined
  readonly signal: AbortSignal
  /** Whether files declare kustomizations too. */
  readonly isDeclaredElsewhere: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly renders: RenderPool
  readonly home: string
  readonly remoteBases: RemoteBases
  readonly key: Uint8Array
  /** The address of this service for callers on this machine. */
  readonly listens: () => string
}

/** The pause after another program failed to build, ms. */
const buildPause = 30_000

export async function openKube(
  { kubeconfig, context }: ClusterAsked,
  around: KubeAround,
): Promise<KubePart> {
  const { clock, log, store, holder, signal, isDeclaredElsewhere, environment, renders } = around
  const program = environment['TEND_KUSTOMIZE'] ?? ''
  const access = findCluster(clusterSurroundings(kubeconfig, context))
  let hold: Hold | undefined
  const own = kubernetesAt(access)
  await refuseBesideFlux(own, clock, signal)
  const clusters = clustersOf(access, (other) => fenced(kubernetesAt(other), () => hold))
  const { kubernetes, discovery } = clusters.local()
  const hasKinds = await servesKinds(clusters.local(), signal)
  if (!hasKinds && !isDeclaredElsewhere) {
    clusters.close()
    own.close()
    throw withoutKinds(access.server)
  }
  hold = await takeLease(own, holder, { clock, log, signal, predecessor: around.predecessor })
  const gathered = new Map<string, Gathered>()
  const held = new Map<string, string>()
  const known = new Map<string, FluxObject>()
  const announced = { find: (_name: string): Artifact | undefined => undefined }
  const expressions = readyExpressions(known)
  const artifacts = ownArtifacts({
    folder: join(around.home, 'artifacts'),
    key: around.key,
    address: () => artifactAddress(around, access.isInside === true),
    tasks: renders.for('artifacts'),
    clock,
    log,
  })
  let renew = (_key: string): unknown => undefined
  let sync = (_key: string): unknown => undefined
  const claims = claimsBook((key) => sync(key))
  const buildLater = (key: string) =>
    void clock.sleep(buildPause, signal).then(
      () => renew(key),
      () => undefined,
    )
  const remotes = remotesBook({
    bases: around.remoteBases,
    clock,
    log,
    pinned: (key, address) => pinnedIn(known.get(key), address),
    interval: (key) => readSpec(known.get(key)?.spec ?? null).spec.interval,
    moved: (key) => void renew(key),
    missed: buildLater,
  })
  // what it finds it tells through moved and missed; it ends with the signal
  void remotes.keep(signal).catch(() => undefined)
  return {
    address: access.server,
    held: (name) => held.get(name),
    artifactFile: (path) => artifacts.fileAt(path),
    artifact: (name) => announced.find(name),
    stands: expressions.stands,
    kind: loadedKustomizations({
      clock,
      log,
      address: access.server,
      clusters,
      pausedBy: () => hold?.problem(),
      gathered: (key) => gathered.get(key) ?? nothingGathered,
      inventory: (key) => namesIn(known.get(key)?.status['inventory'] ?? null),
      ownedObjects: (key) => ownedObjectsOf(key, known.get(key), store),
      lastSpec: (key) => known.get(key)?.spec,
      claims,
      snapshots: new Map(),
      remotes,
      tasksFor: (key) => renders.for(key),
      outside: program === '' ? undefined : outsideWith(program, environment, buildLater),
    }),
    follow(service, declarations) {
      renew = (key) => service.renew(key)
      // the run itself records why it failed
      sync = (key) => service.sync(key).catch(() => undefined)
      return openFlux(
        {
          kubernetes,
          discovery,
          announced,
          remotes: (key) => (remotes.isKnown(key) ? remotes.of(key) : undefined),
          service,
          store,
          clock,
          log,
          gathered,
          held,
          known,
          claims,
          target: undefined,
          eventsAddress: () => eventsAddress(hold, environment),
          leavesSources: () => hold?.has('source-controller') === true,
          expressions,
          artifacts,
          hasKinds,
        },
        declarations,
      )
    },
    hold,
    async close() {
      clusters.close()
      await hold?.release()
      own.close()
    },
  }
}

/** An address that is named gets events in any case; the usual one gets them where its controller is at work. */
function eventsAddress(hold: Hold | undefined, environment: KubeAround['environment']) {
  const named = environment['TEND_FLUX_EVENTS'] ?? ''
  if (named !== '') return named
  return hold?.has('notification-controller') === true ? usualAddress : undefined
}

/**
 * The address at which others in the cluster reach this service, or the one that the operator named. From outside only this
 * machine reaches it by itself.
 */
function artifactAddress({ environment, listens }: KubeAround, isInside: boolean): string {
  const named = (environment['TEND_ARTIFACTS_URL'] ?? '').replace(/\/+$/, '')
  if (named !== '') return named
  return isInside ? 'http://tend.flux-system.svc.cluster.local.' : listens()
}

async function servesKinds({ discovery }: Line, signal: AbortSignal): Promise<boolean> {
  const found = await Promise.all(
    [kustomizations, repositories].map(({ apiVersion, kind }) =>
      discovery.find(apiVersion, kind, signal),
    ),
  )
  return found.every((kind) => kind !== undefined)
}

function withoutKinds(server: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unknown_kind',
    message: `the cluster at ${server} has no GitRepository and no Kustomization`,
    suggestion: 'define them: tend kube install --kinds; or declare kustomizations in tend.yaml',
  })
}
