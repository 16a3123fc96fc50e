/** What a plain scalar means: the rules of go-yaml's versions 2 (YAML 1.1) and 3. */
import { parseFloat64, parseInteger } from '../strconv.ts'
import { parseMoment } from '../time/parse.ts'

export type YamlVersion = 2 | 3 | 4
type Resolved =
  | { readonly tag: 'null' | 'timestamp' | 'string' }
  | { readonly tag: 'bool'; readonly value: boolean }
  | { readonly tag: 'int'; readonly value: bigint }
  | { readonly tag: 'float'; readonly value: number }

const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])
const bools = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])
const oldBools = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])
const specialFloats = new Map([
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
])
const yamlFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/
const timestampLayouts = [
  '2006-1-2T15:4:5.999999999Z07:00',
  '2006-1-2t15:4:5.999999999Z07:00',
  '2006-1-2 15:4:5.999999999',
  '2006-1-2',
]

export function resolvePlain(text: string, version: YamlVersion): Resolved {
  if (nulls.has(text)) return { tag: 'null' }
  const bool = bools.get(text) ?? (version === 2 ? oldBools.get(text) : undefined)
  if (bool !== undefined) return { tag: 'bool', value: bool }
  const special = specialFloats.get(text)
  if (special !== undefined) return { tag: 'float', value: special }
  if (text.startsWith('.')) {
    const float = parseFloat64(text)
    return float === undefined || !Number.isFinite(float)
      ? { tag: 'string' }
      : { tag: 'float', value: float }
  }
  if (!/^[-+0-9]/.test(text)) return { tag: 'string' }
  return isTimestamp(text) ? { tag: 'timestamp' } : resolveNumber(text.replaceAll('_', ''), version)
}

function resolveNumber(plain: string, version: YamlVersion): Resolved {
  const integer = parseInteger(plain, 0)
  if (
    integer !== undefined &&
    integer >= -(1n << 63n) &&
    integer < 1n << 64n &&
    !isTooLarge(plain, integer)
  ) {
    return { tag: 'int', value: integer }
  }
  if (yamlFloat.test(plain)) {
    const float = Number(plain)
    if (Number.isFinite(float)) return { tag: 'float', value: float }
  }
  const octal = version >= 3 ? /^(-?)0o([-+]?[0-7]+)$/.exec(plain) : null
  if (octal !== null) return { tag: 'int', value: parseInteger(`${octal[1]}${octal[2]}`, 8) ?? 0n }
  return { tag: 'string' }
}

/** Above int64 only a number without a sign fits. */
function isTooLarge(plain: string, integer: bigint): boolean {
  return integer >= 1n << 63n && /^[-+]/.test(plain)
}

function isTimestamp(text: string): boolean {
  if (!/^[0-9]{4}-/.test(text)) return false
  return timestampLayouts.some((layout) => {
    try {
      parseMoment(layout, text)
      return true
    } catch {
      // another layout may fit
      return false
    }
  })
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/

/** Whether a string can stand without quotes and still be read as a string. */
/** Text that YAML 1.1 would take for something else, which version 4 puts into single quotes. */
export function isOldNotation(text: string): boolean {
  return base60.test(text) || oldBools.has(text) || text === '<<'
}

export function isPlainString(text: string, version: YamlVersion): boolean {
  const { tag } = resolvePlain(text, version)
  return tag === 'string' && !base60.test(text) && !(version >= 3 && oldBools.has(text))
}
