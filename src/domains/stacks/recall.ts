/** Which stacks run here, read from the labels alone: what is known when the history is lost. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { recalledFrom } from '#domains/containers/recalled.ts'
import { recordLabel } from '#domains/containers/record.ts'
import { keyOf, type Recalled } from '#model/application.ts'
import { markersIn, type Marker } from './marker.ts'

/**
 * Volumes don't count: they outlive a stack. Its revision is that of its marker; should that have been pruned, the one of its
 * last change, and the next run, though it changes nothing, marks it again.
 */
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
  const inOrder = containers.toSorted((one, other) => one.createdAt - other.createdAt)
  for (const labels of [...adopted, ...[...networks, ...inOrder].map((item) => item.labels)]) {
    const one = recalledFrom(labels, instance, 'stack', labels[recordLabel.revision])
    if (one === undefined) continue
    const marker = markers.get(labels[recordLabel.owner] ?? '')
    found.set(keyOf(one.application), marker === undefined ? one : withMarker(one, marker))
  }
  return [...found.values()]
}

function withMarker(one: Recalled, { revision, hash, at, outcome }: Marker): Recalled {
  return { ...one, version: revision, last: { revision, hash, at, outcome } }
}
