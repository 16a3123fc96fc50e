/** What happens to this application's objects, as it happens; through breaks of the connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Docker } from '#clients/docker/client.ts'
import { listen, type EngineEvent } from '#clients/docker/events.ts'
import type { Ref } from '#model/ref.ts'
import { label } from './labels.ts'
import type { Memory } from './memory.ts'
import { factsIn } from './operate/job.ts'

const firstDelay = 100
const longestDelay = 5_000

/** Ends only when it is told to. After each break it says '': anything may have happened in between. */
export async function* watch(
  docker: Docker,
  memory: Memory,
  owner: string,
  signal: AbortSignal,
): AsyncIterable<Ref> {
  let delay = firstDelay
  while (!signal.aborted) {
    try {
      const { runsChecksWhenAsked } = await factsIn(docker, memory, signal)
      const events = await listen(docker, {}, signal)
      delay = firstDelay
      yield ''
      for await (const event of events) {
        if (isNoise(event, runsChecksWhenAsked)) continue
        const ref = refOf(event, memory, owner)
        if (ref !== undefined) yield ref
      }
    } catch {
      // it is tried again below
    }
    if (signal.aborted) return
    await sleep(delay, undefined, { signal }).catch(() => undefined)
    delay = Math.min(delay * 2, longestDelay)
  }
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
  if (type === 'image')
    return action === 'tag' || action === 'untag' || action === 'pull' ? '' : undefined
  return memory.refs.get(`${owner} ${type} ${name}`)
}
