/** Named volumes. */
import { createVolume, removeVolume } from '#clients/docker/volumes.ts'
import type { Outputs } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { volumeSpecOf } from '../spec-of.ts'
import { removing } from './held.ts'
import { isSameObject, labelsIn, textIn, type Job } from './job.ts'

export const volumeVerbs = {
  'volume.create': create,
  'volume.remove': remove,
} as const

/** An engine gives back one of this name that is there already: whose it is, its labels tell. */
async function create(job: Job): Promise<Outputs> {
  const { docker, context, payload } = job
  const { object, driver, options } = volumeSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  const body = {
    Name: object,
    Driver: driver ?? 'local',
    DriverOpts: options ?? {},
    Labels: labels,
  }
  const made = await createVolume(docker, body, context.signal)
  if (isSameObject(made.labels, labels)) return { object }
  throw new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `a volume named ${object} is there already and was not made by this stack`,
    suggestion: `give it another name, or declare it external: volumes: { …: { external: true, name: ${object} } }`,
  })
}

async function remove(job: Job): Promise<Outputs> {
  const name = textIn(job, 'name')
  await removing(
    job,
    () => removeVolume(job.docker, name, job.context.signal),
    ({ mounts }) => mounts.some((mount) => mount.type === 'volume' && mount.name === name),
    (holder) => `remove that container (docker rm -f ${holder}), and again`,
  )
  return {}
}
