/** Looks at the disk before containers of a followed application are created, filled and started. */
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { assertConfined, type HostBind } from '#domains/containers/confinement.ts'
import { textIn } from '#domains/containers/payload.ts'
import { recordedOf } from '#engine/record.ts'
import type { MountSpec, ServiceSpec } from '../spec.ts'
import { isRecordedService, serviceSpecOf } from '../spec-of.ts'
import type { Job, Work } from './job.ts'

/** By the spec: the container is not there yet. */
export function confinedCreate(work: Work): Work {
  return async (job) => {
    await check(job, ({ volumes }) => {
      const name = textIn(job, 'name')
      const spec = serviceSpecOf(job.payload['spec'] ?? null)
      return [...bindsOfSpec(spec, name, volumes), ...filesOfSpec(spec, name)]
    })
    return work(job)
  }
}

/** By what the engine says of it: whatever a record or an earlier version of Tend thought of it. */
export function confinedStart(work: Work): Work {
  return async (job) => {
    const name = textIn(job, 'name')
    await check(job, ({ containers, volumes }) => {
      const found = containers.find((one) => one.name === name || one.id === name)
      if (found === undefined) return []
      const spec = recordedOf(found.labels)?.spec ?? null
      const parts = isRecordedService(spec) ? partsOf(spec.mounts, found.name, volumes) : []
      return [...bindsOf(found, volumes, false), ...parts]
    })
    return work(job)
  }
}

type Seen = {
  readonly containers: readonly ListedContainer[]
  readonly volumes: readonly ListedVolume[]
}

async function check(job: Job, own: (seen: Seen) => readonly HostBind[]): Promise<void> {
  const { docker, context, confinement } = job
  if (confinement === undefined || confinement.policy.outsideBinds === 'allow') return
  const [containers, volumes] = await Promise.all([
    listContainers(docker, [], context.signal),
    listVolumes(docker, [], context.signal),
  ])
  const binds = own({ containers, volumes })
  if (binds.length === 0) return
  const others = containers.flatMap((one) => bindsOf(one, volumes, true))
  assertConfined(confinement, binds, others, (text) => context.warn(text))
}

/** `isWhole`: with the places of named volumes, in which others may have something bound. */
function bindsOf(
  { name: holder, mounts }: ListedContainer,
  volumes: readonly ListedVolume[],
  isWhole: boolean,
): readonly HostBind[] {
  return mounts.flatMap(({ type, name, source, isWritable }) => {
    if (type === 'bind') return [{ path: source, isWritable, holder }]
    if (type !== 'volume') return []
    const device = deviceOf(volumes.find((one) => one.name === name))
    return [
      ...(device === undefined ? [] : [{ path: device, isWritable, holder }]),
      ...(isWhole && source.startsWith('/') ? [{ path: source, isWritable, holder }] : []),
    ]
  })
}

/** What a local volume that is a bind in disguise mounts. */
function deviceOf(volume: ListedVolume | undefined): string | undefined {
  const { device = '', type = '', o = '' } = volume?.options ?? {}
  const isBind = [type, ...o.split(',')].some((word) => word === 'bind' || word === 'rbind')
  return isBind && device.startsWith('/') ? device : undefined
}

function bindsOfSpec(
  { mounts }: ServiceSpec,
  holder: string,
  volumes: readonly ListedVolume[],
): readonly HostBind[] {
  const whole = mounts.flatMap(({ from, readOnly }): readonly HostBind[] => {
    const isWritable = !readOnly
    if (from.kind === 'bind') return [{ path: from.path, isWritable, holder }]
    if (from.kind !== 'volume') return []
    const device = deviceOf(volumes.find(({ name }) => name === from.volume))
    return device === undefined ? [] : [{ path: device, isWritable, holder }]
  })
  return [...whole, ...partsOf(mounts, holder, volumes)]
}

function filesOfSpec({ files }: ServiceSpec, holder: string): readonly HostBind[] {
  return files.flatMap(({ path }) =>
    path === undefined ? [] : [{ path, isWritable: false, holder }],
  )
}

/** Parts of named volumes. Where a volume has no place that can be seen, the engine alone knows. */
function partsOf(
  mounts: readonly MountSpec[],
  holder: string,
  volumes: readonly ListedVolume[],
): readonly HostBind[] {
  return mounts.flatMap(({ from, readOnly }) => {
    if (from.kind !== 'volume' || from.subpath === undefined) return []
    const base = volumes.find(({ name }) => name === from.volume)?.mountpoint ?? ''
    if (!base.startsWith('/')) return []
    return [{ path: `${base}/${from.subpath}`, isWritable: !readOnly, holder, base }]
  })
}
