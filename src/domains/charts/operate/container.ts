/** Containers: made, tried out, moved from state to state. */
import { isOthers } from '#domains/containers/only-own.ts'
import { isSameObject, numberIn, saysThat, textIn } from '#domains/containers/payload.ts'
import {
  createContainer,
  initContainer,
  inspectContainer,
  removeContainer,
  renameContainer,
  startContainer,
  stopContainer,
  unpauseContainer,
} from '#clients/podman/containers.ts'
import { findImage } from '#clients/podman/images.ts'
import { ensurePinned, pinnedIn } from '#domains/containers/pinned-image.ts'
import { untilDrained } from '#domains/containers/drain.ts'
import { numberOf, recordOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Sealed } from '#model/value.ts'
import { label } from '../labels.ts'
import { confinedCreate, confinedStart } from './confined.ts'
import { mountsFor } from './mounts.ts'
import { assertFree } from './ports.ts'
import { attachments, specgen } from './specgen.ts'
import { userFor } from './user.ts'
import { labelsIn, textsIn, type Job } from './work.ts'
import { ensureImage } from './pull.ts'
import { settledContainerOf } from '../spec-of.ts'

export const containerVerbs = {
  'image.pull': pull,
  'container.create': confinedCreate(create),
  'container.rehearse': confinedCreate(rehearse),
  'container.start': confinedStart(start),
  'container.stop': stop,
  'container.drain': drain,
  'container.unpause': unpause,
  'container.rename': rename,
  'container.remove': remove,
} as const

async function pull(job: Job): Promise<Outputs> {
  const { podman, memory, context } = job
  await assertFree(job, 2)
  const policy = textIn(job, 'policy')
  const known = (['always', 'missing', 'newer', 'never'] as const).find((word) => word === policy)
  const wish = {
    image: textIn(job, 'image'),
    policy: known ?? 'missing',
    report: (text: string) => context.report(text),
  }
  const pinned = pinnedIn(job)
  if (pinned === undefined) await ensureImage(podman, memory, wish, context.signal)
  else {
    await ensurePinned(pinned, wish.image, {
      isThere: async (id) => (await findImage(podman, id, context.signal)) !== undefined,
      pull: (digest) => {
        const by = { ...wish, image: digest, policy: 'missing' } as const
        return ensureImage(podman, memory, by, context.signal)
      },
    })
  }
  return {}
}

async function create(job: Job): Promise<Outputs> {
  const { podman, context } = job
  const name = textIn(job, 'name')
  const body = await bodyOf(job, name)
  // what it is called in the end
  const { object } = settledContainerOf(job.payload['spec'] ?? null)
  if (context.attempt > 1) {
    const found = await inspectContainer(podman, name, context.signal)
    const labels = textMapOf(recordOf(found?.['Config'])['Labels'])
    if (found !== undefined && isSameObject(labels, labelsIn(job))) return { object }
  }
  const { warnings } = await created(job, body)
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
  const mounts = await mountsFor(job, spec.mounts)
  const user = await userFor(job, spec)
  const body = specgen(spec, { name, labels: labelsIn(job), mounts, user, open })
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
  await removeContainer(podman, name, 0, context.signal)
  try {
    await createContainer(podman, alone, context.signal)
    await initContainer(podman, name, context.signal)
  } finally {
    await removeContainer(podman, name, 0, context.signal)
  }
  return {}
}

async function start(job: Job): Promise<Outputs> {
  const { podman, context } = job
  const name = textIn(job, 'name')
  if (context.attempt > 1) {
    const found = await inspectContainer(podman, name, context.signal)
    if (recordOf(found?.['State'])['Running'] === true) return {}
  }
  await assertFree(job)
  await startContainer(podman, name, context.signal)
  return {}
}

async function stop(job: Job): Promise<Outputs> {
  await stopContainer(job.podman, textIn(job, 'name'), numberIn(job, 'seconds'), job.context.signal)
  return {}
}

/** On another machine, where its connections can't be seen, it gets a moment for those who are on their way. */
async function drain(job: Job): Promise<Outputs> {
  const { podman, context } = job
  const found = await inspectContainer(podman, textIn(job, 'name'), context.signal)
  const state = recordOf(found?.['State'])
  if (state['Running'] !== true) return {}
  const pid = podman.isLocal ? numberOf(state['Pid']) : 0
  await untilDrained(pid, numberIn(job, 'seconds'), context.signal)
  return {}
}

async function unpause(job: Job): Promise<Outputs> {
  await unpauseContainer(job.podman, textIn(job, 'name'), job.context.signal)
  return {}
}

/** Fine when it is called so already: by an earlier attempt, or because it never got its other name. */
async function rename(job: Job): Promise<Outputs> {
  const { podman, context } = job
  const [name, to] = [textIn(job, 'name'), textIn(job, 'to')]
  try {
    await renameContainer(podman, name, to, context.signal)
  } catch (error) {
    const found =
      (await inspectContainer(podman, name, context.signal)) ??
      (context.attempt > 1 ? await inspectContainer(podman, to, context.signal) : undefined)
    if (textOf(found?.['Name']) !== to) throw error
  }
  return {}
}

/** `unless`: the one that must stay, should it have the name. */
async function remove(job: Job): Promise<Outputs> {
  const { podman, context, payload } = job
  const name = textIn(job, 'name')
  if (typeof payload['unless'] === 'string' || typeof payload['owner'] === 'string') {
    const found = await inspectContainer(podman, name, context.signal)
    if (found === undefined || found['Id'] === payload['unless']) return {}
    const labels = textMapOf(recordOf(found['Config'])['Labels'])
    if (found['Id'] !== name && isOthers(payload, labels)) return {}
  }
  await removeContainer(podman, name, numberIn(job, 'seconds'), context.signal)
  return {}
}
