/** What a build of a followed application may ask of the engine, looked at in the very Dockerfile that is sent. */
import { readOnBuild } from '#clients/docker/image-export.ts'
import { inspectImage } from '#clients/docker/images.ts'
import { askForImage, isAllowed, otherBuilder } from '#domains/containers/image-builder.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { judgeDockerfile, judgeTriggers } from '../dockerfile/asks.ts'
import { withDocuments } from '../dockerfile/documents.ts'
import { basesOf, machineValues, pinned } from '../dockerfile/pinned.ts'
import { printDockerfile } from '../dockerfile/print.ts'
import { ensureImage } from '../pull.ts'
import type { BuildDefinition } from '../spec.ts'
import type { Sent } from './context.ts'
import { factsIn, type Job } from './job.ts'

/** Throws what is denied. */
export function assertBuildable(job: Job, definition: BuildDefinition, text: string): void {
  const name = fileIn(definition)
  const { asks } = judgeDockerfile(text, argumentsIn(definition))
  for (const { line, ...ask } of asks)
    isAllowed(job, { ...ask, what: `${name}:${line}: ${ask.what}` })
}

/** The ids of images that a build starts from, by their names. */
export type BaseIds = Map<string, string>

/**
 * The Dockerfile of an application that is followed, as it was judged and with the ids of the images that it starts from: those are
 * here then. Undefined: it was not understood, and the operator allows even that.
 */
export async function printedFor(
  job: Job,
  definition: BuildDefinition,
  text: string,
  folder: string,
  found: BaseIds,
): Promise<Sent | undefined> {
  const { confinement, docker, memory, context } = job
  const { dockerfile, bases } = judgeDockerfile(text, argumentsIn(definition))
  if (confinement === undefined || dockerfile === undefined) return undefined
  const { platform: own } = await factsIn(docker, memory, context.signal)
  const asked = platformIn(job, definition)
  const values = { ...machineValues(asked ?? own, own), ...argumentsIn(definition) }
  const ids: (string | undefined)[] = []
  for (const base of basesOf(dockerfile, values)) {
    if (base !== undefined && !bases.includes(base.image)) {
      const what = `${fileIn(definition)}:${base.line}: FROM ${base.image}, which is no stage of it and no image that was looked at,`
      isAllowed(job, { rule: 'privileged', what, instead: 'write the image out' })
    }
    const id = base && (await got(job, base.image, base.platform ?? asked, definition))
    if (base !== undefined && id !== undefined) found.set(base.image, id)
    ids.push(id)
  }
  const placed = withDocuments(pinned(dockerfile, values, ids), folder)
  const first = `LABEL ${cacheLabel}=${confinement.cacheKey}`
  return { dockerfile: printDockerfile(placed.dockerfile, first), files: placed.files }
}

/**
 * On each stage of a build: an engine takes layers again wherever instructions are the same, and this one is different for every
 * application. Nobody else knows the key; images have an empty one in the end.
 */
export const cacheLabel = 'tend/cache'

function platformIn({ payload }: Job, { platforms = [] }: BuildDefinition): string | undefined {
  return platforms[0] ?? (textOf(payload['platform']) || undefined)
}

/**
 * Before it begins, and once more when it is done: an image that was not there before may have been built for another one meanwhile.
 * Throws what is denied. True: an image that it reads brings instructions of its own along.
 */
export async function assertAllReadable(
  job: Job,
  definition: BuildDefinition,
  text: string,
  found: BaseIds,
): Promise<boolean> {
  if (job.confinement === undefined) return false
  const name = fileIn(definition)
  let isLoaded = false
  for (const { image, line } of imagesRead(definition, text)) {
    const where = line === undefined ? 'build.cache_from' : `${name}:${line}`
    if (await bringsInstructions(job, image, found.get(image) ?? image, where)) isLoaded = true
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
async function bringsInstructions(
  job: Job,
  image: string,
  object: string,
  where: string,
): Promise<boolean> {
  const { engine, confinement, context } = job
  if (confinement === undefined) return false
  const found = await engine.inspectImage(object, context.signal)
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

/** The id of what the build starts from, for the machine that is asked for. What can't be got can't be looked at: nothing is built. */
async function got(
  { docker, memory, context }: Job,
  image: string,
  platform: string | undefined,
  definition: BuildDefinition,
): Promise<string> {
  const policy = definition.pull === true ? 'always' : 'missing'
  const wish = { image, platform, report: (line: string) => context.report(line) }
  const id = await ensureImage(docker, memory, { ...wish, policy }, context.signal)
  const known = recordOf(await inspectImage(docker, id, context.signal))
  const machine = `${textOf(known['Os'])}/${textOf(known['Architecture'])}`
  const isMeant = platform === undefined || `${platform}/`.startsWith(`${machine}/`)
  if (textOf(known['Id']) !== '' && isMeant) return id
  // one for another machine is here, or it was removed since
  return ensureImage(docker, memory, { ...wish, policy: 'always' }, context.signal)
}
