/**
 * Which ports of this machine are taken, told by the kernel without touching any: a trial bind would itself hold the port for a moment.
 * Docker's proxy, Podman's conmon and rootlessport hold a socket for each published port, so other engines show here too.
 */
import { readFileSync } from 'node:fs'

export type Listener = {
  readonly protocol: 'tcp' | 'udp'
  /** The address as URLs write it; `0.0.0.0` and `::` stand for all addresses of their kind. */
  readonly address: string
  readonly port: number
  /** The inode of the socket, by which descriptors of processes name it. */
  readonly inode: string
}

const files = [
  ['tcp', '/proc/net/tcp'],
  ['tcp', '/proc/net/tcp6'],
  ['udp', '/proc/net/udp'],
  ['udp', '/proc/net/udp6'],
] as const

/** Of the network namespace of this process. Empty where the kernel does not tell. */
export function listeners(read = textOf): readonly Listener[] {
  return files.flatMap(([protocol, file]) => read(file).split('\n').flatMap(listenerIn(protocol)))
}

/** TCP's state 0A is listening. UDP has no such state: whatever is bound holds its port. */
function listenerIn(protocol: 'tcp' | 'udp'): (line: string) => readonly Listener[] {
  return (line) => {
    const [, local = '', , state, ...rest] = line.trim().split(/\s+/)
    const [hex, port] = local.split(':')
    if (hex === undefined || port === undefined || !/^[0-9A-F]+$/.test(hex)) return []
    if (protocol === 'tcp' && state !== '0A') return []
    const inode = rest[5] ?? ''
    return [{ protocol, address: addressIn(hex), port: Number.parseInt(port, 16), inode }]
  }
}

/** The kernel writes words of four bytes in this machine's order, which is the little-endian one. */
function addressIn(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).toReversed().map((byte) => Number.parseInt(byte, 16)),
  )
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0)).toString(16),
  )
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  return isMapped ? bytes.slice(12).join('.') : plainAddress(groups.join(':'))
}

/** One way of writing an address: `2001:DB8:0::1` becomes `2001:db8::1`. A text that is no address stays as it is. */
export function plainAddress(text: string): string {
  if (!text.includes(':')) return text
  const url = URL.parse(`http://[${text}]/`)
  return url === null ? text : url.hostname.slice(1, -1)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // no such protocol on this kernel, or no such kernel
    return ''
  }
}
