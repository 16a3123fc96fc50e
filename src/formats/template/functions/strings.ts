/** Sprig's string functions that work on the text as it is. */
import { bytesText } from '../byte-list.ts'
import { decodeRune, fromRunes, runesOf } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { plain } from '../fmt/print.ts'
import {
  anything,
  int,
  strings,
  takes1,
  takes2,
  takes3,
  takesRest,
  text,
  type Context,
  type Func,
} from '../library.ts'
import { quote } from '../quote.ts'
import { compareBytes, dict, type Dict, type List, type Value } from '../values.ts'
import { isSpace, lowerRune, titleRune, upperRune } from '../unicode.ts'
import { isSeparator } from './words.ts'

export const stringFunctions: Readonly<Record<string, Func>> = {
  hello: { params: [], call: () => 'Hello!' },
  trim: takes1(text, (_, value) => trimRunes(value, isSpace)),
  upper: takes1(text, (_, value) => mapRunes(value, upperRune)),
  lower: takes1(text, (_, value) => mapRunes(value, lowerRune)),
  title: takes1(text, (_, value) => title(value)),
  trunc: takes2(int, text, (_, count, value) => trunc(count, value)),
  substr: takes3(int, int, text, (_, start, end, value) => substr(start, end, value)),
  repeat: takes2(int, text, (context, count, value) => repeat(context, count, value)),
  trimAll: takes2(text, text, (_, cut, value) => trimSet(value, cut)),
  trimall: takes2(text, text, (_, cut, value) => trimSet(value, cut)),
  trimSuffix: takes2(text, text, (_, cut, value) => {
    return cut !== '' && value.endsWith(cut) ? value.slice(0, -cut.length) : value
  }),
  trimPrefix: takes2(text, text, (_, cut, value) =>
    value.startsWith(cut) ? value.slice(cut.length) : value,
  ),
  contains: takes2(text, text, (_, part, value) => value.includes(part)),
  hasPrefix: takes2(text, text, (_, part, value) => value.startsWith(part)),
  hasSuffix: takes2(text, text, (_, part, value) => value.endsWith(part)),
  quote: takesRest(anything, ({ budget }, values) =>
    withoutNil(values)
      .map((value) => quote(plain(value, budget)))
      .join(' '),
  ),
  squote: takesRest(anything, ({ budget }, values) =>
    withoutNil(values)
      .map((value) => `'${plain(value, budget)}'`)
      .join(' '),
  ),
  cat: takesRest(anything, ({ budget }, values) =>
    withoutNil(values)
      .map((value) => plain(value, budget))
      .join(' '),
  ),
  indent: takes2(int, text, (context, spaces, value) => indent(context, spaces, value)),
  nindent: takes2(int, text, (context, spaces, value) => `\n${indent(context, spaces, value)}`),
  replace: takes3(text, text, text, (context, old, fresh, value) =>
    replaceAll(context, old, fresh, value),
  ),
  plural: takes3(text, text, int, (_, one, many, count) => (count === 1 ? one : many)),
  toString: takes1(anything, ({ budget }, value) =>
    value === null ? '<nil>' : (bytesText(value) ?? plain(value, budget)),
  ),
  toStrings: takes1(anything, (context, value) => strings(toStrings(context, value))),
  join: takes2(text, anything, (context, separator, value) =>
    joinTexts(context, toStrings(context, value), separator),
  ),
  sortAlpha: takes1(anything, (context, value) => sortAlpha(context, value)),
  split: takes2(text, text, (_, separator, value) => numbered(split(value, separator, -1))),
  splitn: takes3(text, int, text, (_, separator, count, value) =>
    numbered(split(value, separator, count)),
  ),
  splitList: takes2(text, text, (_, separator, value) => strings(split(value, separator, -1))),
}

function withoutNil(values: readonly Value[]): Value[] {
  return values.filter((value) => value !== null)
}

