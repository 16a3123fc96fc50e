/** What happens to this application's objects, as it happens; through breaks of the connection. */
import { follow } from '#domains/containers/follow.ts'
import { movesTag } from '#domains/containers/image-news.ts'
import type { Podman } from '#clients/podman/client.ts'
import { listen, type PodmanEvent } from '#clients/podman/events.ts'
import type { Ref } from '#model/ref.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'

export function watch(
  podman: Podman,
  memory: Memory,
  owner: string,
  signal: AbortSignal,
): AsyncIterable<Ref> {
  return follow(
    () => listen(podman, signal),
    (event) => refOf(event, memory, owner),
    signal,
  )
}

/**
 * Checks run inside containers are our own doing: news of them would make us check again. That something was made or started
 * mends nothing that anyone waits for; that it ended, went or changed its name does.
 */
const noise =
  /^(exec|health_status|attach|copy|cleanup|mount|unmount|sync|create|init|start|checkpoint|commit|export)/

function refOf(event: PodmanEvent, memory: Memory, owner: string): Ref | undefined {
  const { type, action, name, attributes } = event
  if (type !== 'volume' && type !== 'secret' && noise.test(action)) return undefined
  if (attributes[label.owner] !== undefined) {
    return attributes[label.owner] === owner ? attributes[label.ref] : undefined
  }
  // a network's news are told under the name of the container that went on or off it
  if (type === 'network') return memory.refs.get(`container ${name}`)
  if (type === 'image') return movesTag(action) ? '' : undefined
  return memory.refs.get(`${type} ${name}`)
}
