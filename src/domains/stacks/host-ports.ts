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

/** The first and the last of those that it may be published on; undefined: any at all. */
export function boundsOf({
  range,
}: Pick<HostPort, 'range'>): readonly [number, number] | undefined {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
  return first === undefined ? undefined : [Number(first), Number(last ?? first)]
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
