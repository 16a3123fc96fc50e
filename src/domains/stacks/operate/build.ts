/** Builds a service's image, unless what is there was built from the same. */
import { ownFileAt } from '#domains/containers/confinement.ts'
import { textIn } from '#domains/containers/payload.ts'
import { buildImage } from '#clients/docker/build.ts'
import { inspectImage } from '#clients/docker/images.ts'
import { recordOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { authFor } from '#clients/registry/credentials.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { plainId } from '../image-name.ts'
import { remember } from '../pull.ts'
import { baseImages } from './base-images.ts'
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
  const underWay = memory.pulls.get(image)
  if (underWay !== undefined) return void (await underWay)
  const building = built(job, image, build)
  memory.pulls.set(image, building)
  try {
    await building
  } finally {
    memory.pulls.delete(image)
  }
}

async function isThere(
  { docker, memory, context }: Job,
  image: string,
  hash: string,
): Promise<boolean> {
  const found = await inspectImage(docker, image, context.signal)
  const labels = textMapOf(recordOf(found?.['Config'])['Labels'])
  if (found === undefined || labels[builtFrom] !== hash) return false
  remember(memory, image, plainId(textOf(found['Id'])))
  return true
}

async function built(job: Job, image: string, build: JsonRecord): Promise<string> {
  const { docker, memory, context, payload } = job
  const definition = recordOf(build['definition'])
  const folder = textOf(build['context'])
  const { tar, dockerfile, text } = await contextOf(folder, definition, optionsIn(job)).catch(
    (error: unknown) => {
      throw error instanceof Problem ? error : unreadable(image, folder, error)
    },
  )
  const [platform = textOf(payload['platform']) || undefined] = textsOf(definition['platforms'])
  const shm = definition['shm_size']
  // engines take an empty list for a wish
  const hosts = textsOf(definition['extra_hosts']).map((host) => host.replace('=', ':'))
  const caches = textsOf(definition['cache_from'])
  const id = plainId(
    await buildImage(
      docker,
      {
        tag: image,
        context: tar,
        dockerfile,
        arguments: textMapOf(definition['args']),
        labels: { ...textMapOf(definition['labels']), [builtFrom]: textOf(build['hash']) },
        stage: textOf(definition['target']) || undefined,
        network: textOf(definition['network']) || undefined,
        platform,
        ...(hosts.length === 0 ? {} : { extraHosts: hosts }),
        ...(caches.length === 0 ? {} : { cacheFrom: caches }),
        shmSize: shm === undefined ? undefined : Number(shm),
        isUncached: definition['no_cache'] === true,
        isPulling: definition['pull'] === true,
        logins: await loginsFor(text),
        report: (line) => context.report(line),
      },
      context.signal,
    ),
  )
  for (const tag of textsOf(definition['tags'])) await tagged(job, image, tag)
  memory.fresh.add(image)
  return remember(memory, image, id)
}

/** What is sent to the engine of an application that is followed is its own, and nothing behind a link. */
function optionsIn({ confinement }: Job): ContextOptions {
  if (confinement === undefined) return {}
  const { policy, tasks } = confinement
  const isChecked = policy.outsideBinds !== 'allow'
  return {
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

/** Of the registries that it starts from. */
async function loginsFor(dockerfile: string): Promise<Readonly<Record<string, Json>>> {
  const logins: Record<string, Json> = {}
  for (const image of baseImages(dockerfile)) {
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