function mapRunes(value: string, change: (rune: number) => number): string {
  return fromRunes(runesOf(value).map(change))
}

function title(value: string): string {
  let previous = 32
  return mapRunes(value, (rune) => {
    const changed = isSeparator(previous) ? titleRune(rune) : rune
    previous = rune
    return changed
  })
}

function trimRunes(value: string, isCut: (rune: number) => boolean): string {
  let start = 0
  while (start < value.length) {
    const { rune, size } = decodeRune(value, start)
    if (!isCut(rune)) break
    start += size
  }
  let end = start
  for (let at = start; at < value.length;) {
    const { rune, size } = decodeRune(value, at)
    at += size
    if (!isCut(rune)) end = at
  }
  return value.slice(start, end)
}

function trimSet(value: string, cut: string): string {
  const runes = new Set(runesOf(cut))
  return trimRunes(value, (rune) => runes.has(rune))
}

function trunc(count: number, value: string): string {
  if (count < 0 && value.length + count > 0) return value.slice(value.length + count)
  return count >= 0 && value.length > count ? value.slice(0, count) : value
}

function substr(start: number, end: number, value: string): string {
  const { length } = value
  if (start < 0) {
    if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`)
    if (end > length)
      throw new GoError(`runtime error: slice bounds out of range [:${end}] with length ${length}`)
    return value.slice(0, end)
  }
  const stop = end < 0 || end > length ? length : end
  if (start > stop) throw new GoError(`runtime error: slice bounds out of range [${start}:${stop}]`)
  return value.slice(start, stop)
}

function repeat({ budget }: Context, count: number, value: string): string {
  if (count < 0) throw new GoError('strings: negative Repeat count')
  budget.size(value.length * count)
  return value.repeat(value === '' ? 0 : count)
}

function indent(context: Context, spaces: number, value: string): string {
  const pad = repeat(context, spaces, ' ')
  context.budget.size(value.length + value.split('\n').length * pad.length)
  return pad + value.replaceAll('\n', `\n${pad}`)
}

function replaceAll({ budget }: Context, old: string, fresh: string, value: string): string {
  const parts = old === '' ? runesOf(value).map((rune) => fromRunes([rune])) : value.split(old)
  budget.size(value.length + parts.length * fresh.length)
  if (old !== '') return parts.join(fresh)
  return fresh + parts.map((part) => part + fresh).join('')
}

/** Each element as print shows it, without the nil ones; one that is no list alone. */
function toStrings({ budget }: Context, value: Value): string[] {
  if (value === null) return []
  if (!isList(value)) return [plain(value, budget)]
  return value.items.filter((item) => item !== null).map((item) => plain(item, budget))
}

export function isList(value: Value): value is List {
  return typeof value === 'object' && value !== null && value.kind === 'list'
}

function joinTexts({ budget }: Context, parts: readonly string[], separator: string): string {
  budget.size(parts.reduce((sum, part) => sum + part.length + separator.length, 0))
  return parts.join(separator)
}

/** A []string is sorted where it lies: Go's sort is in place, and templates can see that. */
function sortAlpha(context: Context, value: Value): List {
  if (isList(value) && value.type === '[]string') {
    value.items.sort((left, right) =>
      compareBytes(plain(left, context.budget), plain(right, context.budget)),
    )
    return value
  }
  if (value === null) return strings(['<nil>'])
  return strings(toStrings(context, value).sort(compareBytes))
}

export function split(value: string, separator: string, count: number): string[] {
  if (count === 0) return []
  const parts = separator === '' ? explode(value) : value.split(separator)
  if (count < 0 || parts.length <= count) return parts
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]
}

function explode(value: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < value.length;) {
    const { size } = decodeRune(value, at)
    parts.push(value.slice(at, at + size))
    at += size
  }
  return parts
}

function numbered(parts: readonly string[]): Dict {
  return dict(new Map(parts.map((part, index) => [`_${index}`, part])), 'map[string]string')
}
