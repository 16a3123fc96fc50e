/** What happens to this application's objects, as it happens; through breaks of the connection. */
import { follow } from '#domains/containers/follow.ts'
import { movesTag } from '#domains/containers/image-news.ts'
import type { Docker } from '#clients/docker/client.ts'
import { listen, type EngineEvent } from '#clients/docker/events.ts'
import type { Ref } from '#model/ref.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'
import { factsIn } from '../operate/job.ts'

export function watch(
  docker: Docker,
  memory: Memory,
  owner: string,
  signal: AbortSignal,
): AsyncIterable<Ref> {
  let runsChecksWhenAsked = false
  return follow(
    async () => {
      runsChecksWhenAsked = (await factsIn(docker, memory, signal)).runsChecksWhenAsked
      return listen(docker, {}, signal)
    },
    (event) => (isNoise(event, runsChecksWhenAsked) ? undefined : refOf(event, memory, owner)),
    signal,
  )
}

/** Where checks run when we ask for them, news of them would make us ask again. */
function isNoise({ action }: EngineEvent, runsChecksWhenAsked: boolean): boolean {
  if (/^(exec|attach|archive|copy|top|cleanup|mount|unmount|sync)/.test(action)) return true
  return action === 'health_status' && runsChecksWhenAsked
}

function refOf(event: EngineEvent, memory: Memory, owner: string): Ref | undefined {
  const { type, action, name, attributes } = event
  if (attributes[label.owner] !== undefined) {
    return attributes[label.owner] === owner ? attributes[label.ref] : undefined
  }
  if (type === 'network') {
    // who was taken off a network is told by id only: anyone may be meant
    return memory.refs.has(`${owner} network ${attributes['network'] ?? name}`) ? '' : undefined
  }
  if (type === 'image') return movesTag(action) ? '' : undefined
  return memory.refs.get(`${owner} ${type} ${name}`)
}
