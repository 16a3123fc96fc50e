/** From an operation to the calls that carry it out, each safe to repeat. */
import type { Podman } from '#clients/podman/client.ts'
import { podmanEngine } from '#clients/podman/container-engine.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import { noteNames } from '#domains/containers/observe/forecast.ts'
import { byId } from '#domains/containers/operate/by-id.ts'
import { workOf } from '#domains/containers/operate/job.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import type { Verb } from '../expand/operation.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'
import { containerVerbs } from './container.ts'
import { networkVerbs } from './network.ts'
import { podVerbs } from './pod.ts'
import { secretVerbs } from './secret.ts'
import { volumeVerbs } from './volume.ts'
import type { ChartHandler } from './job.ts'
import { fieldsOf } from '../spec-of.ts'

const verbs: Readonly<Record<Verb, ChartHandler>> = {
  ...containerVerbs,
  ...networkVerbs,
  ...podVerbs,
  ...secretVerbs,
  ...volumeVerbs,
}

export async function operate(
  podman: Podman,
  memory: Memory,
  operation: Operation,
  context: Context,
  confinement?: Confinement,
): Promise<Outputs> {
  const { work, fields } = workOf(verbs, operation, context)
  const job = { podman, engine: podmanEngine(podman), memory, payload: fields, context }
  const known = confinement === undefined ? job : { ...job, confinement }
  const outputs = await byId(operation.verb, known, work)
  // so that events which carry only a name are understood from the start
  const ref = fieldsOf(fields['labels'])[label.ref]
  if (typeof ref === 'string') noteNames(memory.refs, ref, outputs)
  return outputs
}
