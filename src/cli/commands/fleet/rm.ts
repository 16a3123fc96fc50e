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
    if (!(await clusters.want(name, 'absent'))) throw unknownCluster(name)
    if (screen.format !== 'table') await screen.document({ name, desired: 'absent' })
    else {
      screen.print([
        `${name} is marked absent`,
        'tend fleet reconcile --from-db deletes it with its registrations',
      ])
    }
    return 0
  })
}
