/** Builds a service's image, unless what is there was built from the same. */
import {
  askForImage,
  builderLabel,
  isAllowed,
  otherBuilder,
} from '#domains/containers/image-builder.ts'
import { assertNotTooHeavy } from '#domains/containers/image-load.ts'
import { ownFileAt } from '#domains/containers/confinement.ts'
import { textIn } from '#domains/containers/payload.ts'
import { buildImage } from '#clients/docker/build.ts'
import { removeImage } from '#clients/docker/images.ts'
import { textMapOf, textOf } from '#model/read-json.ts'
import { randomBytes } from 'node:crypto'
import { gotOnce } from '#domains/containers/operate/image.ts'
import { authFor } from '#clients/registry/credentials.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { baseImages } from '../dockerfile/base-images.ts'
import { judgeDockerfile } from '../dockerfile/asks.ts'
import { plainId } from '../image-name.ts'
import { remember } from '../pull.ts'
import { assertOwnName } from './built-name.ts'
import type { OpenedBuild } from '../spec-of.ts'
import type { BuildDefinition } from '../spec.ts'
import type { BuildReader } from './build-readers.ts'
import {
  argumentsIn,
  assertAllReadable,
  assertBuildable,
  cacheLabel,
  imagesRead,
  printedFor,
  type BaseIds,
} from './buildable.ts'
import { contextOf, type ContextOptions } from './context.ts'
import type { ContextTask } from '../stack-task.ts'
import { factsIn, type Job } from './job.ts'

const builtFrom = 'tend/build'

/** Many replicas of one service build it once. */
export async function ensureBuilt(job: Job, build: OpenedBuild): Promise<void> {
  const { memory, payload } = job
  const image = textIn(job, 'image')
  const isForced = payload['policy'] === 'build' && !memory.fresh.has(image)
  if (!isForced && (await isThere(job, image, build.hash))) return
  // whoever pulls an image of this name, or builds one for another application, does not mean this one
  await gotOnce(memory, `build ${ownerIn(job)} ${image}`, () => built(job, image, build))
}

function ownerIn({ confinement, payload }: Job): string {
  return confinement?.owner ?? textOf(payload['owner'])
}

async function isThere(
  { engine, memory, context, confinement }: Job,
  image: string,
  hash: string,
): Promise<boolean> {
  const found = await engine.inspectImage(image, context.signal)
  if (found === undefined || found.labels[builtFrom] !== hash) return false
  if (confinement !== undefined) {
    if (otherBuilder(confinement, found.labels) !== undefined) return false
    memory.looked.set(`${confinement.owner} ${image}`, found.id)
  }
  remember(memory, image, found.id)
  return true
}

async function built(job: Job, image: string, build: OpenedBuild): Promise<string> {
  const { docker, memory, context, confinement } = job
  const { definition, context: folder } = build
  const isFollowed = confinement !== undefined
  const names = [image, ...(definition.tags ?? [])]
  await assertOwnNames(job, names)
  const bases: BaseIds = new Map()
  const sent = await contextOf(folder, definition, optionsIn(job, definition, bases)).catch(
    (error: unknown) => {
      throw error instanceof Problem ? error : unreadable(image, folder, error)
    },
  )
  // a name that was free may be taken while this is built: it gets its names in the end
  const first = isFollowed ? `localhost/tend-build:${randomBytes(12).toString('hex')}` : image
  const reader = readerOf(job, imagesRead(definition, sent.text))
  const id = await memory.readers.during(reader, async (ended) => {
    // whoever names one of its images from now on ends it
    const isLoaded = await assertAllReadable(job, definition, sent.text, bases)
    const isUncached = isLoaded || (isFollowed && !isUnderstood(definition, sent.text))
    const wish = await wishOf(job, image, build, { ...sent, tag: first, isUncached })
    return plainId(await buildImage(docker, wish, AbortSignal.any([context.signal, ended])))
  })
  try {
    await assertAllReadable(job, definition, sent.text, bases)
    await assertOwnNames(job, names)
    await assertNotTooHeavy(job, image, id)
    for (const name of names) if (name !== first) await tagged(job, first, name)
  } finally {
    // its names keep the image
    if (isFollowed) await removeImage(docker, first, context.signal)
  }
  if (isFollowed) memory.looked.set(`${confinement.owner} ${image}`, id)
  memory.fresh.add(image)
  return remember(memory, image, id)
}

type Sent = Awaited<ReturnType<typeof contextOf>> & {
  readonly tag: string
  readonly isUncached: boolean
}

