/** `tend fleet rm NAME`: the row says absent; the next reconcile deletes the cluster, then the row. */
import { markAbsent } from '#kinds/fleet/change-rows.ts'
import type { ClusterRow } from '#model/clusters.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withClusters } from '../../fleet/open.ts'
import type { CommandContext } from '../../session.ts'
import { defined } from '#model/defined.ts'

export function fleetRemove(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { screen, session } = context
  const name = defined(words[0])
  return withClusters(flags, session, 'write', async (clusters) => {
    const row = await markAbsent(clusters, name)
    const isFound = (await clusters.notes()).get(name)?.made?.phase === 'found'
    if (screen.format !== 'table') await screen.document({ name, desired: 'absent' })
    else screen.print([`${name} is marked absent`, whatFollows(row, isFound)])
    return 0
  })
}

function whatFollows({ name, provider }: ClusterRow, isFound: boolean): string {
  const next = 'tend fleet reconcile --from-db'
  if (provider === 'existing') {
    return `${next} takes its registrations away; the cluster itself stays`
  }
  if (!isFound) return `${next} deletes it with its registrations`
  return `${next} deletes it, though it was there before its row; tend fleet add ${name} --provider ${provider} takes that back`
}
