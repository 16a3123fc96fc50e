/** From an operation to the calls that carry it out, each safe to repeat. */
import type { Docker } from '#clients/docker/client.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { fieldsOf, type Verb } from '../expand/operation.ts'
import type { Memory } from '../memory.ts'
import { containerVerbs } from './container.ts'
import { imageVerbs } from './image.ts'
import { openedTexts } from '../sealed-text.ts'
import type { Work } from './job.ts'
import { networkVerbs } from './network.ts'
import { volumeVerbs } from './volume.ts'

const verbs: Readonly<Record<Verb, Work>> = {
  ...imageVerbs,
  ...containerVerbs,
  ...networkVerbs,
  ...volumeVerbs,
}

export async function operate(
  docker: Docker,
  memory: Memory,
  { verb, payload }: Operation,
  context: Context,
  confinement?: Confinement,
): Promise<Outputs> {
  const work = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (work === undefined) throw new TypeError(`no such operation: ${verb}`)
  // whatever was listed before this is of yesterday
  delete memory.lists
  try {
    const fields = fieldsOf(openedTexts(payload, context))
    const job = { docker, memory, payload: fields, context }
    return await work(confinement === undefined ? job : { ...job, confinement })
  } finally {
    delete memory.lists
  }
}
