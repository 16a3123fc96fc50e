/** What runs and is ours, and an answer for everything that is wanted. */
import type { Docker } from '#clients/docker/client.ts'
import { forecasted, noteRefs } from '#domains/containers/observe/forecast.ts'
import { noteSources } from '#domains/containers/source-limit.ts'
import type { Target } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import type { Absent, Observed, Present, Resource } from '#model/resource.ts'
import { asAdopted, type Adopted } from '../adopt-labels.ts'
import { markersIn } from '../marker.ts'
import type { Memory } from '../memory.ts'
import { observeContainers } from './containers.ts'
import { nameHolder, portHolder, taken } from './port-owners.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { refreshImages } from './images.ts'
import { sharedLists, type Lists } from './lists.ts'
import { observeNetworks } from './networks.ts'
import { passesOver } from './passed-over.ts'
import { takenPorts } from './taken-ports.ts'
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
  /** What was taken over. It does not carry our labels: the lists look as if it did. */
  readonly adopted?: Adopted | undefined
}

export async function observe(
  docker: Docker,
  memory: Memory,
  serve: number,
  request: Request,
  asIfAdopted?: Adopted,
): Promise<ReadonlyMap<Ref, Observed>> {
  const { owner, signal } = request
  const refused = request.refresh ? await refreshImages(docker, memory, request) : new Map()
  const wanted = new Map(request.wanted.map((resource) => [resource.ref, resource]))
  const apiVersion = await docker.apiVersion(signal)
  const listed = await sharedLists(docker, memory, serve, signal)
  noteSources(memory.sources, listed.containers)
  const adopted =
    asIfAdopted ?? memory.asIfAdopted.get(owner) ?? markersIn(listed.volumes).get(owner)?.adopted
  const lists = withAdopted(listed, adopted)
  const view = { owner, wanted, memory, lists, adopted }
  const ports = await takenPorts(docker, view)
  const passedOver = await passesOver(docker, memory, request.wanted, signal)
  const found = new Map<Ref, Absent | Present>([
    ...observeNetworks(view),
    ...observeVolumes(view),
    ...observeContainers(view),
  ])
  await noteSettings(docker, memory, wanted.keys(), found, signal)
  for (const [ref, resource] of wanted) {
    const there = found.get(ref) ?? { kind: 'absent' }
    const isValid = resource.problems.length === 0
    const seen = isValid ? forecasted(there, () => holderOf(view, resource, there, ports)) : there
    const problem =
      refused.get(ref) ??
      (isValid ? (tooNew(resource, apiVersion) ?? passedOver(resource)) : undefined)
    found.set(
      ref,
      problem === undefined ? seen : { ...seen, forecast: { kind: 'refused', problem } },
    )
  }
  noteRefs(memory.refs, found, `${owner} `)
  return found
}

/** What was taken over from docker compose looks as if it carried our labels. */
function withAdopted(lists: Lists, adopted: Adopted | undefined): Lists {
  const { containers, networks, volumes } = lists
  if (adopted === undefined || adopted.size === 0) return lists
  return {
    containers: asAdopted(containers, adopted, ({ id }) => `container ${id}`),
    networks: asAdopted(networks, adopted, ({ id }) => `network ${id}`),
    volumes: asAdopted(volumes, adopted, ({ name }) => `volume ${name}`),
  }
}

/** A name or a port that someone else holds: said now, before anything is touched. */
function holderOf(
  view: View,
  resource: Resource,
  seen: Absent | Present,
  ports: ReadonlyMap<Ref, ProblemFacts>,
): ProblemFacts | undefined {
  const holder = nameHolder(view, resource, seen) ?? portHolder(view, resource)
  const found = holder === undefined ? ports.get(resource.ref) : taken(resource.ref, holder)
  return found && { ...found, at: resource.origin }
}
