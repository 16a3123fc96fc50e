/** Containers: made, filled, moved from state to state. */
import { containerVerbs as sharedVerbs } from '#domains/containers/operate/container.ts'
import { noteName } from '#domains/containers/operate/by-id.ts'
import { assertPlainImage } from '#domains/containers/image-reach.ts'
import { confinedWorkingDirectory } from '#domains/containers/working-directory.ts'
import { isSameObject, numberIn, saysThat, textIn } from '#domains/containers/payload.ts'
import { putFiles } from '#clients/docker/archive.ts'
import {
  createContainer,
  inspectContainer,
  restartContainer,
  updateContainer,
} from '#clients/docker/containers.ts'
import { connectContainer } from '#clients/docker/networks.ts'
import { tarBytes, type TarEntry } from '#clients/docker/tar.ts'
import { recordOf, textOf, textsOf } from '#model/read-json.ts'
import { withoutUpdates } from '#model/engine-option-rules.ts'
import type { Outputs } from '#model/domain.ts'
import { isList, type JsonRecord } from '#model/json.ts'
import { factsOf, Problem } from '#model/problem.ts'
import { isSealed, type Sealed, type Value } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import { imageIdOf } from '../image-name.ts'
import { joinedLabels, label } from '../labels.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { bodyOf } from './body.ts'
import { assertBoundPaths } from './bound-paths.ts'
import { confinedCreate, confinedStart } from './confined.ts'
import { endpointOf } from './endpoint.ts'
import { freePorts } from './free-ports.ts'
import { hook } from './hook.ts'
import { factsIn, labelsForNew, labelsIn, type Job } from './job.ts'
import { assertMountFields } from './mount-fields.ts'
import { withOwnContainers } from './own-container.ts'
import { gone } from './volume.ts'

export const containerVerbs = {
  'container.create': confinedCreate(create),
  'container.files': confinedStart(files),
  'container.start': confinedStart(start),
  'container.restart': confinedStart(restart),
  'container.update': update,
  ...sharedVerbs(false),
  'container.still-there': stillThere,
  'container.hook': hook,
} as const

async function create(job: Job): Promise<Outputs> {
  const { docker, memory, context } = job
  const { signal } = context
  const name = textIn(job, 'name')
  const spec = await withOwnContainers(job, serviceSpecOf(job.payload['spec'] ?? null))
  const facts = await factsIn(docker, memory, signal)
  const open = (secret: Sealed) => new TextDecoder().decode(context.open(secret))
  const joined = joinedLabels(spec.about, open)
  const labels = { ...labelsIn(job), ...joined }
  const networks = spec.networks.map((attachment) =>
    isList<Value>(job.payload['aliases'])
      ? { ...attachment, aliases: textsOf(job.payload['aliases']) }
      : attachment,
  )
  const [first, ...others] = networks
  const joinsAll = facts.joinsSeveralNetworks
  memory.made.delete(name)
  let id = context.attempt > 1 ? await earlier(job, name, labels) : undefined
  if (id === undefined) {
    if (facts.runsChecksWhenAsked) {
      assertMountFields(spec)
      await assertBoundPaths(job, spec)
      await assertPlainImage(job, spec.image)
    }
    const isId = /^[0-9a-f]{64}$/.test(spec.image)
    const imageId = isId ? spec.image : imageIdOf(spec.image, memory.images)
    // its own labels come after it: what the operator allowed counts
    const least = job.confinement === undefined || !facts.runsChecksWhenAsked ? {} : withoutUpdates
    const made = { ...least, ...labelsForNew(job), ...joined }
    const body = bodyOf(spec, {
      labels: imageId === undefined ? made : { ...made, [label.image]: `sha256:${imageId}` },
      inherits: inheritsIn(job),
      networks: joinsAll ? networks : first === undefined ? [] : [first],
      apiVersion: facts.apiVersion,
      // Podman takes no range of the host for one port of the container
      ...(facts.runsChecksWhenAsked ? { choosePort: freePorts(docker) } : {}),
      open,
    })
    const { platform } = spec.service
    const wanted = {
      name,
      body: facts.runsChecksWhenAsked ? await withConfinedFolder(job, spec, body) : body,
      platform: typeof platform === 'string' ? platform : undefined,
    }
    const answer = await createContainer(docker, wanted, signal).catch(async (error: unknown) => {
      throw await stillMade(job, name, labels, error)
    })
    const said = answer.warnings.length > 0 ? answer.warnings : await unsaid(job, answer.id, spec)
    for (const warning of said) context.warn(warning)
    ;({ id } = answer)
  }
  noteName(memory, id, name)
  if (!joinsAll) {
    for (const attachment of others) await join(job, id, attachment)
  }
  return { object: name, id }
}

async function withConfinedFolder(
  job: Job,
  { image, service }: ServiceSpec,
  body: JsonRecord,
): Promise<JsonRecord> {
  const folder = await confinedWorkingDirectory(
    job,
    image,
    textOf(service.working_dir) || undefined,
  )
  return folder === undefined ? body : { ...body, WorkingDir: folder }
}

/** Podman says nothing when the kernel can't weigh, and leaves it out. */
async function unsaid(
  { docker, context }: Job,
  id: string,
  { service }: ServiceSpec,
): Promise<readonly string[]> {
  const weight = service.blkio_config?.weight ?? 0
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
  const found = await job.engine.inspectContainer(name, job.context.signal)
  const isOurs = found === undefined || (await earlier(job, name, labels)) !== undefined
  return isOurs ? new Problem({ ...factsOf(error), recoverable: true }) : error
}

/** The id of what an earlier attempt made. */
async function earlier(
  { engine, context }: Job,
  name: string,
  labels: ReturnType<typeof labelsIn>,
): Promise<string | undefined> {
  const found = await engine.inspectContainer(name, context.signal)
  return found !== undefined && isSameObject(found.labels, labels) ? found.id : undefined
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
  await job.engine.startContainer(textIn(job, 'name'), job.context.signal, shownIn(job))
  return {}
}

/** What a person calls it: its name in a payload may be an id. */
function shownIn(job: Job): string {
  const { shown } = job.payload
  return typeof shown === 'string' ? shown : textIn(job, 'name')
}

async function restart(job: Job): Promise<Outputs> {
  const { docker, context } = job
  // without a number as the container itself says
  const seconds = job.payload['seconds'] === undefined ? undefined : numberIn(job, 'seconds')
  await restartContainer(docker, textIn(job, 'name'), seconds, context.signal)
  return {}
}

async function update(job: Job): Promise<Outputs> {
  const body = fieldsOf(job.payload['body'])
  const [name, shown] = [textIn(job, 'name'), shownIn(job)]
  await updateContainer(job.docker, name, recordOf(body), job.context.signal, shown)
  return {}
}

/** On the way back: one that went with its volume is not there any more. */
async function stillThere(job: Job): Promise<Outputs> {
  const { engine, context } = job
  const found = await engine.inspectContainer(textIn(job, 'name'), context.signal)
  if (found !== undefined) return {}
  throw gone(`container ${textIn(job, 'shown')} can't be put back: it went with its volume`)
}
