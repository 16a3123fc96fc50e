/** `tend fleet list`: the rows as the table has them. */
import type { Invocation } from '../../arguments/invocation.ts'
import { withClusters } from '../../fleet/open.ts'
import { registrationsOf, rowDocument, rowLines } from '../../fleet/rows-view.ts'
import type { Desk } from '../../session.ts'

export function fleetList({ flags }: Invocation, desk: Desk): Promise<number> {
  const { screen, session } = desk
  return withClusters(flags, session, 'read', async (clusters) => {
    const [rows, notes] = [await clusters.rows(), await clusters.notes()]
    if (screen.format === 'table') screen.print(rowLines(rows, notes))
    else {
      const all = rows.map((row) => {
        return { ...rowDocument(row), registrations: { ...registrationsOf(row.name, notes) } }
      })
      await screen.document({ database: clusters.file, clusters: all })
    }
    return 0
  })
}
