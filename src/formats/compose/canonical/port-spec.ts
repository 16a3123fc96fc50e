/** The short syntax of ports, `[ip:][published:]target[/protocol]` with ranges on both sides. */
import { isIpAddress } from './ip-address.ts'
import { defined } from '#model/defined.ts'

export type Port = {
  readonly hostIp: string
  readonly published: string
  readonly target: number
  readonly protocol: string
}

/** The ports that a text stands for, or why it stands for none. */
export function parsePorts(spec: string): readonly Port[] | string {
  const parts = spec.split(':')
  const container = defined(parts.pop())
  const host = parts.pop() ?? ''
  const slash = container.indexOf('/')
  const targets = slash === -1 ? container : container.slice(0, slash)
  if (targets === '') return 'there is no container port'
  const protocol = (slash === -1 ? '' : container.slice(slash + 1)).toLowerCase() || 'tcp'
  if (!['tcp', 'udp', 'sctp'].includes(protocol))
    return `the protocol "${protocol}" is not tcp, udp or sctp`
  const address = parts.join(':')
  const hostIp = address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address
  if (hostIp !== '' && !isIpAddress(hostIp)) return `"${address}" is not an IP address`
  const inside = parseRange(targets)
  if (inside === undefined) return `"${targets}" is not a port or a range of ports`
  const outside = host === '' ? undefined : parseRange(host)
  if (host !== '' && outside === undefined) return `"${host}" is not a port or a range of ports`
  return pairUp(inside, outside, hostIp, protocol)
}

type Range = readonly [first: number, last: number]

function pairUp(
  inside: Range,
  outside: Range | undefined,
  hostIp: string,
  protocol: string,
): readonly Port[] | string {
  const count = inside[1] - inside[0] + 1
  if (outside !== undefined && outside[1] - outside[0] + 1 !== count && count !== 1) {
    return 'the published range and the container range have different lengths'
  }
  const ports = Array.from({ length: count }, (_, index) => {
    const first = outside === undefined ? '' : String(outside[0] + index)
    const isChoice = outside !== undefined && count === 1 && outside[0] !== outside[1]
    const published = isChoice ? `${first}-${outside[1]}` : first
    return { hostIp, published, target: inside[0] + index, protocol }
  })
  // The reference lists a range in the order of the ports' texts: 10 comes before 9.
  const isSameLength = String(inside[0]).length === String(inside[1]).length
  return isSameLength ? ports : ports.toSorted((a, b) => (`${a.target}/` < `${b.target}/` ? -1 : 1))
}

function parseRange(text: string): Range | undefined {
  const parts = text.split('-')
  const [first, last] = [parsePort(defined(parts[0])), parsePort(parts[1] ?? defined(parts[0]))]
  return first === undefined || last === undefined || last < first ? undefined : [first, last]
}

function parsePort(text: string): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined
  const port = Number(text)
  return port <= 65535 ? port : undefined
}
