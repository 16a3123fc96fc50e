/** Subnets of IPv4, as far as rows of the clusters table need them. */
import { defined } from './defined.ts'

/** The first and the last address, both of which belong to the subnet. */
export type Range = { readonly first: number; readonly last: number }

/** Undefined: it is no subnet. Bits behind the prefix must be zero, as Docker wants it. */
export function subnetOf(text: string): Range | undefined {
  const [, address, bits] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(text) ?? []
  const first = address === undefined ? undefined : numberOf(address)
  const prefix = Number(bits)
  if (first === undefined || prefix < 8 || prefix > 30) return undefined
  const size = 2 ** (32 - prefix)
  return first % size === 0 ? { first, last: first + size - 1 } : undefined
}

export function overlap(one: Range, other: Range): boolean {
  return one.first <= other.last && other.first <= one.last
}

/** The address x.y.z.1, which the original programs give to the bridge. */
export function gatewayOf({ first }: Range): string {
  return textOf(first + 1)
}

export function numberOf(address: string): number | undefined {
  const parts = address.split('.').map(Number)
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return undefined
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}

/** 10.101.0.0/16 and up, the first that nobody has. */
export function firstFree(isTaken: (range: Range) => boolean): string | undefined {
  for (let second = 101; second < 256; second += 1) {
    const text = `10.${second}.0.0/16`
    if (!isTaken(defined(subnetOf(text)))) return text
  }
  return undefined
}
