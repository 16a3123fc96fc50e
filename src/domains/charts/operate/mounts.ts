/** Mounts as Podman takes them, with what only the machine knows looked up: where a volume lies, whether a sub-path stays inside. */
import { lchown, mkdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { factsOf, isAtLeast, type Facts } from '#clients/podman/system.ts'
import { inspectVolume } from '#clients/podman/volumes.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { bytesOf } from './quantities.ts'
import type { Mounts } from './specgen.ts'
import type { Job } from './job.ts'
import type { IdMapping, MountSpec } from '../spec.ts'

export async function mountsFor(job: Job, specs: readonly MountSpec[]): Promise<Mounts> {
  const volumes: JsonRecord[] = []
  const mounts: JsonRecord[] = []
  for (const spec of specs) {
    const { from, path } = spec
    if (from.kind === 'memory') {
      const size = from.size === undefined ? [] : [`size=${bytesOf(from.size)}`]
      mounts.push({
        destination: path,
        type: 'tmpfs',
        source: 'tmpfs',
        options: ['rw', ...size, ...readOnly(spec)],
      })
    } else if (from.kind === 'host') {
      const source =
        spec.subPath === undefined ? from.path : await inside(job, from.path, spec.subPath)
      mounts.push(await bindOf(job, spec, source))
    } else if (spec.subPath === undefined) {
      volumes.push({ Name: from.volume, Dest: path, Options: await optionsOf(job, spec) })
    } else {
      const source = await insideVolume(job, from.volume, spec.subPath)
      if (isAtLeast((await factsFor(job)).version, 4, 4)) {
        const options = await optionsOf(job, spec)
        volumes.push({ Name: from.volume, Dest: path, SubPath: spec.subPath, Options: options })
      } else {
        mounts.push(await bindOf(job, spec, source))
      }
    }
  }
  return { volumes, mounts }
}

async function bindOf(job: Job, spec: MountSpec, source: string): Promise<JsonRecord> {
  const options = ['rbind', ...(await optionsOf(job, spec))]
  return { destination: spec.path, type: 'bind', source, options }
}

async function optionsOf(job: Job, spec: MountSpec): Promise<readonly string[]> {
  const label = spec.seLinux === undefined ? [] : [spec.seLinux === 'shared' ? 'z' : 'Z']
  return [...readOnly(spec), ...label, ...(await idMapOf(job, spec))]
}

function readOnly(spec: MountSpec): readonly string[] {
  return spec.readOnly ? ['ro'] : []
}

/** Only crun maps ids of single mounts. Elsewhere the files keep the owners that they have. */
async function idMapOf(
  job: Job,
  { uidMapping, gidMapping, path }: MountSpec,
): Promise<readonly string[]> {
  if (uidMapping === undefined && gidMapping === undefined) return []
  const { runtime } = await factsFor(job)
  if (runtime !== 'crun') {
    job.context.warn(
      `${path}: ids are not mapped, because the runtime ${runtime} can't map those of a mount; use crun`,
    )
    return []
  }
  const maps = [
    ...(uidMapping === undefined ? [] : [`uids=${mapText(uidMapping)}`]),
    ...(gidMapping === undefined ? [] : [`gids=${mapText(gidMapping)}`]),
  ]
  return [`idmap=${maps.join(';')}`]
}

function mapText({ containerID, hostID, size }: IdMapping): string {
  return `${containerID}-${hostID}-${size}`
}

/** Before 4.4 Podman has no sub-paths of named volumes: then the place where the volume lies is bound. */
async function insideVolume(job: Job, volume: string, subPath: string): Promise<string> {
  const found = await inspectVolume(job.podman, volume, job.context.signal)
  if (found === undefined || found.mountpoint === '') {
    throw new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: `volume ${volume} has no place of its own in which ${subPath} could be found`,
      suggestion: 'mount the whole volume, or use another driver',
    })
  }
  return inside(job, found.mountpoint, subPath)
}

/** Made if it is not there, and never outside: a link inside a volume may point anywhere, so each folder on the way is looked at. */
async function inside({ podman }: Job, base: string, subPath: string): Promise<string> {
  if (!podman.isLocal) return join(base, subPath)
  await mkdir(base, { recursive: true })
  const root = await realpath(base)
  const owner = await stat(root)
  let here = root
  for (const name of subPath.split('/').filter((part) => part !== '' && part !== '.')) {
    const next = join(here, name)
    const isNew = await mkdir(next).then(() => true, unlessThere)
    here = await realpath(next)
    if (here !== root && !here.startsWith(root + sep)) throw leaves(subPath, here)
    // whoever may write the volume may write its part
    if (isNew) await lchown(here, owner.uid, owner.gid)
  }
  return here
}

function unlessThere(error: unknown): false {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  return false
}

function leaves(subPath: string, found: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `subPath ${subPath} leaves its volume: it leads to ${found}`,
    suggestion: 'take the link out of the volume, or mount another path',
  })
}

async function factsFor({ podman, memory, context }: Job): Promise<Facts> {
  memory.facts ??= await factsOf(podman, context.signal)
  return memory.facts
}
