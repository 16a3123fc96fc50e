/** `tend fleet rm NAME`: the row says absent; the next reconcile deletes the cluster, then the row. */
import type { Invocation } from '../../arguments/invocation.ts'
import { unknownCluster } from '../../fleet/named.ts'
import { withClusters } from '../../fleet/open.ts'
import type { Desk } from '../../session.ts'
import { refuseReserved } from './add.ts'

export function fleetRemove({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { screen, session } = desk
  const name = words[0]!
  refuseReserved(name)
  return withClusters(flags, session, 'write', async (clusters) => {
    const row = (await clusters.rows()).find((one) => one.name === name)
    if (row === undefined) throw unknownCluster(name)
    await clusters.want(name, 'absent')
    if (screen.format !== 'table') await screen.document({ name, desired: 'absent' })
    else {
      screen.print([
        `${name} is marked absent`,
        row.provider === 'existing'
          ? 'tend fleet reconcile --from-db takes its registrations away; the cluster itself stays'
          : 'tend fleet reconcile --from-db deletes it with its registrations',
      ])
    }
    return 0
  })
}
