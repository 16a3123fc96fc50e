/** Which stacks run here, read from the labels alone: what is known when the history is lost. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { recordLabel, sinceOf, type Labels } from '#engine/record.ts'
import { keyOf, type Recalled } from '#model/application.ts'
import { markersIn } from './marker.ts'

/** Volumes don't count: they outlive a stack. Its revision is that of its marker, if it has one. */
export async function recall(
  docker: Docker,
  instance: string,
  signal: AbortSignal,
): Promise<readonly Recalled[]> {
  const [containers, networks, volumes] = await Promise.all([
    listContainers(docker, [], signal),
    listNetworks(docker, [], signal),
    listVolumes(docker, [], signal),
  ])
  const markers = markersIn(volumes)
  const adopted = [...markers.values()].flatMap((marker) => [...marker.adopted.values()])
  const found = new Map<string, Recalled>()
  for (const labels of [...containers, ...networks].map((item) => item.labels).concat(adopted)) {
    const one = recalledFrom(labels, instance)
    if (one === undefined) continue
    const marker = markers.get(labels[recordLabel.owner] ?? '')
    found.set(keyOf(one.application), { ...one, version: marker?.revision ?? one.version })
  }
  return [...found.values()]
}

function recalledFrom(labels: Labels, instance: string): Recalled | undefined {
  const owner = labels[recordLabel.owner] ?? ''
  const prefix = `${instance}:stack:`
  const since = sinceOf(labels)
  if (!owner.startsWith(prefix) || since === undefined) return undefined
  const key = owner.slice(prefix.length)
  const slash = key.indexOf('/')
  const namespace = slash < 0 ? null : key.slice(0, slash)
  const application = { kind: 'stack', namespace, name: key.slice(slash + 1) } as const
  return { application, since, version: labels[recordLabel.revision] ?? '' }
}
