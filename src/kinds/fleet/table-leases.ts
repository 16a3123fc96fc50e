/** The lease of a fleet lies in its table: whichever Tends share the table, one of them changes the fleet at a time. */
import type { Clusters } from '#model/clusters.ts'
import type { Lease, Leases } from '#model/store.ts'

/** A database holds one fleet, whatever its settings call it. */
const key = 'fleet'

export function tableLeases({ leases }: Pick<Clusters, 'leases'>): Leases {
  return { take: (_application, holder) => leases.take(key, holder) }
}

/** Leases for a caller that makes several runs without a gap, and holds the lease from the first to the last. */
export function heldLeases(lease: Lease): Leases {
  return { take: async () => ({ ...lease, release: async () => undefined }) }
}
