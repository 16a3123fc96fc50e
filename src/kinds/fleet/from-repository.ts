/** What a fleet's file in a repository may not say: what reaches the host is the operator's to allow. Pure. */
import { reservedCluster, type DeclaredCluster } from '#model/clusters.ts'
import type { ProblemFacts } from '#model/problem.ts'

const hostSettings = ['config', 'apiAddress'] as const
const ports = [
  ['http_port', 'httpPort'],
  ['https_port', 'httpsPort'],
] as const

export function repositoryFaults(
  clusters: readonly DeclaredCluster[],
  file: string,
): readonly ProblemFacts[] {
  return clusters.flatMap((cluster) => {
    const { name, provider, settings } = cluster
    const problem = (message: string, suggestion: string): ProblemFacts => {
      const at = { file, line: 1, column: 1 }
      return {
        type: 'configuration',
        code: 'denied',
        message: `${name}: ${message}`,
        suggestion,
        at,
      }
    }
    if (name === reservedCluster) {
      return [problem('a fleet never makes the management cluster', 'use another name')]
    }
    const reaching = hostSettings.filter((key) => settings[key] !== undefined)
    // where a run would pick free ports, two runs of one file could pick others
    const publishes = provider === 'kind' || provider === 'k3d'
    const open = publishes ? ports.filter(([, field]) => cluster[field] === undefined) : []
    return [
      ...reaching.map((key) =>
        problem(
          `${key} reaches this host, and a repository may not say it`,
          `say it in fleet.yaml, beside the table: clusters.${name}.${key}`,
        ),
      ),
      ...open.map(([key]) =>
        problem(
          `${key} is not said`,
          `a repository names its ports: ${key}: 18090, or ${key}: none`,
        ),
      ),
    ]
  })
}