async function wishOf(
  job: Job,
  image: string,
  { hash, definition }: OpenedBuild,
  { tar, dockerfile, text, tag, isUncached }: Sent,
): Promise<Parameters<typeof buildImage>[1]> {
  const { docker, memory, context, payload, confinement } = job
  const { platforms = [], cache_from: caches = [], shm_size: shm } = definition
  const [platform = textOf(payload['platform']) || undefined] = platforms
  const { runsChecksWhenAsked: isPodman } = await factsIn(docker, memory, context.signal)
  // engines take an empty list for a wish
  const hosts = (definition.extra_hosts ?? []).map((host) => host.replace('=', ':'))
  return {
    tag,
    shown: image,
    context: tar,
    dockerfile,
    arguments: argumentsIn(definition),
    labels: {
      ...definition.labels,
      [builtFrom]: hash,
      [builderLabel]: ownerIn(job),
      // containers have the labels of their image
      ...(confinement === undefined ? {} : { [cacheLabel]: '' }),
    },
    hides: confinement?.cacheKey,
    stage: stageIn(job, definition),
    network: definition.network || undefined,
    platform,
    // Podman reads one text of JSON
    ...(hosts.length === 0 ? {} : { extraHosts: isPodman ? [JSON.stringify(hosts)] : hosts }),
    ...(caches.length === 0 ? {} : { cacheFrom: caches }),
    shmSize: shm === undefined ? undefined : Number(shm),
    isUncached: isUncached || definition.no_cache === true,
    // those of a followed one are here already, and were looked at
    isPulling: definition.pull === true && confinement === undefined,
    logins: await loginsFor(basesIn(job, definition, text)),
    report: (line) => context.report(line),
  }
}

function isUnderstood(definition: BuildDefinition, text: string): boolean {
  return judgeDockerfile(text, argumentsIn(definition)).dockerfile !== undefined
}

/** Stages of what is followed are printed in small letters. */
function stageIn({ confinement }: Job, { target = '' }: BuildDefinition): string | undefined {
  return (confinement === undefined ? target : target.toLowerCase()) || undefined
}

/** What is built by hand may read everything. */
function readerOf(job: Job, images: readonly { readonly image: string }[]): BuildReader {
  const isFollowed = job.confinement !== undefined
  return {
    owner: ownerIn(job),
    images: isFollowed ? images.map(({ image }) => image) : [],
    refusal(image, builder) {
      try {
        isAllowed(job, askForImage(image, builder))
        return undefined
      } catch (error) {
        if (error instanceof Problem) return error
        throw error
      }
    },
  }
}

async function assertOwnNames(job: Job, names: readonly string[]): Promise<void> {
  const { project, image } = textMapOf(job.payload['usual'])
  for (const name of names) {
    await assertOwnName(job, name, { project: project ?? '', image: image ?? '' })
  }
}

/** What is sent to the engine of an application that is followed is its own, and nothing behind a link. */
function optionsIn(job: Job, definition: BuildDefinition, bases: BaseIds): ContextOptions {
  const { confinement } = job
  if (confinement === undefined) return {}
  const { policy, tasks } = confinement
  const isChecked = policy.outsideBinds !== 'allow'
  return {
    async sent(text, added) {
      assertBuildable(job, definition, text)
      const printed = await printedFor(job, definition, text, added, bases)
      return printed ?? { dockerfile: text, files: [] }
    },
    resolve: isChecked ? (path) => ownFileAt(confinement, path) : undefined,
    async list(asked) {
      const task: ContextTask = { kind: 'stack', name: 'context', ...asked }
      return textOf(await tasks.perform(task, listTimeout))
    },
  }
}

/** ms */
const listTimeout = 60_000

/** Builds of others that would read it by that name end before it has the name, and those that began meanwhile right after. */
async function tagged(job: Job, image: string, tag: string): Promise<void> {
  const { docker, context, memory } = job
  await memory.readers.end(tag, ownerIn(job))
  const colon = tag.lastIndexOf(':')
  const hasVersion = colon > tag.lastIndexOf('/')
  const [repo, version] = hasVersion ? [tag.slice(0, colon), tag.slice(colon + 1)] : [tag, 'latest']
  await docker.ask('POST', `/images/${encodeURIComponent(image)}/tag`, {
    query: { repo, tag: version },
    signal: context.signal,
    doing: `could not tag image ${image} as ${tag}`,
  })
  await memory.readers.end(tag, ownerIn(job))
}

/** The images that it starts from, with variables filled in where it is judged. */
function basesIn(
  { confinement }: Job,
  definition: BuildDefinition,
  text: string,
): readonly string[] {
  const bases = confinement && judgeDockerfile(text, argumentsIn(definition)).bases
  return bases === undefined || bases.length === 0 ? baseImages(text) : bases
}

/** Images beyond these are asked for without a login: each may start a program that knows it. */
const mostLogins = 64

/** Of the registries that it starts from. */
async function loginsFor(images: readonly string[]): Promise<Readonly<Record<string, Json>>> {
  const logins: Record<string, Json> = {}
  for (const image of images.slice(0, mostLogins)) {
    // a registry without a login is asked without one
    const auth = await authFor(image).catch(() => undefined)
    if (auth === undefined) continue
    const [first = ''] = image.split('/')
    const hasRegistry = image.includes('/') && (/[.:]/.test(first) || first === 'localhost')
    const login: Json = JSON.parse(Buffer.from(auth, 'base64url').toString('utf8'))
    logins[hasRegistry ? first : 'https://index.docker.io/v1/'] = login
  }
  return logins
}

function unreadable(image: string, folder: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `could not build image ${image}: its context ${folder} could not be read: ${why}`,
    suggestion: 'check build.context and build.dockerfile',
    cause: error,
  })
}
