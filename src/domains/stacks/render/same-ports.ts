/** Two services that want one port of the host: the engine would find out when the second one starts. */
import type { Service } from '#formats/compose/schema/file.ts'
import { overlap } from '#domains/containers/host-ports.ts'
import { hostPortsOf, type HostPort } from '../host-ports.ts'
import type { Finding } from './finding.ts'
import { countOf } from './replicas.ts'
import { servicesOf, type Stage } from './stage.ts'

type Holder = { readonly service: string; readonly hostIP: string }

export function samePorts(stage: Stage): readonly Finding[] {
  const services = servicesOf(stage).filter((entry) => countOf(stage, ...entry) > 0)
  const jobs = endedBefore(services)
  const holders = new Map<string, Holder[]>()
  return services.flatMap(([service, model]) => {
    if (model.network_mode === 'host' || jobs.has(service)) return []
    return hostPortsOf({ service: model }).flatMap((port, index) => {
      if (port.hostPort === 0) return []
      const key = `${port.hostPort}/${port.protocol}`
      const known = holders.get(key) ?? []
      const other = known.find(({ hostIP }) => overlap(hostIP, port.hostIP))
      holders.set(key, [...known, { service, hostIP: port.hostIP }])
      return other === undefined ? [] : [finding(service, index, port, other)]
    })
  })
}

/** One that has ended before others begin has let its ports go. */
function endedBefore(services: readonly (readonly [string, Service])[]): ReadonlySet<string> {
  return new Set(
    services.flatMap(([, model]) =>
      Object.entries(model.depends_on ?? {})
        .filter(([, need]) => need.condition === 'service_completed_successfully')
        .map(([name]) => name),
    ),
  )
}

function finding(service: string, index: number, port: HostPort, other: Holder): Finding {
  const whom = other.service === service ? 'twice' : `for ${other.service} too`
  return {
    path: ['services', service, 'ports', index],
    isError: true,
    code: 'port_taken',
    message: `port ${port.hostPort} of the host is published ${whom}`,
    suggestion: 'publish one of them on another port, or leave the choice to the engine',
  }
}
