/** What a gate of a chart waits for. */
import type { Podman } from '#clients/podman/client.ts'
import { inspectContainer, lastLines } from '#clients/podman/containers.ts'
import { lookThrough } from '#domains/containers/look.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { probe } from './probe.ts'
import { readSubject } from './subject.ts'
import type { Memory } from '../memory.ts'

export async function look(
  podman: Podman,
  memory: Memory,
  ref: Ref,
  subject: Json,
  gate: Gate,
  signal: AbortSignal,
): Promise<Look> {
  const about = readSubject(subject)
  if (kindOf(ref) !== 'container' || about === undefined || gate === 'none') {
    return { state: 'ok', message: 'it is there' }
  }
  const { name, health } = about
  const eyes = {
    inspect: () => inspectContainer(podman, name, signal),
    lastLines: (count: number) => lastLines(podman, name, count, signal),
    health: (found: JsonRecord) =>
      gate === 'healthy' && health !== undefined
        ? probe({ podman, memory, about, signal, found })
        : undefined,
  }
  return lookThrough(eyes, about, gate)
}
