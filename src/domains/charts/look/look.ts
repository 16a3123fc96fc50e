/** What a gate of a chart waits for. */
import type { Podman } from '#clients/podman/client.ts'
import { podmanEngine } from '#clients/podman/container-engine.ts'
import { lookAt } from '#domains/containers/look.ts'
import type { InspectedContainer } from '#model/container-engine.ts'
import type { Look } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
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
  const check = (found: InspectedContainer): ReturnType<typeof probe> | undefined =>
    gate === 'healthy' && about.health !== undefined
      ? probe({ podman, memory, about, signal, found })
      : undefined
  // of what was made from here, whoever has its name by now
  const name = memory.made.get(about.name) ?? about.name
  return lookAt(podmanEngine(podman), { ...about, name }, gate, check, signal)
}
