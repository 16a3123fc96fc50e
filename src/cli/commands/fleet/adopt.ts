/** `tend fleet adopt NAME`: a row for a cluster that is there already; nothing about the cluster changes. */
import type { ClusterFacts } from '#clients/providers/provider.ts'
import { identify } from '#domains/fleet/observe/cluster-identity.ts'
import { recordedShape, shapeOf } from '#domains/fleet/cluster-spec.ts'
import { declaredOf } from '#domains/fleet/rows-yaml.ts'
import type { ClusterRow, Clusters } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import type { CommandContext } from '../../session.ts'
import { refuseReserved } from '#kinds/fleet/row-problems.ts'
import { defined } from '#model/defined.ts'

export function fleetAdopt({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen, signal } = context
  const name = defined(words[0])
  const { provider, nodePort, pfPort, httpPort, httpsPort, subnet, registrations } = flags.fleet
  refuseReserved(name)
  if (provider === undefined) {
    throw usageProblem('a cluster needs a provider', 'add --provider kind, k3d, kwok or existing')
  }
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, 'write', async (clusters) => {
    const fleet = await openFleetContext(clusters, settings, reconciling, session)
    const listed = (await fleet.providers[provider].list(signal)).get(name)
    if (listed === undefined) throw missing(name, provider)
    const { facts, identity } = listed
    const real = facts === undefined ? { httpPort, httpsPort } : portsOf(facts, flags.fleet)
    const wanted = { name, provider, nodePort, pfPort, ...real, subnet, registrations }
    const known = fleet.declared.rows.find((one) => one.name === name)
    const isKept = known?.desired === 'present' && known.provider === provider
    const row = isKept ? known : await clusters.add(wanted, lenient)
    // what it was found to be stays known: a row that says something else by now has not changed it
    if (!isKept && facts !== undefined) await declareNodes(clusters, row, facts)
    const note = (await clusters.notes()).get(name)
    const isStranger = identify(note?.made, listed) === 'stranger'
    const spec = recordedShape(
      shapeOf(row, settings, note),
      isStranger ? undefined : note?.made,
      facts,
    )
    if (isStranger) fleet.kubeconfigs.drop(name)
    await clusters.noteMade(name, { phase: 'adopted', provider, spec, identity })
    if (screen.format === 'table') screen.print([`${name} is adopted: its row says present`])
    else await screen.document({ name, provider, desired: 'present' })
    return 0
  })
}

/** The new row declares the number of nodes that the cluster has. */
async function declareNodes(
  clusters: Clusters,
  row: ClusterRow,
  { servers, agents }: ClusterFacts,
): Promise<void> {
  if (servers === 1 && agents === 0) return
  const declared = declaredOf(row, (await clusters.notes()).get(row.name))
  const settings = { ...declared.settings, servers, agents }
  await clusters.declare([{ ...declared, settings }], lenient)
}

/** The ports that the cluster publishes become those of its row, unless the user names others. */
function portsOf(
  { httpPort, httpsPort }: ClusterFacts,
  said: Pick<Flags['fleet'], 'httpPort' | 'httpsPort'>,
): Pick<ClusterFacts, 'httpPort' | 'httpsPort'> {
  return { httpPort: said.httpPort ?? httpPort, httpsPort: said.httpsPort ?? httpsPort }
}

/** The ports of a cluster that stands are taken by the cluster itself, so they are not checked. */
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
