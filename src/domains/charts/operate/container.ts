/** Containers: made, tried out, moved from state to state. */
import { assertPlainImage } from '#domains/containers/image-reach.ts'
import { confinedWorkingDirectory } from '#domains/containers/working-directory.ts'
import { isSameObject, saysThat, textIn } from '#domains/containers/payload.ts'
import {
  createContainer,
  initContainer,
  removeContainer,
  restartContainer,
} from '#clients/podman/containers.ts'
import { containerVerbs as sharedVerbs } from '#domains/containers/operate/container.ts'
import { noteName } from '#domains/containers/operate/by-id.ts'
import { getImage } from '#domains/containers/operate/image.ts'
import { withoutUpdates } from '#model/engine-option-rules.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Sealed } from '#model/value.ts'
import { label } from '../labels.ts'
import { confinedCreate, confinedStart } from './confined.ts'
import { hostsFor } from './host-gateway.ts'
import { mountsFor } from './mounts.ts'
import { assertFree } from './ports.ts'
import { attachments, specgen } from './specgen.ts'
import { userFor } from './user.ts'
import { labelsForNew, labelsIn, textsIn, type Job } from './job.ts'
import { ensureImage } from './pull.ts'
import { settledContainerOf } from '../spec-of.ts'

export const containerVerbs = {
  'image.pull': pull,
  'container.create': confinedCreate(create),
  'container.rehearse': confinedCreate(rehearse),
  'container.start': confinedStart(start),
  'container.restart': confinedStart(restart),
  ...sharedVerbs(true),
} as const

async function pull(job: Job): Promise<Outputs> {
  const { podman, memory, context } = job
  await assertFree(job, 2)
  const policy = textIn(job, 'policy')
  const known = (['always', 'missing', 'newer', 'never'] as const).find((word) => word === policy)
  const image = textIn(job, 'image')
  const report = (text: string): void => context.report(text)
  await getImage(job, image, (wanted, only) => {
    const wish = { image: wanted, policy: only ?? known ?? 'missing', report } as const
    return ensureImage(podman, memory, wish, context.signal)
  })
  return {}
}

async function create(job: Job): Promise<Outputs> {
  const { engine, memory, context } = job
  const name = textIn(job, 'name')
  memory.made.delete(name)
  const body = await bodyOf(job, name)
  // what it is called in the end
  const { object } = settledContainerOf(job.payload['spec'] ?? null)
  if (context.attempt > 1) {
    const found = await engine.inspectContainer(name, context.signal)
    if (found !== undefined && isSameObject(found.labels, labelsIn(job))) {
      noteName(memory, found.id, name)
      return { object }
    }
  }
  const { id, warnings } = await created(job, body)
  noteName(memory, id, name)
  for (const warning of warnings) context.warn(warning)
  return { object }
}

/** A pod that runs takes no further init containers; we run them before its members all the same. */
async function created(
  { podman, context }: Job,
  body: JsonRecord,
): ReturnType<typeof createContainer> {
  const { init_container_type: init, ...rest } = body
  try {
    return await createContainer(podman, body, context.signal)
  } catch (error) {
    if (init === undefined || !saysThat(error, /init-ctr to a running pod/)) throw error
    return createContainer(podman, rest, context.signal)
  }
}

async function bodyOf(job: Job, name: string): Promise<JsonRecord> {
  const spec = settledContainerOf(job.payload['spec'] ?? null)
  const aliases = textsIn(job, 'aliases')
  const open = (secret: Sealed): string => new TextDecoder().decode(job.context.open(secret))
  await assertPlainImage(job, spec.image)
  const mounts = await mountsFor(job, spec.mounts)
  const user = await userFor(job, spec)
  const hosts = await hostsFor(job, spec.extraHosts, spec.networks)
  const body = specgen(spec, {
    name,
    folder: await confinedWorkingDirectory(job, spec.image, spec.workingDir),
    labels: {
      // the labels of the chart come after it: what the operator allowed counts
      ...(job.confinement === undefined ? {} : withoutUpdates),
      ...labelsForNew(job),
    },
    mounts,
    user,
    hosts,
    open,
  })
  if (aliases === undefined) return body
  return {
    ...body,
    Networks: attachments(spec.networks.map(({ network }) => ({ network, aliases }))),
  }
}

/** Whatever happens to it, nothing of it stays. */
async function rehearse(job: Job): Promise<Outputs> {
  const { podman, context } = job
  await assertFree(job, 1)
  const name = textIn(job, 'name')
  const { Networks: _, portmappings: __, healthconfig: ___, ...body } = await bodyOf(job, name)
  const alone = {
    ...body,
    netns: { nsmode: 'none' },
    restart_policy: 'no',
    labels: { ...labelsIn(job), [label.rehearsal]: 'true' },
  }
  await clearRehearsal(job, name)
  try {
    const { id } = await createContainer(podman, alone, context.signal)
    await initContainer(podman, id, context.signal)
  } finally {
    await clearRehearsal(job, name)
  }
  return {}
}

/** One that is called so and is no rehearsal of this application is somebody else's. */
async function clearRehearsal(job: Job, name: string): Promise<void> {
  const { podman, engine, context } = job
  const found = await engine.inspectContainer(name, context.signal)
  if (found === undefined || found.labels[label.rehearsal] === undefined) return
  if (found.labels[label.owner] !== labelsIn(job)[label.owner]) return
  await removeContainer(podman, found.id, 0, context.signal)
}

async function restart({ podman, payload, context }: Job): Promise<Outputs> {
  await restartContainer(podman, textIn({ payload }, 'name'), context.signal)
  return {}
}

async function start(job: Job): Promise<Outputs> {
  const { engine, context } = job
  const name = textIn(job, 'name')
  if (context.attempt > 1) {
    const found = await engine.inspectContainer(name, context.signal)
    if (found?.isRunning === true) return {}
  }
  await assertFree(job)
  await engine.startContainer(name, context.signal)
  return {}
}
