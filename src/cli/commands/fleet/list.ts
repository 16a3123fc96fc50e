/** `tend fleet list`: the rows as the table has them. */
import type { Invocation } from '../../arguments/invocation.ts'
import { withClusters } from '../../fleet/open.ts'
import { rowDocument, rowLines } from '../../fleet/rows-view.ts'
import type { Desk } from '../../session.ts'

export function fleetList({ flags }: Invocation, desk: Desk): Promise<number> {
  const { screen, session } = desk
  return withClusters(flags, session, 'read', async (clusters) => {
    const rows = await clusters.rows()
    if (screen.format === 'table') screen.print(rowLines(rows))
    else await screen.document({ database: clusters.file, clusters: rows.map(rowDocument) })
    return 0
  })
}
