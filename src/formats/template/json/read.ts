/** JSON text to values, with the errors of Go's encoding/json. */
import type { Budget } from '../budget.ts'
import { decodeRune, encodeRune } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { quoteRune } from '../quote.ts'
import { dict, list, type Value } from '../values.ts'

const deepest = 10_000

export function readJson(text: string, budget: Budget): Value {
  let at = 0
  /** Reported last: what is no JSON at all comes first. */
  let tooLarge: string | undefined
  budget.text(text)

  function skipSpaces(): void {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++
  }
  function invalid(context: string): never {
    if (at >= text.length) throw new GoError('unexpected end of JSON input')
    throw new GoError(`invalid character ${shownCharacter(text.charCodeAt(at))} ${context}`)
  }
  /** Inside a word or a number Go takes the end for a space. */
  function broken(context: string): never {
    return at < text.length ? invalid(context) : fail(`invalid character ' ' ${context}`)
  }
  function value(depth: number): Value {
    budget.grow()
    budget.nest(depth)
    if (depth > deepest) throw new GoError('exceeded max depth')
    skipSpaces()
    const char = text[at]
    if (char === '{') return object(depth)
    if (char === '[') return array(depth)
    if (char === '"') return string()
    if (char === 't') return word('true', true)
    if (char === 'f') return word('false', false)
    if (char === 'n') return word('null', null)
    return /[-0-9]/.test(char ?? '') ? number() : invalid('looking for beginning of value')
  }
  function word(name: string, meaning: Value): Value {
    for (const letter of name) {
      if (text[at] !== letter)
        return broken(`in literal ${name} (expecting ${quoteRune(letter.charCodeAt(0))})`)
      at++
    }
    return meaning
  }
  function number(): Value {
    const start = at
    if (text[at] === '-') at++
    if (text[at] === '0') at++
    else if (/[1-9]/.test(text[at] ?? '')) digits()
    else return broken('in numeric literal')
    if (text[at] === '.') {
      at++
      if (!/[0-9]/.test(text[at] ?? '')) return broken('after decimal point in numeric literal')
      digits()
    }
    if (/[eE]/.test(text[at] ?? '')) {
      at++
      if (/[+-]/.test(text[at] ?? '')) at++
      if (!/[0-9]/.test(text[at] ?? '')) return broken('in exponent of numeric literal')
      digits()
    }
    const source = text.slice(start, at)
    const read = Number(source)
    if (Number.isFinite(read)) return read
    tooLarge ??= source
    return 0
  }
  function digits(): void {
    while (/[0-9]/.test(text[at] ?? '')) at++
  }
  function string(): string {
    at++
    let out = ''
    for (;;) {
      const char = text[at]
      if (char === undefined) return invalid('in string literal')
      if (char === '"') {
        at++
        return out
      }
      if (char === '\\') out += escape()
      else if (char < ' ') return invalid('in string literal')
      else {
        const { rune, size } = decodeRune(text, at)
        out += encodeRune(rune)
        at += size
      }
    }
  }
  function escape(): string {
    at++
    const letter = text[at]
    const plain = letter === undefined ? undefined : plainEscapes.get(letter)
    if (plain !== undefined) {
      at++
      return plain
    }
    if (letter !== 'u') return broken('in string escape code')
    const high = codeUnit()
    if (high < 0xd800 || high > 0xdfff) return encodeRune(high)
    if (high < 0xdc00 && text.startsWith('\\u', at)) {
      const before = at
      at++
      const low = codeUnit()
      if (low >= 0xdc00 && low <= 0xdfff)
        return encodeRune(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
      at = before
    }
    return encodeRune(0xfffd)
  }
  function codeUnit(): number {
    at++
    for (let count = 0; count < 4; count++, at++) {
      if (!/[0-9a-fA-F]/.test(text[at] ?? '')) broken('in \\u hexadecimal character escape')
    }
    return Number.parseInt(text.slice(at - 4, at), 16)
  }
  function object(depth: number): Value {
    at++
    const entries = new Map<string, Value>()
    skipSpaces()
    if (text[at] === '}') {
      at++
      return dict(entries)
    }
    for (;;) {
      skipSpaces()
      if (text[at] !== '"') return invalid('looking for beginning of object key string')
      const key = string()
      skipSpaces()
      if (text[at] !== ':') return invalid('after object key')
      at++
      entries.set(key, value(depth + 1))
      skipSpaces()
      if (text[at] === '}') break
      if (text[at] !== ',') return invalid('after object key:value pair')
      at++
    }
    at++
    return dict(entries)
  }
  function array(depth: number): Value {
    at++
    const items: Value[] = []
    skipSpaces()
    if (text[at] === ']') {
      at++
      return list(items)
    }
    for (;;) {
      items.push(value(depth + 1))
      skipSpaces()
      if (text[at] === ']') break
      if (text[at] !== ',') return invalid('after array element')
      at++
    }
    at++
    return list(items)
  }

  const read = value(0)
  skipSpaces()
  if (at < text.length) invalid('after top-level value')
  if (tooLarge === undefined) return read
  return fail(`json: cannot unmarshal number ${tooLarge} into Go value of type float64`)
}

function fail(message: string): never {
  throw new GoError(message)
}

const plainEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

function shownCharacter(code: number): string {
  if (code === 39) return `'\\''`
  return code === 34 ? `'"'` : quoteRune(code)
}

/** What Go says when a document is of another kind than the variable it is for. */
export function kindOfJson(value: Value): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  return typeof value === 'object' && value?.kind === 'list' ? 'array' : 'object'
}
