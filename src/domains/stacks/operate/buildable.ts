/** What a build of a followed application may ask of the engine, looked at in the very Dockerfile that is sent. */
import { readOnBuild } from '#clients/docker/image-export.ts'
import { askForImage, isAllowed, otherBuilder } from '#domains/containers/image-builder.ts'
import { Problem } from '#model/problem.ts'
import { textOf } from '#model/read-json.ts'
import { judgeDockerfile, judgeTriggers } from '../dockerfile/asks.ts'
import { ensureImage } from '../pull.ts'
import type { BuildDefinition } from '../spec.ts'
import { factsIn, type Job } from './job.ts'

/** Throws what is denied. Images that it starts from are here afterwards, as far as they could be got. */
export async function assertBuildable(
  job: Job,
  definition: BuildDefinition,
  text: string,
): Promise<void> {
  if (job.confinement === undefined) return
  const name = fileIn(definition)
  const { asks, bases } = judgeDockerfile(text, argumentsIn(definition))
  for (const { line, ...ask } of asks)
    isAllowed(job, { ...ask, what: `${name}:${line}: ${ask.what}` })
  for (const image of bases) await got(job, image, definition)
}

/**
 * Before it begins, and once more when it is done: an image that was not there before may have been built for another one meanwhile.
 * Throws what is denied. True: an image that it reads brings instructions of its own along.
 */
export async function assertAllReadable(
  job: Job,
  definition: BuildDefinition,
  text: string,
): Promise<boolean> {
  if (job.confinement === undefined) return false
  const name = fileIn(definition)
  let isLoaded = false
  for (const { image, line } of imagesRead(definition, text)) {
    const where = line === undefined ? 'build.cache_from' : `${name}:${line}`
    if (await bringsInstructions(job, image, where)) isLoaded = true
  }
  return isLoaded
}

type Read = { readonly image: string; readonly line: number | undefined }

export function imagesRead(definition: BuildDefinition, text: string): readonly Read[] {
  const { images } = judgeDockerfile(text, argumentsIn(definition))
  const caches = definition.cache_from ?? []
  return [...images, ...caches.map((image) => ({ image, line: undefined }))]
}

/** Those without a value would be taken from the environment of whoever builds, and there is none here. */
export function argumentsIn({ args = {} }: BuildDefinition): Readonly<Record<string, string>> {
  const given = Object.entries(args).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as const],
  )
  return Object.fromEntries(given)
}

function fileIn({ dockerfile_inline: inline = '', dockerfile = '' }: BuildDefinition): string {
  return inline === '' ? dockerfile || 'Dockerfile' : 'dockerfile_inline'
}

/** Nobody else's, and without instructions for whoever builds on it that this build may not give itself. */
async function bringsInstructions(job: Job, image: string, where: string): Promise<boolean> {
  const { engine, confinement, context } = job
  if (confinement === undefined) return false
  const found = await engine.inspectImage(image, context.signal)
  if (found === undefined) return false
  const builder = otherBuilder(confinement, found.labels)
  if (builder !== undefined) {
    const ask = askForImage(image, builder)
    isAllowed(job, { ...ask, what: `${where}: ${ask.what}` })
  }
  const broughtAlong = await onBuildOf(job, found)
  const { asks, images } = judgeTriggers(broughtAlong)
  for (const { line: _, ...ask } of asks) {
    isAllowed(job, { ...ask, what: `${where}: ${ask.what} as ${image} has it (ONBUILD)` })
  }
  for (const one of images.filter((other) => other.image !== image)) {
    const other = await engine.inspectImage(one.image, context.signal)
    const whose = other && otherBuilder(confinement, other.labels)
    if (whose !== undefined) isAllowed(job, askForImage(one.image, whose))
  }
  return broughtAlong.length > 0
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
  definition: BuildDefinition,
): Promise<void> {
  const [platform = textOf(payload['platform']) || undefined] = definition.platforms ?? []
  const policy = definition.pull === true ? 'always' : 'missing'
  const wish = { image, policy, platform, report: (line: string) => context.report(line) }
  try {
    await ensureImage(docker, memory, wish, context.signal)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
  }
}
