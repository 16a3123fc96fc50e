/** Ports, attachments and hosts: what a container has for itself and a pod for its members. */
import type { Need } from '#model/resource.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration } from './declaration.ts'
import { findDeclared } from './references.ts'
import { bad } from '#formats/schema/rule.ts'
import type { AttachmentSpec, PortSpec } from '../spec.ts'

type Networked = Declaration<'container'> | Declaration<'pod'>

/** The aliases are the chart's plain names, so that they resolve whatever the namespace is. */
export function attachments(
  from: Networked,
  context: ChartContext,
  aliases: readonly string[],
): { readonly networks: readonly AttachmentSpec[]; readonly needs: readonly Need[] } {
  const networks: AttachmentSpec[] = []
  const needs: Need[] = []
  for (const [index, name] of (from.data.networks ?? []).entries()) {
    const network = findDeclared(context, from, ['networks', index], 'network', name)
    if (network === undefined) continue
    if (networks.some((other) => other.network === network.object)) {
      from.report(['networks', index], bad(`${name} is named twice`))
      continue
    }
    networks.push({ network: network.object, aliases })
    needs.push({ ref: network.ref, until: 'exists', renew: false })
  }
  return { networks, needs }
}

type PortData = NonNullable<Networked['data']['ports']>[number]

export function portsOf(from: Networked, ports: readonly PortData[] = []): readonly PortSpec[] {
  const made = ports.map((port) => ({
    containerPort: port.containerPort,
    hostPort: port.hostPort ?? 0,
    protocol: protocolOf(port.protocol),
    ...(port.hostIP === undefined ? {} : { hostIP: port.hostIP }),
  }))
  for (const [index, port] of made.entries()) {
    const before = made.slice(0, index)
    if (before.some((other) => isSame(other, port))) {
      const fault = bad(`${port.containerPort}/${port.protocol} is published twice`)
      from.report(['ports', index], fault)
    } else if (before.some((other) => isOnOneHostPort(other, port))) {
      const fault = bad(`${port.hostPort}/${port.protocol} of the host is used twice`)
      from.report(['ports', index, 'hostPort'], fault)
    }
  }
  return made
}

/** Only one of the two could listen. */
export function isOnOneHostPort(one: PortSpec, other: PortSpec): boolean {
  if (one.hostPort === 0 || one.hostPort !== other.hostPort) return false
  if (one.protocol !== other.protocol) return false
  return isAny(one.hostIP) || isAny(other.hostIP) || one.hostIP === other.hostIP
}

function isAny(address: string | undefined): boolean {
  return address === undefined || address === '0.0.0.0' || address === '::'
}

function protocolOf(written: string | undefined): PortSpec['protocol'] {
  const protocol = written?.toLowerCase()
  return protocol === 'udp' || protocol === 'sctp' ? protocol : 'tcp'
}

function isSame(one: PortSpec, other: PortSpec): boolean {
  return (
    one.containerPort === other.containerPort &&
    one.hostPort === other.hostPort &&
    one.protocol === other.protocol &&
    one.hostIP === other.hostIP
  )
}

type HostsData = Networked['data']['extraHosts']

export function hostsOf(
  from: Networked,
  hosts: HostsData,
): Readonly<Record<string, string>> | undefined {
  if (hosts === undefined) return undefined
  const pairs = Array.isArray(hosts)
    ? hosts.map(
        (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const,
      )
    : Object.entries(hosts)
  if (pairs.length === 0) return undefined
  return Object.fromEntries(pairs.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
