/** The single values and small notations of which Compose files are made. */
import { formatValue } from '../canonical/format-value.ts'
import { parseFlag } from '../load/interpolate.ts'
import { put, type Json, type Node } from '../yaml/node.ts'
import { parseDecimal, parseFloatText, toFloat32 } from '../yaml/number.ts'
import { splitWords } from '../canonical/shell-words.ts'
import { formatDuration, parseDuration, parseSize } from '../canonical/units.ts'
import type { Rule } from './check.ts'
import * as rule from './common-rules.ts'
import { leaf, listOf, setOf, struct, type Decoding, type Shape } from './shape.ts'

export type Texts = Readonly<Record<string, string>>
/** A variable without a value is one that the surroundings are to give. */
export type Variables = Readonly<Record<string, string | null>>

export const text = leaf<string>(rule.text, 'text', '', (node) =>
  node.kind === 'text' || node.kind === 'int' ? String(node.value) : undefined,
)

export const flag = leaf<boolean>(rule.flagOrText, 'true or false', false, (node, to) => {
  if (node.kind === 'text') return parseFlag(node.value, to.warn)
  return node.kind === 'flag' ? node.value : undefined
})

export const int = leaf<number>(rule.numberOrText, 'a whole number', 0, (node) => {
  if (node.kind === 'text') return numberOf(parseDecimal(node.value))
  if (node.kind === 'float') return Math.trunc(node.value)
  return node.kind === 'int' ? Number(node.value) : undefined
})

export const unsigned = leaf<number>(
  rule.wholeOrText,
  'a whole number of at least 0',
  0,
  (node) => {
    const value = node.kind === 'int' ? Number(node.value) : node.kind === 'float' ? node.value : -1
    return value < 0 ? undefined : Math.trunc(value)
  },
)

/** A 32-bit float. */
export const single = leaf<number>(rule.numberOrText, 'a number', 0, (node) => {
  const value = node.kind === 'text' ? parseFloatText(node.value) : numberIn(node)
  return value === undefined || !Number.isFinite(value) ? undefined : toFloat32(value)
})

/** Bytes, written as text. A fraction of a byte counts as none. */
export const bytes = leaf<string>(
  rule.numberOrText,
  'a size such as 64m',
  '0',
  (node, { release }) => {
    if (node.kind === 'text' && release === 5 && /^-\d+$/.test(node.value)) return node.value
    if (node.kind === 'text') return parseSize(node.value)?.toString()
    return node.kind === 'int' ? node.value.toString() : '0'
  },
)

export const duration = leaf<string>(rule.text, 'a duration such as 1m30s', '0s', (node) => {
  const value = parseDuration(formatValue(node))
  return value === undefined ? undefined : formatDuration(value)
})

export const fileMode = leaf<string>(
  rule.numberOrText,
  'a file mode such as "0440"',
  '',
  (node) => {
    if (node.kind === 'int') return `0${node.value.toString(8)}`
    if (node.kind !== 'text' || !/^[-+]?[0-7]+$/.test(node.value)) return undefined
    return `0${Number.parseInt(node.value, 8).toString(8)}`
  },
)

/** -1 stands for all. */
export const deviceCount = leaf<number>(rule.wholeOrText, '"all" or a number', 0, (node) => {
  if (node.kind === 'text' && node.value.toLowerCase() === 'all') return -1
  if (node.kind === 'text') return numberOf(parseDecimal(node.value))
  return node.kind === 'int' ? Number(node.value) : undefined
})

/** A command: null when none is set, which is not the same as an empty one. */
export const command = leaf<readonly string[] | null>(rule.command, 'a command', null, (node) =>
  node.kind === 'text' ? splitWords(node.value) : textsOf(node),
)

export const healthTest = notEmpty<readonly string[]>(rule.textOrList, 'a command', [], (node) =>
  node.kind === 'text' ? ['CMD-SHELL', node.value] : textsOf(node),
)

export const textOrList = notEmpty<readonly string[]>(
  rule.textOrSet,
  'text or a list',
  [],
  (node) => (node.kind === 'text' ? [node.value] : textsOf(node)),
)

export const mixedList = notEmpty<readonly string[]>(
  rule.setOf(rule.numberOrText),
  'text or a list',
  [],
  (node) => {
    if (node.kind === 'text') return [node.value]
    return node.kind === 'list' ? node.items.map(formatValue) : undefined
  },
)

export const texts = listOf(text)
export const textSet = setOf(text)

/** Labels and their like: a mapping or a list of `key=value`; without a value it is empty. */
export const pairs = notEmpty<Texts>(rule.pairs, 'a mapping or a list of key=value', {}, (node) =>
  pairsOf(node, ''),
)

/** A mapping only, with any scalars. */
export const options = notEmpty<Texts>(rule.driverOptions, 'a mapping', {}, (node) =>
  node.kind === 'map' ? pairsOf(node, '') : undefined,
)

