/** Semantic versions as Masterminds/semver reads and orders them. */
import { GoError } from '../errors.ts'
import { quote } from '../quote.ts'

export type Version = {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly pre: string
  readonly metadata: string
  readonly original: string
}

const loose =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/
const longest = 256

export function parseVersion(text: string): Version {
  if (text.length > longest) throw new GoError(`version string is too long (max ${longest} bytes)`)
  const found = loose.exec(text)
  if (found === null) throw new GoError('invalid semantic version')
  const pre = found[4] ?? ''
  const [major, minor, patch] = [segment(found[1]), segment(found[2]), segment(found[3])]
  if (pre.split('.').some((part) => /^0[0-9]+$/.test(part)))
    throw new GoError('version segment starts with 0')
  return { major, minor, patch, pre, metadata: found[5] ?? '', original: text }
}

function segment(digits = '0'): bigint {
  const value = BigInt(digits)
  if (value < 1n << 64n) return value
  throw new GoError(
    `error parsing version segment: strconv.ParseUint: parsing ${quote(digits)}: value out of range`,
  )
}

export function versionText({ major, minor, patch, pre, metadata }: Version): string {
  return `${major}.${minor}.${patch}${pre === '' ? '' : `-${pre}`}${metadata === '' ? '' : `+${metadata}`}`
}

export function compareVersions(left: Version, right: Version): number {
  const numbers =
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch)
  if (numbers !== 0 || left.pre === right.pre) return numbers
  if (left.pre === '') return 1
  if (right.pre === '') return -1
  return comparePrereleases(left.pre, right.pre)
}

export function comparePrereleases(left: string, right: string): number {
  const lefts = left.split('.')
  const rights = right.split('.')
  for (let index = 0; index < Math.max(lefts.length, rights.length); index++) {
    const found = comparePart(lefts[index] ?? '', rights[index] ?? '')
    if (found !== 0) return found
  }
  return 0
}

function comparePart(left: string, right: string): number {
  if (left === right) return 0
  if (left === '') return -1
  if (right === '') return 1
  const [isLeftNumber, isRightNumber] = [/^[0-9]+$/.test(left), /^[0-9]+$/.test(right)]
  if (isLeftNumber && isRightNumber) return BigInt(left) > BigInt(right) ? 1 : -1
  if (isLeftNumber) return -1
  if (isRightNumber) return 1
  return left > right ? 1 : -1
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}
