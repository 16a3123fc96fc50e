/** Observes a chart on Podman: everything that carries our owner, and an answer for each wanted resource. */
import type { Podman } from '#clients/podman/client.ts'
import { forecasted, noteRefs } from '#domains/containers/observe/forecast.ts'
import { noteSources } from '#domains/containers/source-limit.ts'
import type { Target } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observed, Resource } from '#model/resource.ts'
import type { Memory } from '../memory.ts'
import { isSeen, listAll, type Lists } from './all.ts'
import { observeContainers } from './containers.ts'
import { observeNetworks } from './networks.ts'
import { observePods } from './pods.ts'
import { nameHolder, portHolder, taken } from './port-owners.ts'
import { observeSecrets } from './secrets.ts'
import { observeVolumes } from './volumes.ts'
import { refreshImages } from './images.ts'

type Request = Parameters<Target['observe']>[0]

/** What every kind is observed with. */
export type View = {
  readonly podman: Podman
  readonly lists: Lists
  readonly owner: string
  readonly wanted: ReadonlyMap<Ref, Resource>
  readonly memory: Memory
}

const lists = {
  container: 'containers',
  network: 'networks',
  volume: 'volumes',
  secret: 'secrets',
  pod: 'pods',
} as const

export async function observe(
  podman: Podman,
  memory: Memory,
  request: Request,
): Promise<ReadonlyMap<Ref, Observed>> {
  const { owner, signal } = request
  const refused = request.refresh ? await refreshImages(podman, memory, request) : new Map()
  const wanted = new Map(request.wanted.map((resource) => [resource.ref, resource]))
  const lists = await listAll(podman, memory, signal)
  if (isSeen(lists.containers)) noteSources(memory.sources, lists.containers)
  const view = { podman, owner, wanted, memory, lists }
  const found = new Map<Ref, Observed>([
    ...observeNetworks(view),
    ...(await observeVolumes(view)),
    ...observeSecrets(view),
    ...observePods(view),
    ...observeContainers(view),
  ])
  for (const [ref, resource] of wanted) {
    const seen = answerFor(view, resource, found.get(ref))
    const problem = refused.get(ref)
    found.set(
      ref,
      problem === undefined || seen.kind === 'unknown'
        ? seen
        : { ...seen, forecast: { kind: 'refused', problem } },
    )
  }
  memory.refs.clear()
  noteRefs(memory.refs, found)
  return found
}

function answerFor(view: View, resource: Resource, seen: Observed | undefined): Observed {
  const kind = kindOf(resource.ref)
  const family = Object.entries(lists).find(([name]) => name === kind)?.[1]
  const list = family === undefined ? [] : view.lists[family]
  if (!isSeen<unknown>(list)) return { kind: 'unknown', why: list.why }
  if (seen?.kind === 'unknown') return seen
  if (resource.problems.length > 0) return seen ?? { kind: 'absent' }
  const there = seen ?? { kind: 'absent' }
  // a name or a port that someone else holds
  return forecasted(there, () => {
    const holder =
      (there.kind === 'absent' ? nameHolder(view, resource) : undefined) ??
      portHolder(view, resource)
    return holder && taken(resource.ref, holder)
  })
}
