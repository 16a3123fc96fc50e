/** The host's ports that a service publishes. */
import { textOf } from '#model/read-json.ts'
import type { ServiceAsWritten } from './service-as-written.ts'

/** `hostPort` 0: the engine chooses, among all or within a range. */
export type HostPort = {
  readonly containerPort: number
  readonly hostPort: number
  readonly range: string
  readonly protocol: string
  readonly hostIP: string
}

/** All that it may be published on: one, or a range that leaves the choice to the engine. None: any at all. */
export function portsIn({ range }: Pick<HostPort, 'range'>): readonly number[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
  if (first === undefined) return []
  const count = Number(last ?? first) - Number(first) + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => Number(first) + at)
}

type Publishing = { readonly service: Pick<ServiceAsWritten, 'ports'> }

export function hostPortsOf({ service }: Publishing): readonly HostPort[] {
  return (service.ports ?? []).map((port) => {
    const published = textOf(port.published)
    return {
      containerPort: port.target ?? 0,
      hostPort: /^\d+$/.test(published) ? Number(published) : 0,
      range: published,
      protocol: textOf(port.protocol) || 'tcp',
      hostIP: textOf(port.host_ip),
    }
  })
}
