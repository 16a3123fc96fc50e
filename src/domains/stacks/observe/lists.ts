/** Everything that the engine has, in one round of lists. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { listNetworks, type ListedNetwork } from '#clients/docker/networks.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { noteImages } from '#domains/containers/operate/image.ts'
import type { Memory } from '../memory.ts'

export type Lists = {
  readonly containers: readonly ListedContainer[]
  readonly networks: readonly ListedNetwork[]
  readonly volumes: readonly ListedVolume[]
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

/**
 * All or nothing: who is on a network, and what was taken over, is told by several lists together, so that one which is
 * missing makes the others half a truth. Whoever asked asks again.
 */
async function listAll(docker: Docker, memory: Memory, signal: AbortSignal): Promise<Lists> {
  // agreed on once, before the others would each ask for it
  await docker.apiVersion(signal)
  const [containers, networks, volumes] = await Promise.all([
    listContainers(docker, [], signal),
    listNetworks(docker, [], signal),
    listVolumes(docker, [], signal),
    rememberImages(docker, memory, signal),
  ])
  return { containers, networks, volumes }
}

/** A missing list of images hides only that a tag moved: no reason to know nothing. */
async function rememberImages(docker: Docker, memory: Memory, signal: AbortSignal): Promise<void> {
  try {
    await noteImages(dockerEngine(docker), memory, signal)
  } catch {
    // without the list every image is asked for by its name
    signal.throwIfAborted()
  }
}
