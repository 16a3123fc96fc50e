/** From an operation to the calls that carry it out, each safe to repeat. */
import type { Podman } from '#clients/podman/client.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import type { Verb } from '../expand/operation.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'
import { containerVerbs } from './container.ts'
import { networkVerbs } from './network.ts'
import { podVerbs } from './pod.ts'
import { secretVerbs } from './secret.ts'
import { volumeVerbs } from './volume.ts'
import type { Work } from './work.ts'
import { fieldsOf } from '../spec-of.ts'

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
  confinement?: Confinement,
): Promise<Outputs> {
  const work = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (work === undefined) throw new TypeError(`no such operation: ${verb}`)
  const fields = fieldsOf(payload)
  const job = { podman, memory, payload: fields, context }
  const outputs = await work(confinement === undefined ? job : { ...job, confinement })
  remember(memory, fieldsOf(fields['labels'])[label.ref], outputs)
  return outputs
}

/** So that events which carry only a name are understood from the start. */
function remember(memory: Memory, ref: Value | undefined, outputs: Outputs): void {
  if (typeof ref !== 'string') return
  for (const name of Object.values(outputs)) {
    if (typeof name === 'string') memory.refs.set(`${kindOf(ref)} ${name}`, ref)
  }
}
