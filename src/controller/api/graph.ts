/** What an application consists of and what depends on what, other applications included. */
import type { Graph, GraphEdge, GraphNode } from '#model/api.ts'
import type { AppStatus } from '#model/service.ts'
import { kindOf, nameOf } from '#model/ref.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'
import { lookedAt } from './looked.ts'
import { madeNodes } from './made-by.ts'

export async function graphOf(
  service: ServiceState,
  app: AppState,
  signal: AbortSignal,
): Promise<Graph> {
  const { rendered, resources } = await lookedAt(service, app, signal)
  const nodes = new Map<string, GraphNode>()
  for (const { ref, sync, health } of resources) {
    nodes.set(ref, {
      id: ref,
      type: 'resource',
      kind: kindOf(ref),
      name: nameOf(ref),
      sync: sync.state,
      ...(health === undefined ? {} : { health: health.state }),
      reason: sync.reason === '' ? (health?.reason ?? '') : sync.reason,
    })
  }
  for (const made of await madeNodes(app, signal)) {
    if (made.parent !== undefined && nodes.has(made.parent)) nodes.set(made.id, made)
  }
  const edges: GraphEdge[] = rendered.resources.flatMap(({ ref, needs }) =>
    needs.map((need) => ({ from: ref, to: need.ref, until: need.until })),
  )
  for (const [from, to] of between(service, app)) {
    for (const key of [from, to]) nodes.set(key, nodes.get(key) ?? appNode(service, key))
    edges.push({ from, to, until: 'healthy' })
  }
  return {
    nodes: [...nodes.values()],
    edges: edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to)),
  }
}

/** What it waits for, and who waits for it. */
function between(
  service: ServiceState,
  { key, declared }: AppState,
): readonly (readonly [string, string])[] {
  const needed = (declared?.policy.dependsOn ?? []).map((other) => [key, other] as const)
  const needing = [...service.apps.values()]
    .filter((other) => other.declared?.policy.dependsOn.includes(key) === true)
    .map((other) => [other.key, key] as const)
  return [...needed, ...needing]
}

function appNode(service: ServiceState, key: string): GraphNode {
  const status: AppStatus | undefined = service.apps.get(key)?.status
  const colon = key.indexOf(':')
  return {
    id: key,
    type: 'app',
    kind: key.slice(0, colon),
    name: key.slice(colon + 1),
    sync: status?.sync.state ?? 'unknown',
    health: status?.health.state ?? 'unknown',
    reason: status === undefined ? 'nobody declared it' : status.reason,
  }
}
