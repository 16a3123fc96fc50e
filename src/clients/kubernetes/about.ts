/** Which Kubernetes answers, and how many nodes it has. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { EngineAbout } from '#model/connection.ts'
import type { Kubernetes } from './client.ts'

export async function aboutCluster(
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<EngineAbout> {
  const doing = 'could not ask the cluster about itself'
  const { body } = await kubernetes.ask('GET', '/version', { signal, doing })
  const known = {
    engine: 'kubernetes',
    version: textOf(recordOf(body)['gitVersion']).replace(/^v/, ''),
  }
  // whoever may not see nodes is told the version all the same
  const nodes = await kubernetes
    .ask('GET', '/api/v1/nodes', { signal, doing, query: { limit: '500' } })
    .catch(() => undefined)
  if (nodes === undefined) return known
  return { ...known, nodes: recordsOf(recordOf(nodes.body)['items']).length }
}