/** As pairs, but a variable without a value stays without one. */
export const environment = notEmpty<Variables>(
  rule.pairs,
  'a mapping or a list of NAME=value without spaces around "="',
  {},
  (node) => {
    const isSpaced = (item: Node) => item.kind === 'text' && /^[^=]*\s(?:=|$)/.test(item.value)
    return node.kind === 'list' && node.items.some(isSpaced)
      ? undefined
      : pairsOf<string | null>(node, null)
  },
)

/** Options that may be given several times. */
export const multiOptions = notEmpty<Readonly<Record<string, readonly string[]>>>(
  rule.multiOptions,
  'a mapping',
  {},
  (node) => {
    if (node.kind !== 'map') return undefined
    const object: Record<string, readonly string[]> = {}
    for (const [key, value] of node.entries) {
      put(object, key, value.kind === 'list' ? value.items.map(formatValue) : [formatValue(value)])
    }
    return object
  },
)

/** `host=address`, sorted. */
export const hosts = notEmpty<readonly string[]>(
  rule.hosts,
  'a mapping or a list of host=address',
  [],
  (node) => {
    const found = hostPairs(node)?.map(([host, address]) => [host, unbracketed(address)] as const)
    if (found === undefined || found.some(([host]) => host === '' || /[:=]/.test(host)))
      return undefined
    return found.map(([host, address]) => `${host}=${address}`).toSorted()
  },
)

const softAndHard = struct({ soft: int, hard: int })

export type Limits = { readonly soft?: number; readonly hard?: number }

/** A number for both limits, or soft and hard. */
export const ulimit: Shape<number | Limits> = {
  ...leaf(rule.ulimit, 'a whole number or soft and hard', {}, limitsOf),
  write: (value) => (typeof value === 'number' ? String(value) : softAndHard.write(value)),
}

function limitsOf(node: Node): number | Limits | undefined {
  if (node.kind === 'int') return node.value === 0n ? {} : Number(node.value)
  if (node.kind !== 'map') return undefined
  const limits: { soft?: number; hard?: number } = {}
  for (const key of ['soft', 'hard'] as const) {
    const limit = node.entries.get(key)
    if (limit === undefined) continue
    if (limit.kind !== 'int') return undefined
    if (limit.value !== 0n) limits[key] = Number(limit.value)
  }
  return limits
}

/** `id`, or `id=path`. */
export const sshKeys = notEmpty<readonly string[]>(rule.pairs, 'a mapping', [], (node) => {
  if (node.kind !== 'map') return undefined
  return [...node.entries].map(([id, path]) =>
    path.kind === 'null' ? id : `${id}=${formatValue(path)}`,
  )
})

function notEmpty<T extends Json & object>(
  may: Rule,
  wanted: string,
  zero: T,
  convert: (node: Node, to: Decoding) => T | undefined,
): Shape<T> {
  return {
    ...leaf(may, wanted, zero, convert),
    isEmpty: (value) => Object.keys(value).length === 0,
  }
}

function numberOf(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function numberIn(node: Node): number | undefined {
  return node.kind === 'int' || node.kind === 'float' ? Number(node.value) : undefined
}

function textsOf(node: Node): string[] | undefined {
  if (node.kind !== 'list') return undefined
  const items = node.items.map((item) => (item.kind === 'text' ? item.value : undefined))
  return items.every((item) => item !== undefined) ? items : undefined
}

function pairsOf<Missing>(
  node: Node,
  missing: Missing,
): Readonly<Record<string, string | Missing>> | undefined {
  const object: Record<string, string | Missing> = {}
  if (node.kind === 'map') {
    for (const [key, value] of node.entries) {
      put(object, key, value.kind === 'null' ? missing : formatValue(value))
    }
    return object
  }
  if (node.kind !== 'list') return undefined
  for (const item of node.items) {
    const [key, value] = cut(formatValue(item), '=')
    put(object, key, value ?? missing)
  }
  return object
}

function hostPairs(node: Node): (readonly [string, string])[] | undefined {
  if (node.kind === 'map') {
    return [...node.entries].flatMap(([host, value]) => {
      const addresses = value.kind === 'list' ? value.items : [value]
      return addresses.map((item) => [host, item.kind === 'null' ? '' : formatValue(item)] as const)
    })
  }
  if (node.kind !== 'list') return undefined
  const result: (readonly [string, string])[] = []
  for (const item of node.items) {
    const line = formatValue(item)
    const [host, addresses] = line.includes('=') ? cut(line, '=') : cut(line, ':')
    if (addresses === undefined) return undefined
    for (const address of addresses.split(',')) result.push([host, address])
  }
  return result
}

function unbracketed(address: string): string {
  return address.length > 2 && address.startsWith('[') && address.endsWith(']')
    ? address.slice(1, -1)
    : address
}

function cut(line: string, separator: string): [string, string | undefined] {
  const at = line.indexOf(separator)
  return at === -1 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)]
}
