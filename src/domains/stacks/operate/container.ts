/** Containers: made, filled, moved from state to state. */
import { isOthers } from '#domains/containers/only-own.ts'
import { isSameObject, numberIn, saysThat, textIn } from '#domains/containers/payload.ts'
import { putFiles } from '#clients/docker/archive.ts'
import {
  createContainer,
  inspectContainer,
  removeContainer,
  renameContainer,
  restartContainer,
  startContainer,
  stopContainer,
  unpauseContainer,
  updateContainer,
} from '#clients/docker/containers.ts'
import { connectContainer } from '#clients/docker/networks.ts'
import { tarBytes, type TarEntry } from '#clients/docker/tar.ts'
import { numberOf, recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Outputs } from '#model/domain.ts'
import { isList } from '#model/json.ts'
import { factsOf, Problem } from '#model/problem.ts'
import { isSealed, type Value } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import { imageIdOf } from '../image-name.ts'
import { label } from '../labels.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { bodyOf } from './body.ts'
import { confinedCreate, confinedStart } from './confined.ts'
import { endpointOf } from './endpoint.ts'
import { hook } from './hook.ts'
import { factsIn, labelsIn, type Job } from './job.ts'
import { gone } from './volume.ts'

export const containerVerbs = {
  'container.create': confinedCreate(create),
  'container.files': confinedStart(files),
  'container.start': confinedStart(start),
  'container.restart': confinedStart(restart),
  'container.stop': stop,
  'container.unpause': unpause,
  'container.update': update,
  'container.rename': rename,
  'container.remove': remove,
  'container.still-there': stillThere,
  'container.hook': hook,
} as const

async function create(job: Job): Promise<Outputs> {
  const { docker, memory, context } = job
  const { signal } = context
  const name = textIn(job, 'name')
  const spec = serviceSpecOf(job.payload['spec'] ?? null)
  const facts = await factsIn(docker, memory, signal)
  const labels = labelsIn(job)
  const networks = spec.networks.map((attachment) =>
    isList<Value>(job.payload['aliases'])
      ? { ...attachment, aliases: textsOf(job.payload['aliases']) }
      : attachment,
  )
  const [first, ...others] = networks
  const joinsAll = facts.joinsSeveralNetworks
  let id = context.attempt > 1 ? await earlier(job, name, labels) : undefined
  if (id === undefined) {
    const isId = /^[0-9a-f]{64}$/.test(spec.image)
    const imageId = isId ? spec.image : imageIdOf(spec.image, memory.images)
    const body = bodyOf(spec, {
      labels: imageId === undefined ? labels : { ...labels, [label.image]: `sha256:${imageId}` },
      inherits: inheritsIn(job),
      networks: joinsAll ? networks : first === undefined ? [] : [first],
      apiVersion: facts.apiVersion,
      open: (secret) => new TextDecoder().decode(context.open(secret)),
    })
    const { platform } = spec.service
    const wanted = { name, body, platform: typeof platform === 'string' ? platform : undefined }
    const made = await createContainer(docker, wanted, signal).catch(async (error: unknown) => {
      throw await stillMade(job, name, labels, error)
    })
    const warnings = made.warnings.length > 0 ? made.warnings : await unsaid(job, made.id, spec)
    for (const warning of warnings) context.warn(warning)
    ;({ id } = made)
  }
  if (!joinsAll) {
    for (const attachment of others) await join(job, id, attachment)
  }
  return { object: name, id }
}

/** Podman says nothing when the kernel can't weigh, and leaves it out. */
async function unsaid(
  { docker, context }: Job,
  id: string,
  { service }: ServiceSpec,
): Promise<readonly string[]> {
  const weight = numberOf(recordOf(service['blkio_config'])['weight'])
  if (weight === 0) return []
  const found = await inspectContainer(docker, id, context.signal)
  const isKept = recordOf(found?.['HostConfig'])['BlkioWeight'] === weight
  return isKept ? [] : ["blkio_config.weight has no effect: this host's kernel has no such weights"]
}

async function join(
  { docker, context }: Job,
  id: string,
  attachment: Parameters<typeof endpointOf>[0],
): Promise<void> {
  try {
    await connectContainer(docker, attachment.network, id, endpointOf(attachment), context.signal)
  } catch (error) {
    if (!saysThat(error, /already (exists|connected|attached)/i)) throw error
  }
}

/** A run that was cut off may have an engine at work on this very container: then the name is taken, and it shows later. */
async function stillMade(
  job: Job,
  name: string,
  labels: ReturnType<typeof labelsIn>,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'name_taken') return error
  const { docker, context } = job
  const found = await inspectContainer(docker, name, context.signal)
  const isOurs = found === undefined || (await earlier(job, name, labels)) !== undefined
  return isOurs ? new Problem({ ...factsOf(error), recoverable: true }) : error
}

