/** What a build of a followed application may ask of the engine, looked at in the very Dockerfile that is sent. */
import { readOnBuild } from '#clients/docker/image-export.ts'
import { askForImage, isAllowed, otherBuilder } from '#domains/containers/image-builder.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { judgeDockerfile } from '../dockerfile/asks.ts'
import { ensureImage } from '../pull.ts'
import { factsIn, type Job } from './job.ts'

/** Throws what is denied. Images that it starts from are here afterwards, as far as they could be got. */
export async function assertBuildable(
  job: Job,
  definition: JsonRecord,
  text: string,
): Promise<void> {
  if (job.confinement === undefined) return
  const said = textMapOf(definition['args'])
  const name = fileIn(definition)
  const { asks, bases } = judgeDockerfile(text, said)
  for (const { line, ...ask } of asks)
    isAllowed(job, { ...ask, what: `${name}:${line}: ${ask.what}` })
  for (const image of bases) await got(job, image, definition)
  await assertAllReadable(job, definition, text)
}

/** Once more when it is done: an image that was not there before may have been built for another one meanwhile. */
export async function assertAllReadable(
  job: Job,
  definition: JsonRecord,
  text: string,
): Promise<void> {
  if (job.confinement === undefined) return
  const name = fileIn(definition)
  const { images } = judgeDockerfile(text, textMapOf(definition['args']))
  const caches = textsOf(definition['cache_from']).map((image) => ({ image, line: undefined }))
  for (const { image, line } of [...images, ...caches]) {
    await assertReadable(job, image, line === undefined ? 'build.cache_from' : `${name}:${line}`)
  }
}

function fileIn(definition: JsonRecord): string {
  if (textOf(definition['dockerfile_inline']) !== '') return 'dockerfile_inline'
  return textOf(definition['dockerfile']) || 'Dockerfile'
}

/** Nobody else's, and without instructions for whoever builds on it that this build may not give itself. */
async function assertReadable(job: Job, image: string, where: string): Promise<void> {
  const { engine, confinement, context } = job
  if (confinement === undefined) return
  const found = await engine.inspectImage(image, context.signal)
  if (found === undefined) return
  const builder = otherBuilder(confinement, found.labels)
  if (builder !== undefined) {
    const ask = askForImage(image, builder)
    isAllowed(job, { ...ask, what: `${where}: ${ask.what}` })
  }
  const broughtAlong = await onBuildOf(job, found)
  const { asks, images } = judgeDockerfile(broughtAlong.join('\n'), {})
  for (const { line: _, ...ask } of asks) {
    isAllowed(job, { ...ask, what: `${where}: ${ask.what} as ${image} has it (ONBUILD)` })
  }
  for (const one of images.filter((other) => other.image !== image)) {
    const other = await engine.inspectImage(one.image, context.signal)
    const whose = other && otherBuilder(confinement, other.labels)
    if (whose !== undefined) isAllowed(job, askForImage(one.image, whose))
  }
}

/** Podman does not tell it with the rest of an image: its export is read, once for each image. */
async function onBuildOf(
  { docker, memory, context }: Job,
  { id, onBuild }: { readonly id: string; readonly onBuild: readonly string[] },
): Promise<readonly string[]> {
  const { signal } = context
  const { runsChecksWhenAsked: isPodman } = await factsIn(docker, memory, signal)
  if (!isPodman) return onBuild
  const known = memory.onBuild.get(id) ?? (await readOnBuild(docker, id, signal))
  memory.onBuild.set(id, known)
  return known
}

/** What can't be got is for the build itself to tell. */
async function got(
  { docker, memory, context, payload }: Job,
  image: string,
  definition: JsonRecord,
): Promise<void> {
  const [platform = textOf(payload['platform']) || undefined] = textsOf(definition['platforms'])
  const policy = definition['pull'] === true ? 'always' : 'missing'
  const wish = { image, policy, platform, report: (line: string) => context.report(line) }
  try {
    await ensureImage(docker, memory, wish, context.signal)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
  }
}
