/** Builds a service's image, unless what is there was built from the same. */
import { builderLabel, otherBuilder } from '#domains/containers/image-builder.ts'
import { ownFileAt } from '#domains/containers/confinement.ts'
import { textIn } from '#domains/containers/payload.ts'
import { buildImage } from '#clients/docker/build.ts'
import { removeImage } from '#clients/docker/images.ts'
import { recordOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { randomBytes } from 'node:crypto'
import { gotOnce } from '#domains/containers/operate/image.ts'
import { authFor } from '#clients/registry/credentials.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { baseImages } from '../dockerfile/instructions.ts'
import { plainId } from '../image-name.ts'
import { remember } from '../pull.ts'
import { assertOwnName } from './built-name.ts'
import { assertAllReadable, assertBuildable } from './buildable.ts'
import { contextOf, type ContextOptions } from './context.ts'
import type { ContextTask } from '../stack-task.ts'
import { type Job } from './job.ts'

const builtFrom = 'tend/build'

/** Many replicas of one service build it once. */
export async function ensureBuilt(job: Job, build: JsonRecord): Promise<void> {
  const { memory, payload } = job
  const image = textIn(job, 'image')
  const isForced = payload['policy'] === 'build' && !memory.fresh.has(image)
  if (!isForced && (await isThere(job, image, textOf(build['hash'])))) return
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

async function built(job: Job, image: string, build: JsonRecord): Promise<string> {
  const { docker, memory, context, payload, confinement } = job
  const definition = recordOf(build['definition'])
  const folder = textOf(build['context'])
  const isFollowed = confinement !== undefined
  const names = [image, ...textsOf(definition['tags'])]
  await assertOwnNames(job, names)
  const { tar, dockerfile, text } = await contextOf(folder, definition, optionsIn(job)).catch(
    (error: unknown) => {
      throw error instanceof Problem ? error : unreadable(image, folder, error)
    },
  )
  await assertBuildable(job, definition, text)
  // a name that was free may be taken while this is built: it gets its names in the end
  const first = isFollowed ? `localhost/tend-build:${randomBytes(12).toString('hex')}` : image
  const [platform = textOf(payload['platform']) || undefined] = textsOf(definition['platforms'])
  const shm = definition['shm_size']
  // engines take an empty list for a wish
  const hosts = textsOf(definition['extra_hosts']).map((host) => host.replace('=', ':'))
  const caches = textsOf(definition['cache_from'])
  const id = plainId(
    await buildImage(
      docker,
      {
        tag: first,
        shown: image,
        context: tar,
        dockerfile,
        arguments: textMapOf(definition['args']),
        labels: {
          ...textMapOf(definition['labels']),
          [builtFrom]: textOf(build['hash']),
          [builderLabel]: ownerIn(job),
        },
        stage: textOf(definition['target']) || undefined,
        network: textOf(definition['network']) || undefined,
        platform,
        ...(hosts.length === 0 ? {} : { extraHosts: hosts }),
        ...(caches.length === 0 ? {} : { cacheFrom: caches }),
        shmSize: shm === undefined ? undefined : Number(shm),
        isUncached: definition['no_cache'] === true,
        // those of a followed one are here already, and were looked at
        isPulling: definition['pull'] === true && !isFollowed,
        logins: await loginsFor(text),
        report: (line) => context.report(line),
      },
      context.signal,
    ),
  )
  try {
    await assertAllReadable(job, definition, text)
    await assertOwnNames(job, names)
    for (const name of names) if (name !== first) await tagged(job, first, name)
  } finally {
    // its names keep the image
    if (isFollowed) await removeImage(docker, first, context.signal)
  }
  if (isFollowed) memory.looked.set(`${confinement.owner} ${image}`, id)
  memory.fresh.add(image)
  return remember(memory, image, id)
}

async function assertOwnNames(job: Job, names: readonly string[]): Promise<void> {
  const { project, image } = textMapOf(job.payload['usual'])
  for (const name of names) {
    await assertOwnName(job, name, { project: project ?? '', image: image ?? '' })
  }
}

/** What is sent to the engine of an application that is followed is its own, and nothing behind a link. */
function optionsIn({ confinement }: Job): ContextOptions {
  if (confinement === undefined) return {}
  const { policy, tasks } = confinement
  const isChecked = policy.outsideBinds !== 'allow'
  return {
    isFixed: true,
    resolve: isChecked ? (path) => ownFileAt(confinement, path) : undefined,
    async list(asked) {
      const task: ContextTask = { kind: 'stack', name: 'context', ...asked }
      return textOf(await tasks.perform(task, listTimeout))
    },
  }
}

/** ms */
const listTimeout = 60_000

async function tagged({ docker, context }: Job, image: string, tag: string): Promise<void> {
  const colon = tag.lastIndexOf(':')
  const hasVersion = colon > tag.lastIndexOf('/')
  const [repo, version] = hasVersion ? [tag.slice(0, colon), tag.slice(colon + 1)] : [tag, 'latest']
  await docker.ask('POST', `/images/${encodeURIComponent(image)}/tag`, {
    query: { repo, tag: version },
    signal: context.signal,
    doing: `could not tag image ${image} as ${tag}`,
  })
}

/** Images beyond these are asked for without a login: each may start a program that knows it. */
const mostLogins = 64

/** Of the registries that it starts from. */
async function loginsFor(dockerfile: string): Promise<Readonly<Record<string, Json>>> {
  const logins: Record<string, Json> = {}
  for (const image of baseImages(dockerfile).slice(0, mostLogins)) {
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
