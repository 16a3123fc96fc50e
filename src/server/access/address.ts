/** From where a request comes: the address as it is written down, and the network by which requests are counted. */
import type { Socket } from 'node:net'

/** The address itself, IPv4 without the prefix that sockets of both families put before it. */
export function addressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress
}

/** A whole /64 of IPv6 counts as one: a client has billions of addresses there. */
export function networkOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const address = addressOf(socket)
  if (!address.includes(':') || address === '::1') return address
  return address.split(':').slice(0, 4).join(':')
}
