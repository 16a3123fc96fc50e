/** One cluster of the table, by its name. */
import type { ClusterRow, Clusters } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import type { ClusterProvider } from '#clients/providers/provider.ts'
import { faultsOf, isProvider, type Fault } from '#domains/fleet/render/row-rules.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { databaseOf, settingsFor, withClusters } from './open.ts'
import { unknownCluster } from '#kinds/fleet/row-problems.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'

export type Named = {
  readonly fleet: FleetContext
  readonly row: ClusterRow
  readonly provider: ClusterProvider
}

function unusable(name: string, fault: Fault | undefined): Problem {
  return new Problem({
    type: 'configuration',
    code: 'values_error',
    message: fault?.message ?? `the row of ${name} can't be used`,
    suggestion: fault?.suggestion,
  })
}

export async function withCluster<Result>(
  name: string,
  flags: Flags,
  { session }: CommandContext,
  access: 'read' | 'write',
  work: (named: Named, clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, access, async (clusters) => {
    const context = await openFleetContext(clusters, settings, reconciling, session)
    const row = context.declared.rows.find((one) => one.name === name)
    if (row === undefined) throw unknownCluster(name)
    const [fault] = faultsOf(row).filter(({ column }) => ['name', 'provider'].includes(column))
    if (fault !== undefined || !isProvider(row.provider)) throw unusable(name, fault)
    return work({ fleet: context, row, provider: context.providers[row.provider] }, clusters)
  })
}
