/** What an unquoted word in YAML means: the rules of YAML 1.2 with the octals and dates of 1.1, as Compose reads it. */
import { flag, int, nothing, text, type Node } from './node.ts'
import { parseFloatText, parseYamlInt } from './number.ts'
import type { SourceLocation } from './source.ts'
import { isTimestamp } from './timestamp.ts'

const trues = new Set(['true', 'True', 'TRUE'])
const falses = new Set(['false', 'False', 'FALSE'])
const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])
const standardTag = 'tag:yaml.org,2002:'

/** A plain scalar without a tag. `yes`, `no`, `on` and `off` stay text. */
export function plainScalar(value: string, place: SourceLocation): Node {
  if (nulls.has(value)) return nothing(place)
  const first = value.charCodeAt(0)
  const isDigit = first >= 48 && first <= 57
  if (!isDigit && first !== 43 && first !== 45 && first !== 46) {
    if (trues.has(value)) return flag(true, place)
    if (falses.has(value)) return flag(false, place)
    return text(value, place)
  }
  if (isDigit && isTimestamp(value)) return { kind: 'time', value, place }
  return numberOf(value, place) ?? text(value, place)
}

/** A scalar with a tag: `!!str`, `!!int` and their like convert, any other tag makes it text. Undefined: it is not of that type. */
export function taggedScalar(tag: string, value: string, place: SourceLocation): Node | undefined {
  if (!tag.startsWith(standardTag)) return text(value, place)
  const name = tag.slice(standardTag.length)
  if (name === 'binary') return binary(value, place)
  if (!['int', 'float', 'bool', 'null', 'timestamp'].includes(name)) return text(value, place)
  const plain = plainScalar(value, place)
  if (name === 'float' && plain.kind === 'int') {
    return { kind: 'float', value: Number(plain.value), place }
  }
  const kinds = { int: 'int', float: 'float', bool: 'flag', null: 'null', timestamp: 'time' }
  return Object.entries(kinds).some(([key, kind]) => key === name && kind === plain.kind)
    ? plain
    : undefined
}

function numberOf(value: string, place: SourceLocation): Node | undefined {
  if (/^[-+]?\.(inf|Inf|INF)$/.test(value)) {
    return { kind: 'float', value: value.startsWith('-') ? -Infinity : Infinity, place }
  }
  if (/^\.(nan|NaN|NAN)$/.test(value)) return { kind: 'float', value: Number.NaN, place }
  const plain = value.startsWith('.') ? value : value.replaceAll('_', '')
  const whole = parseYamlInt(plain)
  if (whole !== undefined) return int(whole, place)
  if (!/^[-+]?[0-9.]/.test(plain)) return undefined
  const float = parseFloatText(plain)
  return float === undefined ? undefined : { kind: 'float', value: float, place }
}

function binary(value: string, place: SourceLocation): Node | undefined {
  const compact = value.replaceAll(/[\r\n]/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
    return undefined
  return text(Buffer.from(compact, 'base64').toString('utf8'), place)
}
