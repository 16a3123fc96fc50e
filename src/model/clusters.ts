/** The port to the table that declares the clusters of a fleet: its original columns as they are, and a table beside it for everything new. */
import type { Json, JsonRecord } from './json.ts'
import type { Leases } from './store.ts'

/** The management cluster: its row is never created, pruned or routed by a fleet. */
export const reservedCluster = 'devops'

export type Provider = 'kind' | 'k3d' | 'kwok' | 'existing'

export const providers: readonly Provider[] = ['kind', 'k3d', 'kwok', 'existing']

/** A row as it is in the table: whoever wrote it may have written anything. */
export type ClusterRow = {
  readonly name: string
  readonly provider: string
  readonly subnet: string | null
  readonly nodePort: number | null
  readonly pfPort: number | null
  readonly httpPort: number | null
  readonly httpsPort: number | null
  readonly serverIp: string | null
  /** The state in the words that the original programs show to people: Ready, Removed, Failed. */
  readonly status: string
  readonly desired: string
  readonly actual: string
  readonly lastReconciledAt: string | null
  readonly reconcileError: string | null
}

/** What a cluster is registered with; all unless its row's owner said otherwise. */
export type Registrations = {
  readonly route: boolean
  readonly portainer: boolean
  readonly argocd: boolean
  readonly git: boolean
}

/**
 * What a cluster was made from. `making`: a run began it and has not said yet that it stands. `found`: it was there when its row was
 * first looked at, and nobody said that it is ours.
 */
export type Made = {
  readonly phase: 'making' | 'made' | 'adopted' | 'found'
  readonly provider: string
  readonly spec: Json
  /** What tells this cluster from any other of its name. Undefined: nobody has noted it yet. */
  readonly identity?: string | undefined
}

/** What somebody set for one cluster alone, beside the columns of its row. It counts before what fleet.yaml says. */
export type ClusterSettings = {
  readonly image?: string | undefined
  /** The version of Kubernetes, such as 1.31.12. It picks the image where none is named. */
  readonly version?: string | undefined
  /** The address of the host on which the API server listens. */
  readonly apiAddress?: string | undefined
  readonly servers?: number | undefined
  readonly agents?: number | undefined
  /** Laid over the configuration that is generated for the provider. */
  readonly config?: JsonRecord | undefined
}

/** What the tables beside the clusters table say of a row. */
export type ClusterNote = {
  readonly registrations: Registrations
  readonly made: Made | undefined
  readonly settings: ClusterSettings
}

/** Ports left out are given by the table; `subnet: 'auto'` likewise, null: the shared network. */
export type NewCluster = {
  readonly name: string
  readonly provider: Provider
  /** The port of the node; null: the cluster has none. */
  readonly nodePort: number | null | undefined
  readonly pfPort: number | null | undefined
  readonly httpPort: number | null | undefined
  readonly httpsPort: number | null | undefined
  readonly subnet: string | null
  readonly registrations: Registrations
  /** Absent: fleet.yaml and the provider decide. */
  readonly settings?: ClusterSettings
}

/** A row with everything that is declared beside it: what a file declares, and what a user sets. */
export type DeclaredCluster = Pick<
  ClusterRow,
  'name' | 'provider' | 'desired' | 'subnet' | 'nodePort'
> & {
  /** Undefined: the row keeps the port that it has, and a new row gets a free one. Null: the cluster has none. */
  readonly pfPort: number | null | undefined
  readonly httpPort: number | null | undefined
  readonly httpsPort: number | null | undefined
  readonly registrations: Registrations
  readonly settings: ClusterSettings
}

type ActualState = {
  readonly actual: 'unknown' | 'creating' | 'running' | 'failed' | 'deleting' | 'absent' | 'stopped'
  readonly status: string
  readonly error: string | null
  readonly serverIp?: string | null
}

/** Says whether the host has a port or a subnet to spare. */
export type HostChecks = {
  isPortFree(port: number): Promise<boolean>
  isSubnetFree(subnet: string): boolean
}

/** Every call throws a problem of code `store_unusable` when the database can't be read or written. */
export type Clusters = {
  readonly file: string
  /** Gives the rows, sorted by name. */
  rows(): Promise<readonly ClusterRow[]>
  notes(): Promise<ReadonlyMap<string, ClusterNote>>
  /** Adds a row in one transaction: it is checked against all other rows and the host, and gets the ports and the subnet that it lacks. */
  add(cluster: NewCluster, host: HostChecks): Promise<ClusterRow>
  /** Makes rows what the declarations say, and adds those that are new, in one transaction. Where one is refused, all are. */
  declare(clusters: readonly DeclaredCluster[], host: HostChecks): Promise<void>
  /** Says which state is desired of a cluster. Gives whether there is such a row. */
  want(name: string, desired: 'present' | 'absent'): Promise<boolean>
  /** This call and the next four work only while the lease is held that was taken here. After it was lost they throw a problem of code `held`. */
  mark(name: string, state: ActualState): Promise<void>
  noteMade(name: string, made: Made | undefined): Promise<void>
  /** Removes the row and what is noted beside it, unless the row says by now that another state is desired. */
  remove(name: string, desired: string): Promise<void>
  /** Throws a problem of code `held` where the lease was lost. */
  held(): Promise<void>
  touch(names: readonly string[]): Promise<void>
  readonly leases: Leases
  close(): Promise<void>
}
