/** Resources, process limits and devices of a container. */
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { bytesOf, cpuQuantity, memoryQuantity } from './quantities.ts'
import { bad } from '#formats/schema/rule.ts'
import type { ContainerSpec } from '../spec.ts'

type Limits = Pick<ContainerSpec, 'memory' | 'memoryReservation' | 'cpu' | 'cpuReservation'>

export function containerResources(container: Declaration<'container'>): Limits {
  const { limits, requests } = container.data.resources ?? {}
  const memory = textOf(limits?.memory, memoryQuantity)
  const memoryReservation = textOf(requests?.memory, memoryQuantity)
  const cpu = textOf(limits?.cpu, cpuQuantity)
  const cpuReservation = textOf(requests?.cpu, cpuQuantity)
  if (isMore(memoryReservation, memory, bytesOf)) {
    const fault = bad(`asks for ${memoryReservation}, more than the limit of ${memory}`)
    container.report(['resources', 'requests', 'memory'], fault)
  }
  if (isMore(cpuReservation, cpu, Number)) {
    const fault = bad(`asks for ${cpuReservation}, more than the limit of ${cpu}`)
    container.report(['resources', 'requests', 'cpu'], fault)
  }
  return compact({ memory, memoryReservation, cpu, cpuReservation })
}

function textOf(
  written: string | number | undefined,
  read: typeof memoryQuantity,
): string | undefined {
  const found = written === undefined ? undefined : read(String(written))
  return found?.isValid === true ? found.text : undefined
}

function isMore(
  one: string | undefined,
  other: string | undefined,
  size: (text: string) => bigint | number | undefined,
): boolean {
  if (one === undefined || other === undefined) return false
  return (size(one) ?? 0) > (size(other) ?? 0)
}

export function containerUlimits(
  container: Declaration<'container'>,
): NonNullable<ContainerSpec['ulimits']> | undefined {
  const entries = Object.entries(container.data.ulimits ?? {}).flatMap(([name, limit]) => {
    if (limit === undefined) return []
    const { soft, hard } = typeof limit === 'number' ? { soft: limit, hard: limit } : limit
    if (hard !== -1 && (soft === -1 || soft > hard)) {
      const fault = bad(`the soft limit ${soft} is above the hard limit ${hard}`)
      container.report(['ulimits', name], fault)
    }
    return [[name, { soft, hard }] as const]
  })
  if (entries.length === 0) return undefined
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

type Device = NonNullable<ContainerSpec['devices']>[number]

export function containerDevices(
  container: Declaration<'container'>,
): readonly Device[] | undefined {
  const { devices } = container.data
  if (devices === undefined || devices.length === 0) return undefined
  return devices.flatMap((device, index) => {
    if (typeof device !== 'string') {
      const { hostPath: host, containerPath = host, permissions = 'rwm' } = device
      return [{ host, container: containerPath, permissions }]
    }
    const read = deviceOf(device)
    if (read === undefined) {
      const message = `${JSON.stringify(device)} is not a device`
      container.report(
        ['devices', index],
        bad(message, 'write /dev/x, /dev/x:/dev/y or /dev/x:/dev/y:rwm'),
      )
      return []
    }
    return [read]
  })
}

/** Names such as nvidia.com/gpu=all are devices too; the engine knows what they stand for. */
function deviceOf(written: string): Device | undefined {
  if (/^[\w.-]+\/[\w.-]+=[\w.-]+$/.test(written)) {
    return { host: written, container: written, permissions: 'rwm' }
  }
  const match = /^(\/[^:]+)(?::(\/[^:]+))?(?::([rwm]{1,3}))?$/.exec(written)
  if (match === null) return undefined
  const [, host = '', container = host, permissions = 'rwm'] = match
  return { host, container, permissions }
}
