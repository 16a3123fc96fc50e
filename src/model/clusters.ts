/** The table of clusters that a fleet is declared by, as a port: columns of old as they are, what is new in a table beside them. */
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
  /** Of old, for people: Ready, Removed, Failed. */
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
  /** Of Kubernetes: 1.31.12. It picks the image where none is named. */
  readonly version?: string | undefined
  /** Where its API server listens on the host. */
  readonly apiAddress?: string | undefined
  readonly servers?: number | undefined
  readonly agents?: number | undefined
  /** Put over the configuration that is generated for its provider. */
  readonly config?: JsonRecord | undefined
}

/** What the tables beside say of a row. */
export type ClusterNote = {
  readonly registrations: Registrations
  readonly made: Made | undefined
  readonly settings: ClusterSettings
}

/** Ports left out are given by the table; `subnet: 'auto'` likewise, null: the shared network. */
export type NewCluster = {
  readonly name: string
  readonly provider: Provider
  /** Null: it has none. */
  readonly nodePort: number | null | undefined
  readonly pfPort: number | null | undefined
  readonly httpPort: number | null | undefined
  readonly httpsPort: number | null | undefined
  readonly subnet: string | null
  readonly registrations: Registrations
  /** Absent: fleet.yaml and the provider decide. */
  readonly settings?: ClusterSettings
}

/** A row with all that is declared beside it, as a file has it and as somebody sets it. */
export type DeclaredCluster = Pick<
  ClusterRow,
  'name' | 'provider' | 'desired' | 'subnet' | 'nodePort'
> & {
  /** Undefined: the row keeps what it has; a new one is given a free port. Null: none. */
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

/** Who can say whether the host has a port or a subnet to spare. */
export type HostChecks = {
  isPortFree(port: number): Promise<boolean>
  isSubnetFree(subnet: string): boolean
}

/** Every call throws a problem of code `store_unusable` when the database can't be read or written. */
export type Clusters = {
  readonly file: string
  /** By name. */
  rows(): Promise<readonly ClusterRow[]>
  notes(): Promise<ReadonlyMap<string, ClusterNote>>
  /** One transaction: checked against all rows and the host, ports and subnet given. */
  add(cluster: NewCluster, host: HostChecks): Promise<ClusterRow>
  /** One transaction for all of them: rows become what is said, new ones are made. Refused as a whole where one can't be. */
  declare(clusters: readonly DeclaredCluster[], host: HostChecks): Promise<void>
  /** Whether there was such a row. */
  want(name: string, desired: 'present' | 'absent'): Promise<boolean>
  /** The next five, once a lease was taken here, only while it is held: they throw a problem of code `held` after it was lost. */
  mark(name: string, state: ActualState): Promise<void>
  noteMade(name: string, made: Made | undefined): Promise<void>
  /** The row and what is noted beside it, unless it says by now that another state is desired. */
  remove(name: string, desired: string): Promise<void>
  /** Throws that problem where the lease was lost. */
  held(): Promise<void>
  touch(names: readonly string[]): Promise<void>
  readonly leases: Leases
  close(): Promise<void>
}
