/** `tend fleet add NAME`: a row that says present, with ports that are free. */
import { host } from '#clients/providers/host.ts'
import { reservedCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withClusters } from '../../fleet/open.ts'
import { rowDocument } from '../../fleet/rows-view.ts'
import type { Desk } from '../../session.ts'

export function fleetAdd({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { screen, session } = desk
  const { provider, nodePort, pfPort, httpPort, httpsPort, subnet, registrations } = flags.fleet
  const name = words[0]!
  refuseReserved(name)
  if (provider === undefined) {
    throw usageProblem('a cluster needs a provider', 'add --provider kind, k3d, kwok or existing')
  }
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

export function refuseReserved(name: string): void {
  if (name !== reservedCluster) return
  throw new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${reservedCluster} is the management cluster: a fleet never makes, removes or routes it`,
    suggestion: 'use another name',
  })
}
