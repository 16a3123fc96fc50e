/** Addresses and subnets of networks, IPv4 and IPv6, as numbers that can be compared. */
import { defined } from '#model/defined.ts'

export type Address = { readonly bits: 32 | 128; readonly number: bigint }
export type Subnet = Address & { readonly prefix: number }

export function addressOf(text: string): Address | undefined {
  return text.includes(':') ? six(text) : four(text)
}

/** `172.20.0.0/16`. Bits behind the prefix are kept: the caller decides whether they are allowed. */
export function subnetOf(text: string): Subnet | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text)
  const address = match === null ? undefined : addressOf(defined(match[1]))
  if (match === null || address === undefined) return undefined
  const prefix = Number(match[2])
  return prefix > address.bits ? undefined : { ...address, prefix }
}

/** The subnet's first address, as text: what it should have been written as. */
export function startOf(subnet: Subnet): string {
  return `${textOf({ bits: subnet.bits, number: networkOf(subnet) })}/${subnet.prefix}`
}

export function networkOf(subnet: Subnet): bigint {
  const free = BigInt(subnet.bits - subnet.prefix)
  return (subnet.number >> free) << free
}

export function isInside(address: Address, subnet: Subnet): boolean {
  if (address.bits !== subnet.bits) return false
  return networkOf({ ...address, prefix: subnet.prefix }) === networkOf(subnet)
}

function four(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  if (!parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return { bits: 32, number: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) }
}

function six(text: string): Address | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const given = [...defined(head), ...(tail ?? [])]
  if (!given.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  const missing = 8 - given.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...defined(head), ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])]
  return {
    bits: 128,
    number: groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n),
  }
}

function textOf(address: Address): string {
  const size = address.bits === 32 ? 8n : 16n
  const groups: bigint[] = []
  for (let rest = address.number, left = address.bits / Number(size); left > 0; left--) {
    groups.unshift(rest & ((1n << size) - 1n))
    rest >>= size
  }
  if (address.bits === 32) return groups.join('.')
  return groups
    .map((group) => group.toString(16))
    .join(':')
    .replace(/(?:^|:)0(?::0)+(?::|$)/, '::')
}
