/** Stops a prune that would remove most rows: more often an engine that lost its clusters than a wish. Pure. */
import { reservedCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import type { ClusterObservations } from './clusters.ts'
import type { FleetContext } from '../fleet-context.ts'

const atLeast = 10

export function refuseMassPrune(
  { declared, options }: Pick<FleetContext, 'declared' | 'options'>,
  observations: ClusterObservations,
): void {
  if (options.allowsMassDelete === true) return
  const rows = declared.rows.filter(({ name }) => name !== reservedCluster)
  const missing = rows.filter(({ name }) => observations.get(name)?.kind === 'absent')
  if (missing.length < atLeast || missing.length * 2 <= rows.length) return
  throw new Problem({
    type: 'configuration',
    code: 'would_remove_much',
    message: `This would remove ${missing.length} of ${rows.length} rows: their clusters are missing.`,
    suggestion:
      'if that is meant, add --allow-mass-delete; reconcile --from-db brings the clusters back instead',
  })
}
