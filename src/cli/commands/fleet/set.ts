/** `tend fleet set NAME key=value…`: changes a row and what is declared beside it; the next reconcile follows. */
import { host } from '#clients/providers/host.ts'
import { declaredOf } from '#domains/fleet/declared-yaml.ts'
import { withValues } from '#domains/fleet/set-values.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { unknownCluster } from '../../fleet/named.ts'
import { withClusters } from '../../fleet/open.ts'
import type { Desk } from '../../session.ts'
import { refuseReserved } from './add.ts'

export function fleetSet({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const [name = '', ...assignments] = words
  const { screen, session } = desk
  refuseReserved(name)
  return withClusters(flags, session, 'write', async (clusters) => {
    const row = (await clusters.rows()).find((one) => one.name === name)
    if (row === undefined) throw unknownCluster(name)
    const note = (await clusters.notes()).get(name)
    await clusters.declare([withValues(declaredOf(row, note), assignments)], host)
    const next = 'tend fleet reconcile --dry-run shows what follows'
    if (screen.format === 'table') screen.print([`${name}: ${assignments.join(', ')}`, next])
    else await screen.document({ name, set: assignments })
    return 0
  })
}
