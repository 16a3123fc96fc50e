/** From an operation to the calls that carry it out, each safe to repeat. */
import type { Docker } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import { byId } from '#domains/containers/operate/by-id.ts'
import { workOf } from '#domains/containers/operate/job.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import type { Verb } from '../expand/operation.ts'
import type { Memory } from '../memory.ts'
import { containerVerbs } from './container.ts'
import { contentVerbs } from './contents.ts'
import { imageVerbs } from './image.ts'
import type { StackHandler } from './job.ts'
import { networkVerbs } from './network.ts'
import { volumeVerbs } from './volume.ts'

const verbs: Readonly<Record<Verb, StackHandler>> = {
  ...imageVerbs,
  ...containerVerbs,
  ...contentVerbs,
  ...networkVerbs,
  ...volumeVerbs,
}

export async function operate(
  docker: Docker,
  memory: Memory,
  operation: Operation,
  context: Context,
  confinement?: Confinement,
): Promise<Outputs> {
  const { work, fields } = workOf(verbs, operation, context)
  // whatever was listed or inspected before this is of yesterday
  delete memory.lists
  memory.settings.forget()
  try {
    const job = { docker, engine: dockerEngine(docker), memory, payload: fields, context }
    const known = confinement === undefined ? job : { ...job, confinement }
    return await byId(operation.verb, known, work)
  } finally {
    delete memory.lists
    memory.settings.forget()
  }
}
