/** Which charts run here, read from the labels alone: what is known when the history is lost. */
import type { Podman } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listPods } from '#clients/podman/pods.ts'
import { recalledFrom } from '#domains/containers/recalled.ts'
import { keyOf, type Recalled } from '#model/application.ts'
import { label } from './labels.ts'

/** Volumes don't count: they outlive an uninstall. */
export async function recall(
  podman: Podman,
  instance: string,
  signal: AbortSignal,
): Promise<readonly Recalled[]> {
  const lists = await Promise.all([
    listContainers(podman, signal),
    listPods(podman, signal),
    listNetworks(podman, signal),
  ])
  const found = new Map<string, Recalled>()
  for (const { labels } of lists.flat()) {
    const one = recalledFrom(labels, instance, 'chart', labels[label.version])
    if (one !== undefined) found.set(keyOf(one.application), one)
  }
  return [...found.values()]
}
