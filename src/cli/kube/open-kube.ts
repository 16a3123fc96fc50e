/** The part of the service that follows Flux's objects of one cluster. */
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { clustersOf, type Line } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { loadedKustomizations } from '#kinds/kustomizations/load.ts'
import { claimsBook } from '#kinds/kustomizations/claims-book.ts'
import { outsideWith } from '#kinds/kustomizations/outside.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import { belongingsOf } from '#controller/flux/belongings.ts'
import { fenced, refuseBesideFlux, takeLease, type Hold } from '#controller/flux/lease.ts'
import { nothingGathered, type Gathered } from '#kinds/kustomizations/gathered.ts'
import { kustomizations, repositories, type FluxObject } from '#controller/flux/kinds.ts'
import { openFlux, type Flux } from '#controller/flux/open-flux.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import { readyExpressions } from '#controller/flux/ready-expressions.ts'
import type { Log } from '#model/log.ts'
import type { RenderPool } from '#controller/render/render-pool.ts'
import type { Controller } from '#controller/open-service.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'

export type ClusterAsked = {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
}

export type KubePart = {
  readonly address: string
  readonly kind: LoadedKind
  /** Secrets of repositories that are only in the cluster. */
  readonly held: (name: string) => string | undefined
  readonly stands: (own: string, other: string) => boolean | undefined
  follow(service: Controller, declarations: Declarations): Flux
  readonly hold: Hold
  close(): Promise<void>
}

type Around = {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  /** Who this is, for another Tend that waits. */
  readonly holder: string
  readonly signal: AbortSignal
  /** Files declare kustomizations too. */
  readonly isDeclaredElsewhere: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly renders: RenderPool
}

/** ms. After a build by another program failed. */
const buildPause = 30_000

export async function openKube(
  { kubeconfig, context }: ClusterAsked,
  { clock, log, store, holder, signal, isDeclaredElsewhere, environment, renders }: Around,
): Promise<KubePart> {
  const program = environment['TEND_KUSTOMIZE'] ?? ''
  const access = findCluster(clusterSurroundings(kubeconfig, context))
  let hold: Hold | undefined
  const own = kubernetesAt(access)
  await refuseBesideFlux(own, clock, signal)
  const clusters = clustersOf(access, (other) => fenced(kubernetesAt(other), () => hold))
  const { kubernetes } = clusters.local()
  const hasKinds = await servesKinds(clusters.local(), signal)
  if (!hasKinds && !isDeclaredElsewhere) {
    clusters.close()
    own.close()
    throw withoutKinds(access.server)
  }
  hold = await takeLease(own, holder, { clock, log, signal })
  const gathered = new Map<string, Gathered>()
  const held = new Map<string, string>()
  const known = new Map<string, FluxObject>()
  const expressions = readyExpressions(known)
  let renew = (_key: string): unknown => undefined
  let sync = (_key: string): unknown => undefined
  const claims = claimsBook((key) => sync(key))
  const buildLater = (key: string) =>
    void clock.sleep(buildPause, signal).then(
      () => renew(key),
      () => undefined,
    )
  return {
    address: access.server,
    held: (name) => held.get(name),
    stands: expressions.stands,
    kind: loadedKustomizations({
      clock,
      log,
      address: access.server,
      clusters,
      pausedBy: () => hold?.problem(),
      gathered: (key) => gathered.get(key) ?? nothingGathered,
      inventory: (key) => namesIn(known.get(key)?.status['inventory'] ?? null),
      belongings: (key) => belongingsOf(key, known.get(key), store),
      lastSpec: (key) => known.get(key)?.spec,
      claims,
      snapshots: new Map(),
      tasksFor: (key) => renders.for(key),
      outside: program === '' ? undefined : outsideWith(program, environment, buildLater),
    }),
    follow(service, declarations) {
      renew = (key) => service.renew(key)
      sync = (key) => service.sync(key).catch(() => undefined)
      return openFlux(
        {
          kubernetes,
          service,
          store,
          clock,
          log,
          gathered,
          held,
          known,
          claims,
          target: undefined,
          leavesSources: () => hold?.hasSourceController() === true,
          expressions,
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
