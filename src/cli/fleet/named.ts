/** One cluster of the table, by its name. */
import type { ClusterRow, Clusters } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import type { ClusterProvider } from '#clients/providers/provider.ts'
import { faultsOf, isProvider, type Fault } from '#domains/fleet/rules.ts'
import type { Site } from '#domains/fleet/site.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { databaseOf, withClusters } from './open.ts'
import { settingsFor } from './settings.ts'
import { reconciling, siteFor } from './site.ts'

export type Named = {
  readonly site: Site
  readonly row: ClusterRow
  readonly provider: ClusterProvider
}

export function unknownCluster(name: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no row for ${name}`,
    suggestion: 'tend fleet list shows all of them',
  })
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
  { session }: Desk,
  access: 'read' | 'write',
  work: (named: Named, clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, access, async (clusters) => {
    const site = await siteFor(clusters, settings, reconciling, session)
    const row = site.declared.rows.find((one) => one.name === name)
    if (row === undefined) throw unknownCluster(name)
    const [fault] = faultsOf(row).filter(({ column }) => ['name', 'provider'].includes(column))
    if (fault !== undefined || !isProvider(row.provider)) throw unusable(name, fault)
    return work({ site, row, provider: site.providers[row.provider] }, clusters)
  })
}
