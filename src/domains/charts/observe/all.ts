/** Everything that Podman has, in one round of lists; a list that fails leaves only its own kind unknown. */
import type { Podman } from '#clients/podman/client.ts'
import { listContainers, type ListedContainer } from '#clients/podman/containers.ts'
import { listNetworks, type ListedNetwork } from '#clients/podman/networks.ts'
import { listPods, type ListedPod } from '#clients/podman/pods.ts'
import { inspectSecret, listSecrets, type ListedSecret } from '#clients/podman/secrets.ts'
import { listVolumes, type ListedVolume } from '#clients/podman/volumes.ts'
import { podmanEngine } from '#clients/podman/container-engine.ts'
import { noteImages } from '#domains/containers/operate/image.ts'
import type { Memory } from '../memory.ts'

/** A list, or why there is none. */
export type Listed<Item> = readonly Item[] | { readonly why: string }

export type Lists = {
  readonly containers: Listed<ListedContainer>
  readonly networks: Listed<ListedNetwork>
  readonly volumes: Listed<ListedVolume>
  readonly secrets: Listed<ListedSecret>
  readonly pods: Listed<ListedPod>
}

/** Throws when nothing at all could be seen. */
export async function listAll(podman: Podman, memory: Memory, signal: AbortSignal): Promise<Lists> {
  const images = rememberImages(podman, memory, signal)
  const [containers, networks, volumes, secrets, pods] = await Promise.allSettled([
    listContainers(podman, signal),
    listNetworks(podman, signal),
    listVolumes(podman, signal),
    labelledSecrets(podman, memory, signal),
    listPods(podman, signal),
  ])
  await images
  signal.throwIfAborted()
  const all = [containers, networks, volumes, secrets, pods]
  if (containers.status === 'rejected' && all.every(({ status }) => status === 'rejected')) {
    throw containers.reason
  }
  return {
    containers: listed(containers),
    networks: listed(networks),
    volumes: listed(volumes),
    secrets: listed(secrets),
    pods: listed(pods),
  }
}

export function isSeen<Item>(list: Listed<Item>): list is readonly Item[] {
  return Array.isArray(list)
}

function listed<Item>(result: PromiseSettledResult<readonly Item[]>): Listed<Item> {
  if (result.status === 'fulfilled') return result.value
  const { reason }: { readonly reason: unknown } = result
  return { why: reason instanceof Error ? reason.message : String(reason) }
}

/** A missing list of images hides only that a tag moved: no reason to know nothing. */
async function rememberImages(podman: Podman, memory: Memory, signal: AbortSignal): Promise<void> {
  try {
    await noteImages(podmanEngine(podman), memory, signal)
  } catch {
    // without the list every image is asked for by its name
    memory.images.clear()
  }
}

/** Lists of 4.x leave labels out. Where any secret of a list has some, the list tells them. */
async function labelledSecrets(
  podman: Podman,
  memory: Memory,
  signal: AbortSignal,
): Promise<readonly ListedSecret[]> {
  const secrets = await listSecrets(podman, signal)
  if (secrets.some(({ labels }) => Object.keys(labels).length > 0)) return secrets
  return Promise.all(
    secrets.map(async (secret) => {
      const known = memory.secretLabels.get(secret.id)
      if (known !== undefined) return { ...secret, labels: known }
      const inspected = await inspectSecret(podman, secret.id, signal)
      if (inspected === undefined) return secret
      memory.secretLabels.set(secret.id, inspected.labels)
      return { ...secret, labels: inspected.labels }
    }),
  )
}
