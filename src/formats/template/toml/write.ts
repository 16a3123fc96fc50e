/** Values as TOML text: plain keys first, then tables, each level indented. */
import type { Budget } from '../budget.ts'
import { GoError } from '../errors.ts'
import { formatFloat } from '../fmt/float.ts'
import { versionText } from '../semver/version.ts'
import { durationText } from '../time/duration.ts'
import { formatMoment } from '../time/format.ts'
import { compareBytes, kindOf, type Value } from '../values.ts'

const indent = '  '
const nilElement = 'toml: cannot encode array with nil element'

export function writeToml(value: Value, budget: Budget): string {
  let out = ''

  function newline(): void {
    if (out !== '') out += '\n'
    budget.fits(out.length)
  }
  function encode(path: readonly string[], each: Value): void {
    budget.spend(1)
    budget.nest(path.length)
    if (each === null || isNilMap(each)) return
    const entries = tableOf(each)
    if (entries !== undefined) {
      if (path.length === 1) newline()
      if (path.length > 0) {
        out += `${indent.repeat(path.length - 1)}[${path.map(keyText).join('.')}]`
        newline()
      }
      table(path, entries)
    } else if (typeof each === 'object' && each.kind === 'list' && isTables(each.items)) {
      if (path.length === 0) throw new GoError('toml: top-level values must be Go maps or structs')
      for (const item of each.items) {
        newline()
        out += `${indent.repeat(path.length - 1)}[[${path.map(keyText).join('.')}]]`
        newline()
        table(path, tableOf(item) ?? new Map())
      }
    } else {
      if (kindOf(each) === 'complex128')
        throw new GoError(`unsupported type for key '${path.join('.')}': complex128`)
      const key = path.at(-1)
      if (key === undefined) {
        out += element(each, 0)
        return
      }
      out += `${indent.repeat(path.length - 1)}${keyText(key)} = ${element(each, path.length)}`
      newline()
    }
  }
  function table(path: readonly string[], entries: ReadonlyMap<string, Value>): void {
    for (const [key, held] of ordered(entries)) encode([...path, key], held)
  }
  function element(each: Value, depth: number): string {
    budget.spend(1)
    budget.nest(depth)
    if (each === null) throw new GoError(nilElement)
    if (typeof each === 'string') return quoted(each)
    if (typeof each === 'boolean' || typeof each === 'bigint') return String(each)
    if (typeof each === 'number') return floatText(each)
    switch (each.kind) {
      case 'sized':
        return each.type === 'time.Duration' ? quoted(durationText(each.value)) : String(each.value)
      case 'time':
        return formatMoment(each.moment, '2006-01-02T15:04:05.999999999Z07:00')
      case 'semver':
        return quoted(versionText(each.version))
      case 'complex':
        throw new GoError('unexpected type: complex128')
      case 'list':
        return `[${each.items.map((item) => element(item, depth + 1)).join(', ')}]`
      case 'dict':
        return inline(each.entries, depth)
      case 'struct':
        return inline(each.fields, depth)
    }
  }
  function inline(entries: ReadonlyMap<string, Value>, depth: number): string {
    const pairs = ordered(entries).filter(([, held]) => held !== null && !isNilMap(held))
    return `{${pairs.map(([key, held]) => `${keyText(key)} = ${element(held, depth + 1)}`).join(', ')}}`
  }
  encode([], value)
  return out
}

/** What becomes a table or an array of tables comes after all else. */
function ordered(entries: ReadonlyMap<string, Value>): (readonly [string, Value])[] {
  const sorted = [...entries].sort(([left], [right]) => compareBytes(left, right))
  const isTableLike = ([, held]: readonly [string, Value]) =>
    tableOf(held) !== undefined ||
    (typeof held === 'object' && held?.kind === 'list' && isTables(held.items))
  return [...sorted.filter((entry) => !isTableLike(entry)), ...sorted.filter(isTableLike)]
}

function tableOf(value: Value): ReadonlyMap<string, Value> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return value.kind === 'dict' ? value.entries : value.kind === 'struct' ? value.fields : undefined
}

function isNilMap(value: Value): boolean {
  return typeof value === 'object' && value?.kind === 'dict' && value.isNil
}

function isTables(items: readonly Value[]): boolean {
  if (items.includes(null)) throw new GoError(nilElement)
  return items.length > 0 && items.every((item) => tableOf(item) !== undefined)
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const text = formatFloat(value, 'g', -1)
  return /[e.]/.test(text) ? text : `${text}.0`
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key)
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
])

function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/["\\\0-\x1f\x7f]/g, (char) => {
    return escapes.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}
