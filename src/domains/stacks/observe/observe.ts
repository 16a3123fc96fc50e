/** What runs and is ours, and an answer for everything that is wanted. */
import type { Docker } from '#clients/docker/client.ts'
import type { Target } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Observed, Present, Resource } from '#model/resource.ts'
import { asAdopted } from '../adopted.ts'
import { markersIn } from '../marker.ts'
import type { Memory } from '../memory.ts'
import { observeContainers } from './containers.ts'
import { nameHolder, portHolder, taken } from './holders.ts'
import { refreshImages } from './images.ts'
import { sharedLists, type Lists } from './lists.ts'
import { observeNetworks } from './networks.ts'
import { passesOver } from './passed-over.ts'
import { tooNew } from './too-new.ts'
import { noteSettings } from './settings.ts'
import { observeVolumes } from './volumes.ts'

type Request = Parameters<Target['observe']>[0]

/** What every kind is observed with. */
export type View = {
  readonly lists: Lists
  readonly owner: string
  readonly wanted: ReadonlyMap<Ref, Resource>
  readonly memory: Memory
}

export async function observe(
  docker: Docker,
  memory: Memory,
  serve: number,
  request: Request,
): Promise<ReadonlyMap<Ref, Observed>> {
  const { owner, signal } = request
  const refused = request.refresh ? await refreshImages(docker, memory, request) : new Map()
  const wanted = new Map(request.wanted.map((resource) => [resource.ref, resource]))
  const apiVersion = await docker.apiVersion(signal)
  const lists = withAdopted(await sharedLists(docker, memory, serve, signal), owner, memory)
  const view = { owner, wanted, memory, lists }
  const passedOver = await passesOver(docker, memory, request.wanted, signal)
  const found = new Map<Ref, Absent | Present>([
    ...observeNetworks(view),
    ...observeVolumes(view),
    ...observeContainers(view),
  ])
  await noteSettings(docker, memory, wanted.keys(), found, signal)
  for (const [ref, resource] of wanted) {
    const there = found.get(ref) ?? { kind: 'absent' }
    const seen = resource.problems.length > 0 ? there : forecasted(view, resource, there)
    const isValid = resource.problems.length === 0
    const problem =
      refused.get(ref) ??
      (isValid ? (tooNew(resource, apiVersion) ?? passedOver(resource)) : undefined)
    found.set(
      ref,
      problem === undefined ? seen : { ...seen, forecast: { kind: 'refused', problem } },
    )
  }
  remember(view, found)
  return found
}

/** What was taken over from docker compose looks as if it carried our labels. */
function withAdopted(lists: Lists, owner: string, { asIfAdopted }: Memory): Lists {
  const { containers, networks, volumes } = lists
  const adopted = asIfAdopted.get(owner) ?? markersIn(volumes).get(owner)?.adopted
  if (adopted === undefined || adopted.size === 0) return lists
  return {
    containers: asAdopted(containers, adopted, ({ id }) => `container ${id}`),
    networks: asAdopted(networks, adopted, ({ id }) => `network ${id}`),
    volumes: asAdopted(volumes, adopted, ({ name }) => `volume ${name}`),
  }
}

/** A name or a port that someone else holds: said now, before anything is touched. */
function forecasted(view: View, resource: Resource, seen: Absent | Present): Absent | Present {
  if (seen.forecast !== undefined) return seen
  const holder =
    (seen.kind === 'absent' ? nameHolder(view, resource) : undefined) ?? portHolder(view, resource)
  if (holder === undefined) return seen
  return { ...seen, forecast: { kind: 'refused', problem: taken(resource.ref, holder) } }
}

/** Events of some kinds carry no labels: their names must do. */
function remember({ memory, owner }: View, found: ReadonlyMap<Ref, Observed>): void {
  for (const [ref, seen] of found) {
    if (seen.kind !== 'present') continue
    for (const name of Object.values(seen.outputs)) {
      if (typeof name === 'string') memory.refs.set(`${owner} ${kindOf(ref)} ${name}`, ref)
    }
  }
}
