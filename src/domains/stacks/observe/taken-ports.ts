/** Host ports that something else than a container of this engine holds: a process, or another engine on the same machine. */
import { BlockList, isIP } from 'node:net'
import type { Docker } from '#clients/docker/client.ts'
import { isInSameNetwork } from '#clients/host/same-network.ts'
import { listeners, plainAddress, type Listener } from '#clients/host/listeners.ts'
import { holderOfSocket, type SocketHolder } from '#clients/host/socket-holder.ts'
import { isInUse, overlap } from '#domains/containers/host-ports.ts'
import type { LivePort } from '#domains/containers/live-state.ts'
import { textOf } from '#model/read-json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { boundsOf, hostPortsOf, type HostPort } from '../host-ports.ts'
import type { RecordedService } from '../spec-of.ts'
import { serviceSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'

/** By ref. Nothing is said where this machine's ports are not those of the engine. */
export async function takenPorts(
  docker: Docker,
  { lists, wanted }: View,
): Promise<ReadonlyMap<Ref, ProblemFacts>> {
  const found = new Map<Ref, ProblemFacts>()
  const inUse = lists.containers
    .filter(({ state }) => !['created', 'exited', 'dead', 'stopped', 'configured'].includes(state))
    .flatMap(({ ports }) => ports)
  const open = [...wanted].flatMap(([ref, resource]) => {
    const ports = publishedBy(resource).filter((port) => !isHeldByContainer(port, inUse))
    return ports.length === 0 ? [] : [[ref, ports] as const]
  })
  // in the ordinary case all are held by the very containers that want them, and the machine is not asked
  if (open.length === 0 || !isPublishedHere(docker)) return found
  const taken = listeners()
  for (const [ref, ports] of open) {
    for (const port of ports) {
      const listener = await holderOf(port, taken)
      if (listener === undefined) continue
      const holder = holderOfSocket(new Set([listener.inode]))
      if (holder !== undefined && isOfThisEngine(holder, lists)) continue
      found.set(ref, takenBy(ref, port, listener, holder))
      break
    }
  }
  return found
}

/** Whether the engine publishes ports on this machine, in the network that this process sees. */
export function isPublishedHere({ isLocal, address }: Docker): boolean {
  return isLocal && isInSameNetwork(address.replace(/^unix:\/\//, ''))
}

/** Who holds it now; of a range, one that all of it is held. Looked at twice: someone may just be letting go of it. */
async function holderOf(port: HostPort, taken: readonly Listener[]): Promise<Listener | undefined> {
  if ((await holderIn(port, taken)) === undefined) return undefined
  await new Promise((resolve) => setTimeout(resolve, patience))
  return holderIn(port, listeners())
}

/** ms */
const patience = 250

export async function holderIn(
  port: HostPort,
  taken: readonly Listener[],
): Promise<Listener | undefined> {
  let last: Listener | undefined
  const [from, to] = boundsOf(port) ?? [0, -1]
  for (let hostPort = from; hostPort <= to; hostPort += 1) {
    last = await listenerOn({ ...port, hostPort }, taken)
    if (last === undefined) return undefined
  }
  return last
}

async function listenerOn(
  { hostPort, protocol, hostIP }: HostPort,
  taken: readonly Listener[],
): Promise<Listener | undefined> {
  const same = taken.filter((one) => one.port === hostPort && one.protocol === protocol)
  const address = plainAddress(hostIP)
  const certain = same.find((one) => overlap(one.address, address))
  if (certain !== undefined || address.includes(':')) return certain
  // one that listens on all of IPv6 has all of IPv4 too, unless it says otherwise, which no list tells
  const both = same.find((one) => one.address === '::')
  if (both === undefined || protocol !== 'tcp') return both
  return (await isInUse(hostPort, address || '0.0.0.0')) ? both : undefined
}

function publishedBy({ ref, spec, problems }: Resource): readonly HostPort[] {
  if (kindOf(ref) !== 'container' || problems.length > 0) return []
  const service = serviceSpecOf(spec)
  return isInOthersNetwork(service) ? [] : hostPortsOf(service).filter(({ range }) => range !== '')
}

/** With the host's own network, or another container's, nothing is published. */
function isInOthersNetwork({ service }: Pick<RecordedService, 'service'>): boolean {
  return /^(host|none|service:|container:)/.test(textOf(service.network_mode))
}

/** A running container of this engine publishes the port. */
function isHeldByContainer(port: HostPort, inUse: readonly LivePort[]): boolean {
  const [from, to] = boundsOf(port) ?? [0, -1]
  const { protocol, hostIP } = port
  return inUse.some(
    (one) =>
      from <= one.hostPort &&
      one.hostPort <= to &&
      one.protocol === protocol &&
      overlap(one.hostIP, hostIP),
  )
}

/**
 * It forwards for a container of this very engine, which the list shows as not running: a call that was cut off starts or stops
 * it just now. The engine itself knows best what comes of that.
 */
export function isOfThisEngine(
  { name, container }: SocketHolder,
  { networks, containers }: Pick<View['lists'], 'networks' | 'containers'>,
): boolean {
  if (container === undefined) return false
  if (name === 'conmon') return containers.some((one) => one.name === container)
  if (name !== 'docker-proxy') return false
  const own = new BlockList()
  for (const { subnet } of networks.flatMap(({ subnets }) => subnets)) {
    const [address = '', bits] = subnet.split('/')
    if (isIP(address) !== 0) own.addSubnet(address, Number(bits), familyOf(address))
  }
  return isIP(container) !== 0 && own.check(container, familyOf(container))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function takenBy(
  ref: Ref,
  port: HostPort,
  listener: Listener,
  holder: SocketHolder | undefined,
): ProblemFacts {
  const { range, protocol } = port
  const isRange = range.includes('-')
  const at = port.hostIP === '' ? '' : ` of ${port.hostIP}`
  return {
    type: 'runtime',
    code: 'port_taken',
    ref,
    message: `${isRange ? `all of the host ports ${range}` : `host port ${range}`}/${protocol}${at} ${isRange ? 'are' : 'is'} in use by ${whoIs(holder)}`,
    suggestion:
      holder === undefined
        ? `free it (as root, ss -lnp 'sport = :${listener.port}' shows who holds it) or publish another port for ${nameOf(ref)}`
        : `end that, or publish another port for ${nameOf(ref)}`,
  }
}

function whoIs(holder: SocketHolder | undefined): string {
  if (holder === undefined) return 'another process'
  const { name, pid, container } = holder
  const process = `${name} (process ${pid})`
  if (name === 'conmon')
    return `container ${container ?? '?'} of Podman on this machine: ${process}`
  if (name === 'docker-proxy') {
    return `a container of another Docker on this machine, at ${container ?? '?'}: ${process}`
  }
  return process
}