/** The id of what an earlier attempt made. */
async function earlier(
  { docker, context }: Job,
  name: string,
  labels: ReturnType<typeof labelsIn>,
): Promise<string | undefined> {
  const found = await inspectContainer(docker, name, context.signal)
  const has = textMapOf(recordOf(found?.['Config'])['Labels'])
  return found !== undefined && isSameObject(has, labels) ? textOf(found['Id']) : undefined
}

function inheritsIn({ payload }: Job): readonly { volume: string; target: string }[] {
  const inherits = payload['inherits']
  if (!isList<Value>(inherits)) return []
  return inherits.map((item) => {
    const { volume, target } = fieldsOf(item)
    return { volume: textOf(volume), target: textOf(target) }
  })
}

/** In one archive below the root: folders that are missing are made by the engine. */
async function files(job: Job): Promise<Outputs> {
  const { docker, context, payload } = job
  const entries = (isList<Value>(payload['files']) ? payload['files'] : []).map(
    (item): TarEntry => {
      const { target, content, mode, uid, gid } = fieldsOf(item)
      if (content === undefined || !isSealed(content)) throw new TypeError('a file without content')
      return {
        type: 'file',
        path: textOf(target).replace(/^\/+/, ''),
        content: context.open(content),
        mode: Number(mode),
        uid: Number(uid),
        gid: Number(gid),
      }
    },
  )
  await putFiles(docker, textIn(job, 'name'), '/', tarBytes(entries), context.signal)
  return {}
}

async function start(job: Job): Promise<Outputs> {
  await startContainer(job.docker, textIn(job, 'name'), job.context.signal, shownIn(job))
  return {}
}

/** What a person calls it: its name in a payload may be an id. */
function shownIn(job: Job): string {
  const { shown } = job.payload
  return typeof shown === 'string' ? shown : textIn(job, 'name')
}

async function restart(job: Job): Promise<Outputs> {
  const { docker, context } = job
  await restartContainer(docker, textIn(job, 'name'), numberIn(job, 'seconds'), context.signal)
  return {}
}

async function stop(job: Job): Promise<Outputs> {
  const { docker, context } = job
  await stopContainer(docker, textIn(job, 'name'), numberIn(job, 'seconds'), context.signal)
  return {}
}

async function unpause(job: Job): Promise<Outputs> {
  await unpauseContainer(job.docker, textIn(job, 'name'), job.context.signal)
  return {}
}

async function update(job: Job): Promise<Outputs> {
  const body = fieldsOf(job.payload['body'])
  const [name, shown] = [textIn(job, 'name'), shownIn(job)]
  await updateContainer(job.docker, name, recordOf(body), job.context.signal, shown)
  return {}
}

/** Fine when it is called so already: by an earlier attempt, or because it never got its other name. */
async function rename(job: Job): Promise<Outputs> {
  const { docker, context } = job
  const [name, to] = [textIn(job, 'name'), textIn(job, 'to')]
  try {
    await renameContainer(docker, name, to, context.signal)
  } catch (error) {
    const found =
      (await inspectContainer(docker, name, context.signal)) ??
      (context.attempt > 1 ? await inspectContainer(docker, to, context.signal) : undefined)
    if (textOf(found?.['Name']).replace(/^\//, '') !== to) throw error
  }
  return {}
}

/** With time to end. Volumes without a name stay: whoever wants their data gone says so. */
async function remove(job: Job): Promise<Outputs> {
  const { docker, context, payload } = job
  const { signal } = context
  const name = textIn(job, 'name')
  const seconds = numberIn(job, 'seconds')
  if (typeof payload['unless'] === 'string' || typeof payload['owner'] === 'string') {
    const found = await inspectContainer(docker, name, signal)
    if (found === undefined || found['Id'] === payload['unless']) return {}
    const labels = textMapOf(recordOf(found['Config'])['Labels'])
    if (found['Id'] !== name && isOthers(payload, labels)) return {}
  }
  if (seconds > 0) await stopContainer(docker, name, seconds, signal)
  await removeContainer(docker, name, false, signal)
  return {}
}

/** On the way back: one that went with its volume is not there any more. */
async function stillThere(job: Job): Promise<Outputs> {
  const { docker, context } = job
  const found = await inspectContainer(docker, textIn(job, 'name'), context.signal)
  if (found !== undefined) return {}
  throw gone(`container ${textIn(job, 'shown')} can't be put back: it went with its volume`)
}
