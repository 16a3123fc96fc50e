/** Values to JSON text, as Go's encoding/json writes it. */
import { bytesText } from '../byte-list.ts'
import type { Budget } from '../budget.ts'
import { decodeRune, runeError, toBuffer } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { formatFloat } from '../fmt/float.ts'
import { formatMoment } from '../time/format.ts'
import { versionText } from '../semver/version.ts'
import { sortedKeys, type Value } from '../values.ts'

export type JsonStyle = {
  /** Spaces a level; undefined for one line. */
  readonly indent?: number
  /** Whether <, > and & are written as escapes. */
  readonly isHtmlSafe: boolean
}

export function writeJson(value: Value, { indent, isHtmlSafe }: JsonStyle, budget: Budget): string {
  function write(each: Value, depth: number): string {
    budget.grow()
    budget.nest(depth)
    if (each === null) return 'null'
    if (typeof each === 'boolean') return String(each)
    if (typeof each === 'string') return quoteJson(each, isHtmlSafe)
    if (typeof each === 'number') return jsonNumber(each)
    if (typeof each === 'bigint') return String(each)
    switch (each.kind) {
      case 'sized':
        return String(each.value)
      case 'complex':
        throw new GoError('json: unsupported type: complex128')
      case 'list': {
        if (each.isNil) return 'null'
        const bytes = bytesText(each)
        if (bytes !== undefined) return `"${toBuffer(bytes).toString('base64')}"`
        return wrapped(
          '[',
          each.items.map((item) => write(item, depth + 1)),
          ']',
          depth,
        )
      }
      case 'dict': {
        if (each.isNil) return 'null'
        const pairs = sortedKeys(each).map((key) => pair(key, each.entries.get(key) ?? null, depth))
        return wrapped('{', pairs, '}', depth)
      }
      case 'struct':
        return wrapped(
          '{',
          [...each.fields].map(([key, held]) => pair(key, held, depth)),
          '}',
          depth,
        )
      case 'time':
        return `"${formatMoment(each.moment, '2006-01-02T15:04:05.999999999Z07:00')}"`
      case 'semver':
        return quoteJson(versionText(each.version), isHtmlSafe)
    }
  }
  function pair(key: string, held: Value, depth: number): string {
    const colon = indent === undefined ? ':' : ': '
    return quoteJson(key, isHtmlSafe) + colon + write(held, depth + 1)
  }
  function wrapped(open: string, parts: readonly string[], close: string, depth: number): string {
    if (indent === undefined || parts.length === 0) return open + parts.join(',') + close
    const outer = `\n${' '.repeat(indent * depth)}`
    const inner = outer + ' '.repeat(indent)
    return `${open}${inner}${parts.join(`,${inner}`)}${outer}${close}`
  }
  return write(value, 0)
}

export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) {
    throw new GoError(`json: unsupported value: ${formatFloat(value, 'g', -1)}`)
  }
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-6 && size < 1e21)) return formatFloat(value, 'f', -1)
  return formatFloat(value, 'e', -1).replace(/e-0(\d)$/, 'e-$1')
}

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [12, '\\f'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
])

function quoteJson(text: string, isHtmlSafe: boolean): string {
  let out = '"'
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    const isUnsafe = isHtmlSafe && (rune === 60 || rune === 62 || rune === 38)
    const isEscaped =
      rune < 32 || rune === 0x2028 || rune === 0x2029 || (rune === runeError && size === 1)
    const short = shortEscapes.get(rune)
    if (short !== undefined) out += short
    else if (isUnsafe || isEscaped) out += `\\u${rune.toString(16).padStart(4, '0')}`
    else out += text.slice(at, at + size)
    at += size
  }
  return `${out}"`
}
