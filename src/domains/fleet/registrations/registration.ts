/** What a cluster is registered with, as a port: a route, an endpoint, a branch. Each lists, puts and removes what is ours. */
import type { ClusterRow } from '#model/clusters.ts'
import type { Json } from '#model/json.ts'
import type { Need } from '#model/resource.ts'
import type { Value } from '#model/value.ts'

/** One that is there and ours, as it can be compared with what is wanted. */
export type SeenRegistration = {
  readonly spec: Json
  /** Something else about it is not as it should be, in words. */
  readonly drift?: string
}

type RegistrationContext = {
  readonly signal: AbortSignal
  readonly warn: (text: string) => void
}

/** What rows want of a registration, told by settings alone: no call is made for it. */
export type WantedRegistration = {
  /** The kind in its ref: `route/dev`. */
  readonly kind: string
  /** For people: "route". */
  readonly noun: string
  /** Undefined: this cluster has none. */
  wanted(row: ClusterRow): Value | undefined
  /** What must stand before it, beside others of its own kind. */
  needs(row: ClusterRow): readonly Need[]
  /** It is the row's rather than the cluster's, and holds people's work: cleaning leaves it. */
  readonly staysWithRow?: true
  /** Fixtures that all clusters share: by name, with what is wanted of them. */
  readonly shared?: ReadonlyMap<string, Json>
}

export type Registration = WantedRegistration & {
  /** All that are ours, whatever cluster they are of, in as few calls as can be. Throws when it can't be asked. */
  list(
    wanted: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, SeenRegistration>>
  /** What others make for each cluster and is not there, in words; asked only by who checks. */
  lacks?(signal: AbortSignal): Promise<readonly string[]>
  /** What that check is called, and what it says when nothing lacks; `NOUN of each cluster` and `there` unless said. */
  readonly covers?: string
  readonly covered?: string
  /** Waiting would change nothing about it. */
  readonly isToldAtOnce?: true
  /** Makes it so, whether it is there or not. */
  put(name: string, spec: Json, context: RegistrationContext): Promise<void>
  /** It may be gone already. */
  remove(name: string, context: RegistrationContext): Promise<void>
  /** Lets go of connections that it holds. */
  close?(): void
}
