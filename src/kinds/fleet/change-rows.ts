/** Rows that people change, from the command line and over HTTP alike: checked as a whole before anything is written. */
import { declaredOf } from '#domains/fleet/rows-yaml.ts'
import type { ClusterRow, Clusters, DeclaredCluster, HostChecks } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import type { RowRemoval } from '#model/rows.ts'
import { newCluster, withColumns } from './row-columns.ts'
import { refuseReserved, takenCluster, unknownCluster } from './row-problems.ts'
import { tableLeases } from './table-leases.ts'

async function rowNamed(clusters: Clusters, name: string): Promise<ClusterRow> {
  const row = (await clusters.rows()).find((one) => one.name === name)
  if (row === undefined) throw unknownCluster(name)
  return row
}

/** Changes what an existing row declares. */
export async function changeRow(
  clusters: Clusters,
  host: HostChecks,
  name: string,
  change: (declared: DeclaredCluster) => DeclaredCluster,
): Promise<void> {
  refuseReserved(name)
  const row = await rowNamed(clusters, name)
  const note = (await clusters.notes()).get(name)
  await clusters.declare([change(declaredOf(row, note))], host)
}

/** Adds a row, or changes the values of an existing one; `isNew`: only adds. */
export async function putRow(
  clusters: Clusters,
  host: HostChecks,
  name: string,
  columns: JsonRecord,
  isNew: boolean,
): Promise<void> {
  refuseReserved(name)
  const isThere = (await clusters.rows()).some((one) => one.name === name)
  if (isThere && isNew) throw takenCluster(name)
  if (isThere) await changeRow(clusters, host, name, (declared) => withColumns(declared, columns))
  else await clusters.add(newCluster(name, columns), host)
}

/** Marks a row as absent, so that the next run deletes its cluster. */
export async function markAbsent(clusters: Clusters, name: string): Promise<ClusterRow> {
  refuseReserved(name)
  const row = await rowNamed(clusters, name)
  await clusters.want(name, 'absent')
  return row
}

/** Does what `tend fleet rm` does. The row itself is removed at once only where nothing was made of it and no run works on it. */
export async function removeRow(
  clusters: Clusters,
  name: string,
  holder: string,
): Promise<RowRemoval> {
  refuseReserved(name)
  await rowNamed(clusters, name)
  if (await dropBare(clusters, name, holder)) {
    return { name, result: 'removed', message: `${name} is removed: there is no cluster of it` }
  }
  const { provider } = await markAbsent(clusters, name)
  const follows =
    provider === 'existing'
      ? 'its registrations are taken away, and the cluster itself stays'
      : 'its cluster is deleted with its registrations'
  return { name, result: 'marked', message: `${name} is marked absent: ${follows}` }
}

/** Removes the row while this process holds the lease of the table, so that nobody can begin to make its cluster meanwhile. */
async function dropBare(clusters: Clusters, name: string, holder: string): Promise<boolean> {
  const lease = await tableLeases(clusters).take(name, holder)
  if (!('release' in lease)) return false
  try {
    const row = await rowNamed(clusters, name)
    const made = (await clusters.notes()).get(name)?.made
    const wasNeverMade = made === undefined && row.actual === 'unknown'
    const isGone = row.desired === 'absent' && row.actual === 'absent'
    if (!wasNeverMade && !isGone) return false
    await clusters.remove(name, row.desired)
    return true
  } finally {
    await lease.release()
  }
}
