/** From a declared volume to its spec. */
import type { ChartContext } from './chart-context.ts'
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { memoryQuantity } from './quantities.ts'
import { bad } from '#formats/schema/rule.ts'
import type { VolumeData } from './schema/volume.ts'
import type { VolumeSpec } from '../spec.ts'
import { textsOf } from './texts.ts'

export function volumeSpec(volume: Declaration<'volume'>, context: ChartContext): VolumeSpec {
  checkFields(volume)
  const { owner, seLinuxOptions } = volume.data.securityContext ?? {}
  const from = volumeSource(volume, context)
  warnOfSize(volume, from, context)
  return compact({
    object: volume.object,
    labels: volume.labels,
    owner: owner && compact(owner),
    seLinux: seLinuxOptions?.level,
    from,
  })
}

/** A volume in memory that is mounted once is part of that mount; one that is shared or owned needs an object in Podman. */
export function volumeSource(
  volume: Declaration<'volume'>,
  context: Pick<ChartContext, 'mountCounts'>,
): VolumeSpec['from'] {
  const { data } = volume
  const type = typeOf(data)
  if (type === 'hostPath') {
    const host = data.hostPath ?? { path: '/' }
    const { path, type: kind = 'DirectoryOrCreate' } =
      typeof host === 'string' ? { path: host } : host
    return { kind: 'host', path: path.replace(/(.)\/$/, '$1'), type: kind }
  }
  if (type === 'volume') {
    const options = textsOf(volume, ['volume', 'options'], data.volume?.options)
    const flat = textsOf(volume, ['options'], data.options)
    return compact({
      kind: 'named' as const,
      driver: data.volume?.driver ?? data.driver ?? 'local',
      options: options === undefined && flat === undefined ? undefined : { ...flat, ...options },
      isEphemeral: false,
    })
  }
  if (data.emptyDir?.medium !== 'Memory') {
    return { kind: 'named', driver: 'local', isEphemeral: true }
  }
  if (isShared(volume, context) || data.securityContext?.owner !== undefined) {
    const options = { device: 'tmpfs', type: 'tmpfs' }
    return { kind: 'named', driver: 'local', options, isEphemeral: true }
  }
  return compact({ kind: 'memory' as const, size: sizeOf(data) })
}

function isShared(
  volume: Declaration<'volume'>,
  { mountCounts }: Pick<ChartContext, 'mountCounts'>,
): boolean {
  return (mountCounts.get(volume.name) ?? 0) > 1
}

type VolumeType = 'hostPath' | 'emptyDir' | 'volume'

function typeOf(data: VolumeData): VolumeType {
  if (data.type !== undefined) return data.type === 'bind' ? 'hostPath' : data.type
  if (data.hostPath !== undefined) return 'hostPath'
  return data.emptyDir === undefined ? 'volume' : 'emptyDir'
}

function sizeOf(data: VolumeData): string | undefined {
  const written = data.emptyDir?.sizeLimit
  const found = written === undefined ? undefined : memoryQuantity(String(written))
  return found?.isValid === true ? found.text : undefined
}

/** The fields of one type beside the word of another: one of them is a mistake. */
function checkFields(volume: Declaration<'volume'>): void {
  const { data } = volume
  const type = typeOf(data)
  const own: Record<VolumeType, readonly (keyof VolumeData)[]> = {
    hostPath: ['hostPath'],
    emptyDir: ['emptyDir'],
    volume: ['volume', 'driver', 'options'],
  }
  if (type === 'hostPath' && data.hostPath === undefined && !volume.isFaulty(['hostPath'])) {
    volume.report(
      ['hostPath'],
      { code: 'missing_field', message: 'is required, but missing' },
      'key',
    )
  }
  const foreign = Object.values(own)
    .flat()
    .filter((field) => !own[type].includes(field))
  for (const field of foreign) {
    if (data[field] === undefined) continue
    const fault = bad(
      `does not belong to a volume of type ${data.type ?? type}`,
      `leave out ${field} or type`,
    )
    volume.report([field], fault, 'key')
  }
}

/** Podman limits the size of a volume only where the file system keeps quotas, and never that of a shared tmpfs. */
function warnOfSize(
  volume: Declaration<'volume'>,
  from: VolumeSpec['from'],
  context: ChartContext,
): void {
  const size = sizeOf(volume.data)
  if (size === undefined || from.kind !== 'named') return
  const isMemory = volume.data.emptyDir?.medium === 'Memory'
  const cause = isShared(volume, context) ? 'is mounted more than once' : 'has an owner'
  const why = isMemory ? `it ${cause}` : 'it is kept on disk'
  context.warn(`${volume.ref}: sizeLimit ${size} is not enforced, because ${why}`)
}
