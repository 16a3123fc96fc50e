/** Plain data to YAML, letter by letter as kustomize prints it: keys in natural order, lists not indented. */
import { fail } from '../error.ts'
import type { Plain, PlainMap } from '../yaml/plain.ts'
import { yamlNumber } from '../yaml/numbers.ts'
import { foldDouble, foldPlain, foldSingle } from './fold.ts'
import { choices, inDoubleQuotes, inSingleQuotes } from './quoting.ts'
import { resolveOld } from '../yaml/scalar.ts'
import { defined } from '#model/defined.ts'

export function printYaml(value: Plain): string {
  const lines: string[] = []
  if (value instanceof Map && value.size > 0) printMap(value, 0, '', lines)
  else if (Array.isArray(value) && value.length > 0) printList(value, 0, '', lines)
  else lines.push(inline(value, 0, ''))
  return `${lines.join('\n')}\n`
}

/** `first` is what already stands on the line of the first key: the dash of a list. */
function printMap(map: PlainMap, indent: number, first: string, lines: string[]): void {
  const margin = ' '.repeat(indent)
  let lead = first === '' ? margin : first
  for (const key of sortedKeys(map)) {
    const written = knownKey(key)
    printValue(defined(map.get(key)), indent, lead, written, lines)
    lead = margin
  }
}

function printValue(
  value: Plain,
  indent: number,
  lead: string,
  key: { readonly text: string; readonly isLong: boolean },
  lines: string[],
): void {
  let start = `${lead}${key.text}:`
  if (key.isLong) {
    lines.push(`${lead}? ${key.text}`)
    start = `${' '.repeat(indent)}:`
  }
  if (value instanceof Map && value.size > 0) {
    if (key.isLong) return printMap(value, indent + 2, `${start} `, lines)
    lines.push(start)
    return printMap(value, indent + 2, '', lines)
  }
  if (Array.isArray(value) && value.length > 0) {
    if (key.isLong) return printList(value, indent + 2, `${start} `, lines)
    lines.push(start)
    return printList(value, indent, '', lines)
  }
  lines.push(inline(value, indent, `${start} `))
}

function printList(list: readonly Plain[], indent: number, first: string, lines: string[]): void {
  const margin = ' '.repeat(indent)
  let lead = first === '' ? margin : first
  for (const item of list) {
    const start = `${lead}- `
    if (item instanceof Map && item.size > 0) printMap(item, indent + 2, start, lines)
    else if (Array.isArray(item) && item.length > 0) printList(item, indent + 2, start, lines)
    else lines.push(inline(item, indent, start))
    lead = margin
  }
}

/** A line: what stands on it so far, and the value. */
function inline(value: Plain, indent: number, start: string): string {
  if (typeof value === 'string') return printText(value, indent, start)
  if (value === null) return `${start}null`
  if (typeof value === 'boolean') return `${start}${value}`
  if (value instanceof Map) return `${start}{}`
  if (Array.isArray(value)) return `${start}[]`
  if (typeof value === 'number' && !Number.isFinite(value)) fail(`${value} can't be written`)
  return `${start}${yamlNumber(value)}`
}

const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/

function isPlainText(text: string): boolean {
  return resolveOld(text)[0] === '!!str' && !sexagesimal.test(text)
}

function printText(text: string, indent: number, start: string): string {
  const open = choices(text, 'old')
  if (text.includes('\n') && open.block) return `${start}${block(text, indent + 2)}`
  if (text.includes('\n') || !isPlainText(text)) return foldDouble(start, text, indent + 2)
  if (open.plain) return foldPlain(start, text, indent + 2)
  return open.single ? foldSingle(start, text, indent + 2) : foldDouble(start, text, indent + 2)
}

function sortedKeys(map: PlainMap): readonly string[] {
  const keys = [...map.keys()]
  if (keys.length < 2) return keys
  // letters alone stand in the order that every text has
  return keys.every((key) => knownKey(key).isSimple) ? keys.toSorted() : keys.toSorted(naturally)
}

type WrittenKey = { readonly text: string; readonly isLong: boolean; readonly isSimple: boolean }

/** The same few keys stand in all objects. */
const writtenKeys = new Map<string, WrittenKey>()

function knownKey(key: string): WrittenKey {
  const known = writtenKeys.get(key)
  if (known !== undefined) return known
  const written = { ...printKey(key), isSimple: simpleKey.test(key) }
  if (writtenKeys.size < 5000 && key.length <= 128) writtenKeys.set(key, written)
  return written
}

/** A key stands on one line; one that is too long for that gets a question mark. */
function printKey(text: string): { readonly text: string; readonly isLong: boolean } {
  const open = choices(text, 'old')
  const isLong = open.multiline || Buffer.byteLength(text) > 128
  if (isLong && text.includes('\n')) {
    return { text: open.block ? block(text, 2) : inDoubleQuotes(text), isLong }
  }
  if (open.multiline || !isPlainText(text)) return { text: inDoubleQuotes(text), isLong }
  if (open.plain && text !== '') return { text, isLong }
  return { text: open.single ? inSingleQuotes(text) : inDoubleQuotes(text), isLong }
}

/** Every stretch between line breaks gets the margin, empty ones get none. */
function block(text: string, indent: number): string {
  const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : ''
  const chomp = !/[\n\u2028\u2029]$/.test(text)
    ? '-'
    : /^.$|[\n\u2028\u2029]{2}$/s.test(text)
      ? '+'
      : ''
  const margin = ' '.repeat(indent)
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `|${hint}${chomp}\n${body.replace(/[^\n\u2028\u2029]+/g, (stretch) => margin + stretch)}`
}

const letter = /^\p{L}$/u
const digit = /^\p{Nd}$/u
const simpleKey = /^[A-Za-z]+$/

/** Digits count as numbers, other signs come before letters. */
function naturally(a: string, b: string): number {
  if (a === b) return 0
  if (simpleKey.test(a) && simpleKey.test(b)) return a < b ? -1 : 1
  const [left, right] = [Array.from(a), Array.from(b)]
  for (let i = 0; i < left.length && i < right.length; i++) {
    if (left[i] === right[i]) continue
    return differing(left, right, i)
  }
  return left.length - right.length
}

function differing(left: readonly string[], right: readonly string[], at: number): number {
  const [one, other] = [defined(left[at]), defined(right[at])]
  const [isLetter, isOther] = [letter.test(one), letter.test(other)]
  if (isLetter && isOther) return defined(one.codePointAt(0)) - defined(other.codePointAt(0))
  if (isLetter || isOther) return isOther ? -1 : 1
  const isAfterNumber = (one === '0' || other === '0') && followsNumber(left, at)
  const [first, firstEnd] = numberAt(left, at, isAfterNumber)
  const [second, secondEnd] = numberAt(right, at, isAfterNumber)
  if (first !== second) return first < second ? -1 : 1
  if (firstEnd !== secondEnd) return firstEnd - secondEnd
  return defined(one.codePointAt(0)) - defined(other.codePointAt(0))
}

function followsNumber(letters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && digit.test(defined(letters[i])); i--)
    if (letters[i] !== '0') return true
  return false
}

function numberAt(
  letters: readonly string[],
  at: number,
  isAfterNumber: boolean,
): readonly [bigint, number] {
  let value = isAfterNumber ? 1n : 0n
  let end = at
  for (; end < letters.length && digit.test(defined(letters[end])); end++) {
    value = BigInt.asIntN(
      64,
      value * 10n + BigInt(defined(defined(letters[end]).codePointAt(0)) - 48),
    )
  }
  return [value, end]
}
