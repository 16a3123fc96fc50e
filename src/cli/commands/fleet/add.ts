/** `tend fleet add NAME`: a row that says present, with ports that are free. */
import { hostBeside } from '#kinds/fleet/free-ports.ts'
import { refuseReserved } from '#kinds/fleet/row-problems.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { rowDocument } from '../../fleet/rows-view.ts'
import type { CommandContext } from '../../session.ts'
import { defined } from '#model/defined.ts'

export function fleetAdd({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const { screen, session } = context
  const { provider, nodePort, pfPort, httpPort, httpsPort, subnet, registrations } = flags.fleet
  const name = defined(words[0])
  refuseReserved(name)
  if (provider === undefined) {
    throw usageProblem('a cluster needs a provider', 'add --provider kind, k3d, kwok or existing')
  }
  const host = hostBeside(settingsFor(flags, databaseOf(flags, session)))
  return withClusters(flags, session, 'write', async (clusters) => {
    const ports = { nodePort, pfPort, httpPort, httpsPort }
    const row = await clusters.add({ name, provider, ...ports, subnet, registrations }, host)
    if (screen.format !== 'table') {
      await screen.document({ cluster: rowDocument(row) })
      return 0
    }
    const network = row.subnet === null ? '' : `, subnet ${row.subnet}`
    screen.print([
      `${name} is declared: ${provider}, http ${row.httpPort}, https ${row.httpsPort}, node port ${row.nodePort}${network}`,
      provider === 'existing'
        ? `say in fleet.yaml where it is: clusters.${name}.kubeconfig`
        : 'tend fleet reconcile --from-db makes it',
    ])
    return 0
  })
}
