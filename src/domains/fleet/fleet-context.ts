/** All that a fleet is looked at and changed with, and the rows that one run is about. */
import type { ClusterProvider } from '#clients/providers/provider.ts'
import type { Kubeconfigs } from '#clients/providers/kubeconfigs.ts'
import type { Readiness } from '#clients/providers/probe.ts'
import type { ClusterNote, ClusterRow, Clusters, Made, Provider } from '#model/clusters.ts'
import type { Registration } from './registrations/registration.ts'
import type { FleetSettings } from './settings.ts'
import type { ClusterObservations } from './observe/clusters.ts'

/**
 * `reconcile`: reality follows the table. `prune`: only rows go, those whose clusters are certainly missing. `clean`: clusters
 * and registrations go, rows stay.
 */
export type Mode = 'reconcile' | 'prune' | 'clean'

/** What the table says, read once. */
export type Declared = {
  readonly rows: readonly ClusterRow[]
  readonly notes: ReadonlyMap<string, ClusterNote>
}

export type RunOptions = {
  readonly mode: Mode
  /** With `reconcile`: rows that say absent go too, once their clusters are gone. */
  readonly prunesAbsent: boolean
  /** With `clean`: also clusters that nobody noted to have made. */
  readonly isAll: boolean
  readonly recreates: boolean
  /** With `prune`: more than half of many rows may go. */
  readonly allowsMassDelete?: boolean
}

export type FleetContext = {
  readonly settings: FleetSettings
  readonly clusters: Clusters
  readonly declared: Declared
  readonly options: RunOptions
  readonly providers: Readonly<Record<Provider, ClusterProvider>>
  readonly kubeconfigs: Kubeconfigs
  readonly registrations: readonly Registration[]
  /** What the last look at all clusters came to: good as long as nothing was changed. And addresses of those that were made. */
  readonly memory: {
    observations?: ClusterObservations
    serverIps?: ReadonlyMap<string, string | null>
    identities?: ReadonlyMap<string, string>
    /** The file that rows were copied to before the first of them was removed. */
    backup?: string
    /** Of clusters that this run makes and that nobody has seen ready yet. */
    making?: Map<string, Made>
  }
  probe(kubeconfig: string, name: string, signal: AbortSignal): Promise<Readiness>
  /** Lets go of connections: a service makes one pass after the other. */
  close(): void
}
