/** The lease of a fleet lies in its table: whichever Tends share the table, one of them changes the fleet at a time. */
import type { Clusters } from '#model/clusters.ts'
import type { Lease, Leases } from '#model/store.ts'

/** There is one fleet in a database, whatever settings call it. */
const key = 'fleet'

export function tableLeases({ leases }: Pick<Clusters, 'leases'>): Leases {
  return { take: (_application, holder) => leases.take(key, holder) }
}

/** For who makes several runs that nobody may come between, and holds the lease from the first to the last. */
export function heldLeases(lease: Lease): Leases {
  return { take: async () => ({ ...lease, release: async () => undefined }) }
}
