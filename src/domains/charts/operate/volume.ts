/** Volumes, and the paths of the host that stand in for them. */
import { isTaken } from '#domains/containers/operate/volume.ts'
import { isSameObject, textIn } from '#domains/containers/payload.ts'
import { chown, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Labels } from '#domains/containers/record.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Value } from '#model/value.ts'
import { confinedPath } from './confined.ts'
import { labelsForNew, labelsIn, type Job } from './job.ts'
import type { VolumeSpec } from '../spec.ts'
import { fieldsOf, volumeSpecOf } from '../spec-of.ts'

export const volumeVerbs = {
  'volume.create': create,
  'volume.remove': remove,
  'path.create': confinedPath(createPath),
} as const

async function create(job: Job): Promise<Outputs> {
  const { engine, context, payload } = job
  const spec = volumeSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  const done = { object: spec.object }
  if (context.attempt > 1) {
    const found = await engine.volumeLabels(spec.object, context.signal)
    if (found !== undefined && isSameObject(found, labels)) return done
  }
  await engine.createVolume(bodyOf(spec, labelsForNew(job)), context.signal)
  return done
}

/** Podman gives a volume its owner through mount options, and then mounts nothing for them. */
export function bodyOf(spec: VolumeSpec, labels: Labels): JsonRecord {
  const { object, from, owner } = spec
  if (from.kind !== 'named') throw new TypeError(`${object} is no named volume`)
  const ids = [
    ...(owner?.user === undefined ? [] : [`uid=${owner.user}`]),
    ...(owner?.group === undefined ? [] : [`gid=${owner.group}`]),
  ]
  const given = from.options?.['o']
  const combined = [...(given === undefined ? [] : [given]), ...ids].join(',')
  const options = { ...from.options, ...(combined === '' ? {} : { o: combined }) }
  return { Name: object, Driver: from.driver, Labels: labels, Options: options }
}

async function remove(job: Job): Promise<Outputs> {
  if (await isTaken(job)) return {}
  await job.engine.removeVolume(textIn(job, 'name'), job.context.signal)
  return {}
}

async function createPath(job: Job): Promise<Outputs> {
  const { engine, payload } = job
  const path = textIn(job, 'path')
  if (!engine.isLocal) return {}
  try {
    if (payload['isFile'] === true) {
      await mkdir(dirname(path), { recursive: true })
      await (await open(path, 'a')).close()
    } else {
      await mkdir(path, { recursive: true, mode: 0o755 })
    }
    await giveTo(path, payload['owner'])
  } catch (error) {
    throw new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: `could not make ${path}: ${error instanceof Error ? error.message : String(error)}`,
      suggestion: 'make it by hand, or choose a path that you may write',
      cause: error,
    })
  }
  return {}
}

async function giveTo(path: string, owner: Value | undefined): Promise<void> {
  const { user, group } = fieldsOf(owner)
  if (user === undefined && group === undefined) return
  await chown(path, typeof user === 'number' ? user : -1, typeof group === 'number' ? group : -1)
}
