/** The ports of a row in a merged configuration: settings may add ports, and never lead those of the row elsewhere. */
import { Problem } from '#model/problem.ts'
import type { ClusterShape } from './provider.ts'

/** `hostPortTo`: the port of the host that leads to this port of the cluster, as the configuration has it. */
export function refuseOtherPorts(
  { name, httpPort, httpsPort }: ClusterShape,
  provider: string,
  hostPortTo: (port: number) => number | undefined,
): void {
  const ports = [
    ['http_port', httpPort, 80],
    ['https_port', httpsPort, 443],
  ] as const
  for (const [column, wanted, to] of ports) {
    const found = hostPortTo(to)
    if (wanted === null || found === wanted) continue
    const leads = found === undefined ? `maps nothing to port ${to}` : `maps port ${to} to ${found}`
    throw new Problem({
      type: 'configuration',
      code: 'bad_value',
      message: `the row of ${name} says ${column} ${wanted}, and the config for ${provider} ${leads}`,
      suggestion: `take port ${to} out of the config (providers.${provider}.config, clusters.${name}.config or tend fleet set ${name} config.…), or change the row: tend fleet set ${name} ${column}=PORT`,
    })
  }
}
