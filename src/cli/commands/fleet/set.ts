/** `tend fleet set NAME key=value…`: changes a row and what is declared beside it; the next reconcile follows. */
import { withValues } from '#domains/fleet/set-values.ts'
import { changeRow } from '#kinds/fleet/change-rows.ts'
import { hostBeside } from '#kinds/fleet/free-ports.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import type { CommandContext } from '../../session.ts'

export function fleetSet({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const [name = '', ...assignments] = words
  const { screen, session } = context
  const host = hostBeside(settingsFor(flags, databaseOf(flags, session)))
  return withClusters(flags, session, 'write', async (clusters) => {
    await changeRow(clusters, host, name, (declared) => withValues(declared, assignments))
    const next = 'tend fleet reconcile --dry-run shows what follows'
    if (screen.format === 'table') screen.print([`${name}: ${assignments.join(', ')}`, next])
    else await screen.document({ name, set: assignments })
    return 0
  })
}
