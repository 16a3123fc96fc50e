/** Everything that the engine has, in one round of lists; a list that fails leaves only its own kind unknown. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { listImages } from '#clients/docker/images.ts'
import { listNetworks, type ListedNetwork } from '#clients/docker/networks.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { plainId } from '../image-name.ts'
import type { Memory } from '../memory.ts'

/** A list, or why there is none. */
export type Listed<Item> = readonly Item[] | { readonly why: string }

export type Lists = {
  readonly containers: Listed<ListedContainer>
  readonly networks: Listed<ListedNetwork>
  readonly volumes: Listed<ListedVolume>
}

export function isSeen<Item>(list: Listed<Item>): list is readonly Item[] {
  return Array.isArray(list)
}

/**
 * Many stacks that are looked at together share one round, for as long as nothing was changed here. `serve`: how long a
 * round that has ended may serve, ms.
 */
export async function sharedLists(
  docker: Docker,
  memory: Memory,
  serve: number,
  signal: AbortSignal,
): Promise<Lists> {
  const known = memory.lists
  if (known !== undefined && (!known.isDone || Date.now() - known.takenAt < serve)) {
    // whoever began it may have been told to stop: that is no news for us
    return known.taken.catch(() => sharedLists(docker, memory, serve, signal))
  }
  const round = { takenAt: Date.now(), taken: listAll(docker, memory, signal), isDone: false }
  memory.lists = round
  try {
    return await round.taken
  } catch (error) {
    if (memory.lists === round) delete memory.lists
    throw error
  } finally {
    round.isDone = true
  }
}

/** Throws when nothing at all could be seen. */
async function listAll(docker: Docker, memory: Memory, signal: AbortSignal): Promise<Lists> {
  const images = rememberImages(docker, memory, signal)
  const [containers, networks, volumes] = await Promise.allSettled([
    listContainers(docker, [], signal),
    listNetworks(docker, [], signal),
    listVolumes(docker, [], signal),
  ])
  await images
  signal.throwIfAborted()
  const all = [containers, networks, volumes]
  if (containers.status === 'rejected' && all.every(({ status }) => status === 'rejected')) {
    throw containers.reason
  }
  return {
    containers: listed(containers),
    networks: listed(networks),
    volumes: listed(volumes),
  }
}

function listed<Item>(result: PromiseSettledResult<readonly Item[]>): Listed<Item> {
  if (result.status === 'fulfilled') return result.value
  const { reason }: { readonly reason: unknown } = result
  return { why: reason instanceof Error ? reason.message : String(reason) }
}

/** A missing list of images hides only that a tag moved: no reason to know nothing. */
async function rememberImages(docker: Docker, memory: Memory, signal: AbortSignal): Promise<void> {
  try {
    const images = await listImages(docker, signal)
    memory.images.clear()
    for (const { id, names, digests } of images) {
      for (const name of [...names, ...digests]) memory.images.set(name, plainId(id))
    }
  } catch {
    signal.throwIfAborted()
  }
}
