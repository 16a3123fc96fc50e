/** Who built an image: what one application built is no other's to use, unless the operator shares it. */
import { judge, type Ask } from '#model/policy.ts'
import { Problem } from '#model/problem.ts'
import type { Labels } from './record.ts'
import type { Confinement } from './confinement.ts'
import type { EngineJob } from './operate/job.ts'

/** On an image: the owner of the application that it was built for. */
export const builderLabel = 'tend/builder'

/** Undefined: nobody, as far as its labels tell, or the application itself. */
export function otherBuilder(
  { owner, key }: Pick<Confinement, 'owner' | 'key'>,
  labels: Labels,
): string | undefined {
  const builder = labels[builderLabel] ?? ''
  const isOwn = builder === '' || builder === owner || builder.endsWith(`:${key}`)
  return isOwn ? undefined : builder
}

/** Throws what is denied, and tells what the policy warns of. True: it is allowed in so many words. */
export function isAllowed({ confinement, context }: EngineJob, ask: Ask, why = ''): boolean {
  const judged = confinement && judge(confinement.policy, ask)
  if (judged === undefined) return true
  const { isDenied, message, suggestion } = judged
  if (isDenied) {
    throw new Problem({ type: 'runtime', code: 'denied', message: message + why, suggestion })
  }
  context.warn(message)
  return true
}

export function askForImage(image: string, builder: string): Ask {
  return {
    rule: 'externalImages',
    what: `the image ${image}, which was built for ${builder},`,
    share: `image/${image}`,
    instead: 'use another image',
  }
}

/**
 * Whatever a followed application starts from must not be what another one built. `pull` gets what the name means to its registry: a
 * name that was taken by a build is of no use to whoever took it.
 */
export async function assertUsable(
  job: EngineJob,
  image: string,
  pull?: () => Promise<unknown>,
): Promise<void> {
  const { engine, memory, confinement, context } = job
  if (confinement === undefined) return
  const found = await engine.inspectImage(image, context.signal)
  const builder = found && otherBuilder(confinement, found.labels)
  if (builder !== undefined && isForeign(confinement, image, builder)) {
    await pulled(job, image, builder, pull)
  } else if (builder !== undefined) isAllowed(job, askForImage(image, builder))
  const now = builder === undefined ? found : await engine.inspectImage(image, context.signal)
  if (now !== undefined) memory.looked.set(`${confinement.owner} ${image}`, now.id)
}

function isForeign({ policy }: Confinement, image: string, builder: string): boolean {
  return judge(policy, askForImage(image, builder))?.isDenied === true
}

/** What comes from a registry is what it says it is, also where it was once built by Tend and pushed there. */
async function pulled(
  job: EngineJob,
  image: string,
  builder: string,
  pull: (() => Promise<unknown>) | undefined,
): Promise<void> {
  const { memory, payload, context } = job
  const ask = askForImage(image, builder)
  const { policy } = payload
  if (pull === undefined || policy === 'never' || policy === 'build') {
    isAllowed(job, ask)
    return
  }
  memory.fresh.delete(image)
  try {
    await pull()
  } catch (error) {
    context.signal.throwIfAborted()
    const why = error instanceof Problem ? error.message : String(error)
    isAllowed(job, ask, `, and it could not be got from its registry instead: ${why}`)
  }
}

/** After a container was made by the name of an image: another build may have taken the name since the image was looked at. */
export async function assertMadeOf(job: EngineJob, name: string, image: string): Promise<void> {
  const { engine, memory, confinement, context } = job
  const looked = confinement && memory.looked.get(`${confinement.owner} ${image}`)
  if (looked === undefined) return
  const found = await engine.inspectContainer(memory.made.get(name) ?? name, context.signal)
  if (found === undefined || found.imageId === looked) return
  await engine.removeContainer(found.id, { seconds: 0, withVolumes: false }, context.signal)
  throw new Problem({
    type: 'runtime',
    code: 'conflict',
    message: `image ${image} became another one while container ${name} was made of it`,
    suggestion: 'nothing was started; it is tried again',
    recoverable: true,
  })
}
