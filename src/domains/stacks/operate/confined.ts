/** Looks at the disk before containers of a followed application are created, filled and started. */
import { listContainers, mountsIn, type ListedContainer } from '#clients/docker/container-list.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import { assertConfined, type HostBind } from '#domains/containers/confinement.ts'
import { assertMadeOf, assertUsable } from '#domains/containers/image-builder.ts'
import { textIn } from '#domains/containers/payload.ts'
import { removingRefused } from '#domains/containers/refused-start.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { MountSpec, ServiceSpec } from '../spec.ts'
import { isRecordedService, serviceSpecOf } from '../spec-of.ts'
import type { Job, StackHandler } from './job.ts'

/** By the spec: the container is not there yet. */
export function confinedCreate(work: StackHandler): StackHandler {
  return async (job) => {
    const spec = serviceSpecOf(job.payload['spec'] ?? null)
    const name = textIn(job, 'name')
    if (isConfined(job) && spec.mounts.length + spec.files.length > 0) {
      await check(job, (volumes) => [
        ...bindsOfSpec(spec, name, volumes),
        ...filesOfSpec(spec, name),
      ])
    }
    for (const { from } of spec.mounts) {
      if (from.kind === 'image') await assertUsable(job, from.image)
    }
    const made = await work(job)
    await assertMadeOf(job, name, spec.image)
    return made
  }
}

/** By what the engine says of it: whatever a record or an earlier version of Tend thought of it. */
export function confinedStart(work: StackHandler): StackHandler {
  return async (job) => {
    if (isConfined(job)) {
      const { docker, context } = job
      const found = recordOf(await inspectContainer(docker, textIn(job, 'name'), context.signal))
      const holder = textOf(found['Name']).replace(/^\//, '')
      const spec = recordedOf(textMapOf(recordOf(found['Config'])['Labels']))?.spec ?? null
      const mounts = mountsIn(found['Mounts'])
      if (mounts.some(({ type }) => type === 'bind' || type === 'volume')) {
        const looked = (volumes: Volumes): readonly HostBind[] => {
          const parts = isRecordedService(spec) ? partsOf(spec.mounts, holder, volumes) : []
          return [...bindsOf({ name: holder, mounts }, volumes, false), ...parts]
        }
        await removingRefused(job, textOf(found['Id']), () => check(job, looked))
      }
    }
    return work(job)
  }
}

function isConfined({ confinement }: Job): boolean {
  return confinement !== undefined && confinement.policy.outsideBinds !== 'allow'
}

type Volumes = ReadonlyMap<string, ListedVolume>

async function check(
  { docker, context, confinement }: Job,
  own: (volumes: Volumes) => readonly HostBind[],
): Promise<void> {
  if (confinement === undefined) return
  const listed = await listVolumes(docker, [], context.signal)
  const volumes: Volumes = new Map(listed.map((one) => [one.name, one]))
  const binds = own(volumes)
  if (binds.length === 0) return
  const containers = await listContainers(docker, [], context.signal)
  const others = containers.flatMap((one) => bindsOf(one, volumes, true))
  await assertConfined(confinement, binds, others, (text) => context.warn(text))
}

/** `isWhole`: with the places of named volumes, in which others may have something bound. */
function bindsOf(
  { name: holder, mounts }: Pick<ListedContainer, 'name' | 'mounts'>,
  volumes: Volumes,
  isWhole: boolean,
): readonly HostBind[] {
  return mounts.flatMap(({ type, name, source, isWritable }) => {
    if (type === 'bind') return [{ path: source, isWritable, holder }]
    if (type !== 'volume') return []
    const device = deviceOf(volumes.get(name))
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
  volumes: Volumes,
): readonly HostBind[] {
  const whole = mounts.flatMap(({ from, readOnly }): readonly HostBind[] => {
    const isWritable = !readOnly
    if (from.kind === 'bind') return [{ path: from.path, isWritable, holder }]
    if (from.kind !== 'volume') return []
    const device = deviceOf(volumes.get(from.volume))
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
  volumes: Volumes,
): readonly HostBind[] {
  return mounts.flatMap(({ from, readOnly }) => {
    if (from.kind !== 'volume' || from.subpath === undefined) return []
    const base = volumes.get(from.volume)?.mountpoint ?? ''
    if (!base.startsWith('/')) return []
    return [{ path: `${base}/${from.subpath}`, isWritable: !readOnly, holder, base }]
  })
}
