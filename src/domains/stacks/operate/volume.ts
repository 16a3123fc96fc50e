/** Named volumes. */
import { isTaken } from '#domains/containers/operate/volume.ts'
import { isSameObject, textIn } from '#domains/containers/payload.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { Outputs } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { textsIn } from '../expand/operation.ts'
import { volumeSpecOf } from '../spec-of.ts'
import { removing } from './held.ts'
import { labelsForNew, labelsIn, type Job } from './job.ts'

export const volumeVerbs = {
  'volume.create': create,
  'volume.remove': remove,
  'volume.try': tryOut,
  'volume.still-there': stillThere,
} as const

/** An engine gives back one of this name that is there already: whose it is, its labels tell. */
async function create(job: Job): Promise<Outputs> {
  const { engine, context, payload } = job
  const { object, driver, options } = volumeSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  const body = {
    Name: object,
    Driver: driver ?? 'local',
    DriverOpts: textsIn(options),
    Labels: labelsForNew(job),
  }
  const made = await engine.createVolume(body, context.signal)
  if (isSameObject(made, labels)) return { object }
  throw new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `a volume named ${object} is there already and was not made by this stack`,
    suggestion: `give it another name, or declare it external: volumes: { …: { external: true, name: ${object} } } (of the service: with shared: [volume/${object}] in tend.yaml)`,
  })
}

async function remove(job: Job): Promise<Outputs> {
  const name = textIn(job, 'name')
  if (await isTaken(job)) return {}
  if (job.payload['unlessUsed'] === true) return removeUnused(job, name)
  await removing(
    job,
    () => job.engine.removeVolume(name, job.context.signal),
    ({ mounts }) => mounts.some((mount) => mount.type === 'volume' && mount.name === name),
    (holder) => `remove that container (docker rm -f ${holder}), and again`,
  )
  return {}
}

/** Another one that has it mounted takes it along when it goes itself. */
async function removeUnused({ engine, context }: Job, name: string): Promise<Outputs> {
  try {
    await engine.removeVolume(name, context.signal)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'in_use') throw error
  }
  return {}
}

/** Under another name and without our labels: whatever comes in between, it is never taken for the real one. */
async function tryOut(job: Job): Promise<Outputs> {
  const { engine, context, payload } = job
  const { driver, options } = volumeSpecOf(payload['spec'] ?? null)
  const name = textIn(job, 'name')
  const body = { Name: name, Driver: driver ?? 'local', DriverOpts: textsIn(options) }
  await engine.createVolume(body, context.signal)
  await engine.removeVolume(name, context.signal)
  return {}
}

/** On the way back: one that was taken away can't be had again, and nobody is to think so. */
async function stillThere(job: Job): Promise<Outputs> {
  const name = textIn(job, 'name')
  const found = await job.engine.volumeLabels(name, job.context.signal)
  const hash = found === undefined ? undefined : (recordedOf(found)?.hash ?? '')
  if (hash === textIn(job, 'hash')) return {}
  throw gone(`volume ${name} can't be put back: its data went with --recreate-volumes`)
}

export function gone(message: string): Problem {
  const suggestion = 'mend what failed, then tend up again: it makes what is missing'
  return new Problem({ type: 'runtime', code: 'gone', message, suggestion })
}
