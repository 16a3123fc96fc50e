/** `tend fleet list`: the rows as the table has them. */
import type { Invocation } from '../../arguments/invocation.ts'
import { withClusters } from '../../fleet/open.ts'
import { registrationsOf, rowDocument, rowLines } from '../../fleet/rows-view.ts'
import type { CommandContext } from '../../session.ts'

export function fleetList({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { screen, session } = context
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
