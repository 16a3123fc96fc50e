/** `tend fleet adopt NAME`: a row for a cluster that is there already; nothing about the cluster changes. */
import { shapeOf } from '#domains/fleet/shape.ts'
import { Problem } from '#model/problem.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { databaseOf, withClusters } from '../../fleet/open.ts'
import { settingsFor } from '../../fleet/settings.ts'
import { reconciling, siteFor } from '../../fleet/site.ts'
import type { Desk } from '../../session.ts'
import { refuseReserved } from './add.ts'

export function fleetAdopt({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen, signal } = desk
  const name = words[0]!
  const { provider, nodePort, pfPort, httpPort, httpsPort, subnet, registrations } = flags.fleet
  refuseReserved(name)
  if (provider === undefined) {
    throw usageProblem('a cluster needs a provider', 'add --provider kind, k3d, kwok or existing')
  }
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, 'write', async (clusters) => {
    const site = await siteFor(clusters, settings, reconciling, session)
    if (!(await site.providers[provider].list(signal)).has(name)) throw missing(name, provider)
    const ports = { nodePort, pfPort, httpPort, httpsPort }
    const wanted = { name, provider, ...ports, subnet, registrations }
    const known = site.declared.rows.find((one) => one.name === name)
    const isKept = known?.desired === 'present' && known.provider === provider
    const row = isKept ? known : await clusters.add(wanted, lenient)
    // what it was found to be stays known: a row that says something else by now has not changed it
    const found = isKept ? site.declared.notes.get(name)?.made?.spec : undefined
    const spec = found ?? shapeOf(row, settings)
    await clusters.noteMade(name, { phase: 'adopted', provider, spec })
    if (screen.format === 'table') screen.print([`${name} is adopted: its row says present`])
    else await screen.document({ name, provider, desired: 'present' })
    return 0
  })
}

/** It holds its own ports. */
const lenient = { isPortFree: async () => true, isSubnetFree: () => true }

function missing(name: string, provider: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${provider} lists no cluster ${name}`,
    suggestion:
      provider === 'existing'
        ? `say in fleet.yaml where it is: clusters.${name}.kubeconfig`
        : `tend fleet add ${name} --provider ${provider} declares one that is to be made`,
  })
}
