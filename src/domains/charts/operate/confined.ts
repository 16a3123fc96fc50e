/** Looks at the disk before containers of a followed chart are created and started. */
import { inspectContainer, listContainers } from '#clients/podman/containers.ts'
import { listVolumes, type ListedVolume } from '#clients/podman/volumes.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import { assertConfined, type HostBind } from '#domains/containers/confinement.ts'
import { assertMadeOf } from '#domains/containers/image-builder.ts'
import { textIn } from '#domains/containers/payload.ts'
import { removingRefused } from '#domains/containers/refused-start.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { JsonRecord } from '#model/json.ts'
import { join } from 'node:path'
import type { MountSpec } from '../spec.ts'
import { containerSpecOf, settledContainerOf } from '../spec-of.ts'
import type { Job, ChartHandler } from './job.ts'

/** By the spec: the container is not there yet. */
export function confinedCreate(work: ChartHandler): ChartHandler {
  return async (job) => {
    const { mounts, image } = settledContainerOf(job.payload['spec'] ?? null)
    const name = textIn(job, 'name')
    await checkMounts(job, mounts, name)
    const made = await work(job)
    await assertMadeOf(job, name, image)
    return made
  }
}

/** By what is recorded on the container, and by what Podman says of it. */
export function confinedStart(work: ChartHandler): ChartHandler {
  return async (job) => {
    const name = textIn(job, 'name')
    if (isConfined(job)) {
      const found = await inspectContainer(job.podman, name, job.context.signal)
      const labels = textMapOf(recordOf(found?.['Config'])['Labels'])
      const spec = recordedOf(labels)?.spec
      const mounts = spec === undefined ? [] : containerSpecOf(spec).mounts
      const holder = textOf(found?.['Name']) || name
      await removingRefused(job, name, () => checkMounts(job, mounts, holder))
    }
    return work(job)
  }
}

/** A path of the host that Tend makes, and gives an owner, before anything is mounted from it. */
export function confinedPath(work: ChartHandler): ChartHandler {
  return async (job) => {
    const path = textIn(job, 'path')
    if (isConfined(job)) await check(job, () => [{ path, isWritable: false, holder: 'volume' }])
    return work(job)
  }
}

function isConfined({ confinement }: Job): boolean {
  return confinement !== undefined && confinement.policy.outsideBinds !== 'allow'
}

async function checkMounts(job: Job, mounts: readonly MountSpec[], holder: string): Promise<void> {
  // without folders of the operator's no volume may be a bind in disguise, so that whole ones need no look
  const roots = job.confinement?.policy.allowedRoots ?? []
  if (!isConfined(job) || !mounts.some((mount) => isBound(mount, roots.length > 0))) return
  await check(job, (volumes) => mounts.flatMap((mount) => bindOf(mount, holder, volumes)))
}

function isBound({ from, subPath }: MountSpec, mayBeDisguised: boolean): boolean {
  return (
    from.kind === 'host' || (from.kind === 'named' && (subPath !== undefined || mayBeDisguised))
  )
}

function bindOf(
  { from, subPath, readOnly }: MountSpec,
  holder: string,
  volumes: Volumes,
): readonly HostBind[] {
  const isWritable = !readOnly
  if (from.kind === 'host') return [{ path: join(from.path, subPath ?? ''), isWritable, holder }]
  if (from.kind !== 'named') return []
  const volume = volumes.get(from.volume)
  const device = volume?.options['device'] ?? ''
  if (device.startsWith('/')) return [{ path: join(device, subPath ?? ''), isWritable, holder }]
  if (subPath === undefined) return []
  const base = volume?.mountpoint ?? ''
  return [{ path: join(base, subPath), isWritable, holder, base }]
}

type Volumes = ReadonlyMap<string, ListedVolume>

async function check(job: Job, own: (volumes: Volumes) => readonly HostBind[]): Promise<void> {
  const { podman, context, confinement } = job
  if (confinement === undefined) return
  const listed = await listVolumes(podman, context.signal)
  const volumes: Volumes = new Map(listed.map((one) => [one.name, one]))
  const others = await othersOf(job, volumes)
  await assertConfined(confinement, own(volumes), others, (text) => context.warn(text))
}

/** Podman's list names only the paths inside: each container that mounts something is looked at. */
async function othersOf({ podman, context }: Job, volumes: Volumes): Promise<readonly HostBind[]> {
  const listed = await listContainers(podman, context.signal)
  const found: HostBind[] = []
  for (const { id, name, mounts } of listed) {
    if (mounts.length === 0) continue
    const seen = await inspectContainer(podman, id, context.signal)
    for (const mount of recordsOf(seen?.['Mounts'])) {
      found.push(...pathsOf(mount, volumes).map((path) => bound(mount, path, name)))
    }
  }
  return found
}

function bound(mount: JsonRecord, path: string, holder: string): HostBind {
  return { path, isWritable: mount['RW'] !== false, holder }
}

/** With what a volume that is a bind in disguise mounts. */
function pathsOf(mount: JsonRecord, volumes: Volumes): readonly string[] {
  const { options } = volumes.get(textOf(mount['Name'])) ?? {}
  return [textOf(mount['Source']), options?.['device'] ?? ''].filter((path) => path.startsWith('/'))
}
