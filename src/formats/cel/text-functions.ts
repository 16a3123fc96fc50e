/** Functions of texts: `'a,b'.split(',')`. Places count letters, not bytes. */
import { PatternError } from '../regexp/error.ts'
import { goRegExp } from '../regexp/go-regexp.ts'
import { fail } from './error.ts'
import { format } from './format.ts'
import { isListValue, type Value } from './values.ts'

type TextFunction = (text: string, args: readonly Value[]) => Value | undefined

/** Undefined: there is none for such arguments. */
export const textFunctions: Readonly<Record<string, TextFunction>> = {
  contains: (text, [part, ...rest]) => with1(part, rest, (found) => text.includes(found)),
  startsWith: (text, [part, ...rest]) => with1(part, rest, (found) => text.startsWith(found)),
  endsWith: (text, [part, ...rest]) => with1(part, rest, (found) => text.endsWith(found)),
  matches: (text, [part, ...rest]) => with1(part, rest, (pattern) => matches(text, pattern)),
  lowerAscii: (text, args) =>
    none(args, () => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())),
  upperAscii: (text, args) =>
    none(args, () => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())),
  trim: (text, args) => none(args, () => trimmed(text)),
  reverse: (text, args) => none(args, () => Array.from(text).toReversed().join('')),
  charAt: (text, [at, ...rest]) => {
    if (typeof at !== 'bigint' || rest.length > 0) return undefined
    const letters = Array.from(text)
    if (at < 0n || at > letters.length) fail(`there is no letter ${at}`)
    return letters[Number(at)] ?? ''
  },
  indexOf: (text, args) => indexIn(text, args, true),
  lastIndexOf: (text, args) => indexIn(text, args, false),
  replace,
  split,
  substring: (text, [from, to, ...rest]) => {
    if (typeof from !== 'bigint' || rest.length > 0) return undefined
    const letters = Array.from(text)
    const end = to ?? BigInt(letters.length)
    if (typeof end !== 'bigint') return undefined
    if (from < 0n || end < from || end > letters.length)
      fail(`there are no letters ${from} to ${end}`)
    return letters.slice(Number(from), Number(end)).join('')
  },
  format: (text, [items, ...rest]) =>
    items !== undefined && isListValue(items) && rest.length === 0
      ? format(text, items)
      : undefined,
}

/** White space as Unicode has it; JavaScript counts a zero-width mark to it. */
function trimmed(text: string): string {
  const isSpace = (at: number) => text[at] !== '\uFEFF' && /[\s\u0085]/.test(text[at] ?? 'x')
  let [start, end] = [0, text.length]
  while (start < end && isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return text.slice(start, end)
}

function with1(
  part: Value | undefined,
  rest: readonly Value[],
  work: (part: string) => Value,
): Value | undefined {
  return typeof part === 'string' && rest.length === 0 ? work(part) : undefined
}

function none(args: readonly Value[], work: () => Value): Value | undefined {
  return args.length === 0 ? work() : undefined
}

export function matches(text: string, pattern: string): boolean {
  try {
    return goRegExp(pattern).test(text)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return fail(`the pattern ${JSON.stringify(pattern)} can't be read`)
  }
}

function indexIn(
  text: string,
  [part, from, ...rest]: readonly Value[],
  isFirst: boolean,
): Value | undefined {
  if (typeof part !== 'string' || rest.length > 0) return undefined
  if (from !== undefined && typeof from !== 'bigint') return undefined
  const [letters, wanted] = [Array.from(text), Array.from(part)]
  if (from !== undefined && (from < 0n || from > letters.length)) fail(`there is no letter ${from}`)
  if (wanted.length === 0) return from ?? (isFirst ? 0n : BigInt(letters.length))
  const fits = (at: number) => wanted.every((letter, i) => letters[at + i] === letter)
  const last = letters.length - wanted.length
  const places = Array.from({ length: Math.max(last + 1, 0) }, (_, i) => i)
  const found = isFirst
    ? places.find((at) => at >= Number(from ?? 0n) && fits(at))
    : places.findLast((at) => at <= Number(from ?? BigInt(letters.length)) && fits(at))
  return BigInt(found ?? -1)
}

function replace(text: string, [old, now, limit, ...rest]: readonly Value[]): Value | undefined {
  if (typeof old !== 'string' || typeof now !== 'string' || rest.length > 0) return undefined
  if (limit === undefined || (typeof limit === 'bigint' && limit < 0n))
    return text.replaceAll(old, () => now)
  if (typeof limit !== 'bigint') return undefined
  let left = limit
  return text.replaceAll(old, (found) => (left-- > 0n ? now : found))
}

function split(text: string, [sign, limit, ...rest]: readonly Value[]): Value | undefined {
  if (typeof sign !== 'string' || rest.length > 0) return undefined
  const parts = sign === '' ? Array.from(text) : text.split(sign)
  if (limit === undefined) return parts
  if (typeof limit !== 'bigint') return undefined
  if (limit === 0n) return []
  if (limit < 0n || limit >= parts.length) return parts
  const first = parts.slice(0, Number(limit) - 1)
  return [...first, parts.slice(Number(limit) - 1).join(sign)]
}

export function joined(items: readonly Value[], sign: string): string {
  return items
    .map((item) => (typeof item === 'string' ? item : fail('only texts can be joined')))
    .join(sign)
}
