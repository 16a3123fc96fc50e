/** From an operation to the calls that carry it out, each safe to repeat. */
import type { Podman } from '#clients/podman/client.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import type { Verb } from './expand-operation.ts'
import type { Memory } from './memory.ts'
import { containerVerbs } from './operate-container.ts'
import { networkVerbs } from './operate-network.ts'
import { podVerbs } from './operate-pod.ts'
import { secretVerbs } from './operate-secret.ts'
import { volumeVerbs } from './operate-volume.ts'
import { fieldsOf, type Work } from './operate-work.ts'

const verbs: Readonly<Record<Verb, Work>> = {
  ...containerVerbs,
  ...networkVerbs,
  ...podVerbs,
  ...secretVerbs,
  ...volumeVerbs,
}

export async function operate(
  podman: Podman,
  memory: Memory,
  { verb, payload }: Operation,
  context: Context,
): Promise<Outputs> {
  const work = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (work === undefined) throw new TypeError(`no such operation: ${verb}`)
  return work({ podman, memory, payload: fieldsOf(payload), context })
}
