/** The containers of a resource: itself, or what it made (those in the pods of a Deployment). */
import type { GraphNode } from '#model/api.ts'
import type { Ref } from '#model/ref.ts'
import type { ContainerStatus } from '#model/service.ts'
import type { AppState } from '../state/app-state.ts'

/** ms. What can't be listed in time is left out: the resources themselves are told all the same. */
const patience = 5_000

/** Names of the containers whose logs are those of the resource. */
export async function containersOf(
  app: AppState,
  ref: Ref,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = app.seen?.listed ?? (await madeIn(app, signal))
  return all.filter((one) => one.ref === ref).map(({ name }) => name)
}

/** What resources made that nobody declares: pods, below what made them. */
export async function madeNodes(app: AppState, signal: AbortSignal): Promise<readonly GraphNode[]> {
  if (app.seen?.listed !== undefined) return []
  const pods = Map.groupBy(await madeIn(app, signal), ({ name }) =>
    name.slice(0, name.lastIndexOf('/')),
  )
  return [...pods].flatMap(([name, containers]) => {
    const parent = containers[0]?.ref
    const id = `Pod/${name}`
    if (parent === undefined || parent === id) return []
    return {
      id,
      type: 'resource',
      kind: 'Pod',
      name,
      sync: 'synced',
      ...healthOf(containers),
      parent,
    }
  })
}

function healthOf(containers: readonly ContainerStatus[]): Pick<GraphNode, 'health' | 'reason'> {
  const worst =
    containers.find(({ health }) => health === 'unhealthy') ??
    containers.find(({ health }) => health === 'starting')
  if (worst === undefined) return { health: 'healthy', reason: '' }
  const health = worst.health === 'unhealthy' ? 'degraded' : 'progressing'
  return { health, reason: `${worst.name.split('/').at(-1)}: ${worst.state}` }
}

async function madeIn(
  { monitor, owner }: AppState,
  signal: AbortSignal,
): Promise<readonly ContainerStatus[]> {
  if (monitor === undefined || monitor.problem() !== undefined) return []
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const connection = monitor.connection()
  // who may not list pods sees none, and nothing else fails for that
  return (await connection.containers?.(owner, limited).catch(() => [])) ?? []
}
