/** The part of the service that follows Flux's objects of one cluster. */
import { clustersOf } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { kustomizationCraft } from '#controller/crafts/kustomization.ts'
import type { Craft } from '#controller/craft.ts'
import { nothingGathered, type Gathered } from '#controller/flux/gather.ts'
import type { FluxObject } from '#controller/flux/kinds.ts'
import { openFlux, type Flux } from '#controller/flux/open-flux.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import type { Log } from '#controller/log.ts'
import type { Controller } from '#controller/open-service.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations } from '#model/declaration.ts'
import type { Store } from '#model/store.ts'

export type ClusterAsked = {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
}

export type KubePart = {
  readonly craft: Craft
  /** Secrets of repositories that are only in the cluster. */
  readonly held: (name: string) => string | undefined
  follow(service: Controller, declarations: Declarations): Flux
  close(): Promise<void>
}

type Around = {
  readonly clock: Clock
  readonly log: Log
  readonly instance: string
  readonly store: Store
}

export async function openKube(
  { kubeconfig, context }: ClusterAsked,
  { clock, log, store }: Around,
): Promise<KubePart> {
  const access = findCluster(clusterSurroundings(kubeconfig, context))
  const clusters = clustersOf(access)
  const { kubernetes } = clusters.local()
  const gathered = new Map<string, Gathered>()
  const held = new Map<string, string>()
  const known = new Map<string, FluxObject>()
  return {
    held: (name) => held.get(name),
    craft: kustomizationCraft({
      clock,
      log,
      address: access.server,
      clusters,
      gathered: (key) => gathered.get(key) ?? nothingGathered,
      inventory: (key) => namesIn(known.get(key)?.status['inventory'] ?? null),
      lastSpec: (key) => known.get(key)?.spec ?? {},
    }),
    follow: (service, declarations) =>
      openFlux(
        { kubernetes, service, store, clock, log, gathered, held, known, target: undefined },
        declarations,
      ),
    async close() {
      clusters.close()
    },
  }
}
