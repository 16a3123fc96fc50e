/** Bound files that change while their container stays: filled, told by a signal, and noted. */
import { join, normalize, relative } from 'node:path/posix'
import { killContainer } from '#clients/docker/containers.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import { textIn } from '#domains/containers/payload.ts'
import { serialQueue } from '#engine/serial-queue.ts'
import { defined } from '#model/defined.ts'
import type { Outputs } from '#model/domain.ts'
import { isBelow } from '#model/policy.ts'
import { Problem } from '#model/problem.ts'
import { noteGiven } from '../marker.ts'
import type { FillTask } from '../stack-task.ts'
import type { Job } from './job.ts'

export const contentVerbs = {
  'container.fill': fill,
  'container.unfill': unfill,
  'container.signal': signal,
  'container.given': given,
} as const

async function fill(job: Job): Promise<Outputs> {
  return perform(job, 'fill')
}

async function unfill(job: Job): Promise<Outputs> {
  return perform(job, 'unfill')
}

async function perform(job: Job, name: FillTask['name']): Promise<Outputs> {
  const { confinement, memory } = job
  const fills = fillsIn(job)
  const [first] = fills
  if (confinement === undefined || first === undefined) return {}
  const folder = defined(relative(first.root, first.to).split('/')[0])
  const inTurn = memory.filling.get(folder) ?? serialQueue()
  memory.filling.set(folder, inTurn)
  const task: FillTask = { kind: 'stack', name, fills }
  await inTurn(() => confinement.tasks.perform(task, fillTimeout))
  return {}
}

/** ms */
const fillTimeout = 5 * 60_000

/** As this machine finds them. */
function fillsIn({ payload, confinement }: Job): FillTask['fills'] {
  if (confinement === undefined) return []
  const { folder, seenAs } = confinement.files
  const own = (path: string): string => {
    const tidy = normalize(path)
    if (isBelow(tidy, seenAs)) return join(folder, tidy.slice(seenAs.length))
    throw new Problem({ type: 'runtime', code: 'bug', message: `${path} is not below ${seenAs}` })
  }
  return recordsOf(payload['fills']).map(({ from, to }) => ({
    root: folder,
    from: own(textOf(from)),
    to: own(textOf(to)),
  }))
}

async function signal(job: Job): Promise<Outputs> {
  const { docker, context } = job
  await killContainer(docker, textIn(job, 'name'), textIn(job, 'signal'), context.signal)
  return {}
}

async function given(job: Job): Promise<Outputs> {
  const { docker, memory, context, payload } = job
  const [owner, id] = [textIn(job, 'owner'), textIn(job, 'name')]
  const there = new Set((await listContainers(docker, [], context.signal)).map((one) => one.id))
  const contents = textMapOf(payload['contents'])
  const noted = (memory.marking ?? Promise.resolve()).then(() =>
    noteGiven(docker, owner, id, contents, there, context.signal),
  )
  // it is awaited below; the next one begins all the same
  memory.marking = noted.catch(() => undefined)
  await noted
  return {}
}
