/** Classes of characters: ranges, \d and its like, [:alpha:], \p{Greek}. */
import { decodeRune } from '../bytes.ts'
import { lowerRune, titleRune, upperRune } from '../unicode.ts'
import { syntaxError, type RuneTest } from './syntax.ts'

export type Scanned<T> = { readonly value: T; readonly rest: string }

/** One character, or any that differs from it in case only. */
export function same(rune: number, folds: boolean): RuneTest {
  return between(rune, rune, folds)
}

export function between(low: number, high: number, folds: boolean): RuneTest {
  const test = (rune: number) => rune >= low && rune <= high
  return folds ? (rune) => variants(rune).some(test) : test
}

function variants(rune: number): number[] {
  const [upper, lower] = [upperRune(rune), lowerRune(rune)]
  return [rune, upper, lower, lowerRune(upper), upperRune(lower), titleRune(rune)]
}

function ascii(pattern: RegExp): RuneTest {
  return (rune) => rune < 0x80 && pattern.test(String.fromCharCode(rune))
}

function not(test: RuneTest): RuneTest {
  return (rune) => !test(rune)
}

const perl: ReadonlyMap<string, RuneTest> = new Map([
  ['d', ascii(/[0-9]/)],
  ['s', ascii(/[\t\n\f\r ]/)],
  ['w', ascii(/[0-9A-Za-z_]/)],
])
const posix: ReadonlyMap<string, RuneTest> = new Map([
  ['alnum', ascii(/[0-9A-Za-z]/)],
  ['alpha', ascii(/[A-Za-z]/)],
  ['ascii', (rune: number) => rune < 0x80],
  ['blank', ascii(/[\t ]/)],
  ['cntrl', (rune: number) => rune < 32 || rune === 127],
  ['digit', ascii(/[0-9]/)],
  ['graph', ascii(/[!-~]/)],
  ['lower', ascii(/[a-z]/)],
  ['print', ascii(/[ -~]/)],
  ['punct', ascii(/[!-/:-@[-`{-~]/)],
  ['space', ascii(/[\t\n\v\f\r ]/)],
  ['upper', ascii(/[A-Z]/)],
  ['word', ascii(/[0-9A-Za-z_]/)],
  ['xdigit', ascii(/[0-9A-Fa-f]/)],
])

/** \d, \D, \p{L}, \PL … at the start of the text; undefined when there is none. */
export function escapedClass(text: string, folds: boolean): Scanned<RuneTest> | undefined {
  if (text[0] !== '\\' || text[1] === undefined) return undefined
  const simple = perl.get(text[1].toLowerCase())
  if (simple !== undefined) {
    return { value: text[1] === text[1].toLowerCase() ? simple : not(simple), rest: text.slice(2) }
  }
  return text[1] === 'p' || text[1] === 'P' ? unicodeClass(text, folds) : undefined
}

function unicodeClass(text: string, folds: boolean): Scanned<RuneTest> {
  let name: string
  let whole: string
  if (text[2] === '{') {
    const close = text.indexOf('}')
    if (close < 0) throw syntaxError('invalid character class range', text)
    whole = text.slice(0, close + 1)
    name = text.slice(3, close)
  } else {
    whole = text.slice(0, 2 + decodeRune(text, 2).size)
    name = whole.slice(2)
  }
  const isNegated = (text[1] === 'P') !== name.startsWith('^')
  const test = unicodeTest(name.replace(/^\^/, ''))
  if (test === undefined) throw syntaxError('invalid character class range', whole)
  const folded: RuneTest = folds ? (rune) => variants(rune).some(test) : test
  return { value: isNegated ? not(folded) : folded, rest: text.slice(whole.length) }
}

function unicodeTest(name: string): RuneTest | undefined {
  if (name === 'Any') return () => true
  if (!/^[A-Za-z_]+$/.test(name)) return undefined
  for (const property of name.length <= 2 ? [`General_Category=${name}`] : [`Script=${name}`]) {
    try {
      const pattern = new RegExp(`\\p{${property}}`, 'u')
      return (rune) => rune <= 0x10ffff && pattern.test(String.fromCodePoint(rune))
    } catch {
      return undefined
    }
  }
  return undefined
}

/** [:alpha:] inside brackets; undefined when the text is no such name at all. */
export function posixClass(text: string): Scanned<RuneTest> | undefined {
  if (!text.startsWith('[:')) return undefined
  const close = text.indexOf(':]', 2)
  if (close < 0) return undefined
  const whole = text.slice(0, close + 2)
  const name = whole.slice(2, -2)
  const test = posix.get(name.replace(/^\^/, ''))
  if (test === undefined) throw syntaxError('invalid character class range', whole)
  return { value: name.startsWith('^') ? not(test) : test, rest: text.slice(whole.length) }
}

/** Everything between brackets, from the opening one on. */
export function bracketClass(text: string, folds: boolean): Scanned<RuneTest> {
  let rest = text.slice(1)
  const isNegated = rest.startsWith('^')
  if (isNegated) rest = rest.slice(1)
  const tests: RuneTest[] = []
  for (let isFirst = true; rest === '' || rest[0] !== ']' || isFirst; isFirst = false) {
    const named = posixClass(rest) ?? escapedClass(rest, folds)
    if (named !== undefined) {
      tests.push(named.value)
      rest = named.rest
      continue
    }
    const start = rest
    const low = classRune(rest, text)
    rest = low.rest
    let high = low.value
    if (rest[0] === '-' && rest.length >= 2 && rest[1] !== ']') {
      const end = classRune(rest.slice(1), text)
      rest = end.rest
      high = end.value
      if (high < low.value) {
        throw syntaxError(
          'invalid character class range',
          start.slice(0, start.length - rest.length),
        )
      }
    }
    tests.push(between(low.value, high, folds))
  }
  const matches: RuneTest = (rune) => tests.some((test) => test(rune))
  return { value: isNegated ? not(matches) : matches, rest: rest.slice(1) }
}

function classRune(text: string, whole: string): Scanned<number> {
  if (text === '') throw syntaxError('missing closing ]', whole)
  if (text[0] === '\\') return escapedRune(text)
  const { rune, size } = decodeRune(text, 0)
  return { value: rune, rest: text.slice(size) }
}

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
])

/** \n, \x{41}, \101, \. and all else that stands for one character. */
export function escapedRune(text: string): Scanned<number> {
  const letter = text[1]
  if (letter === undefined) throw syntaxError('trailing backslash at end of expression', '')
  const control = controls.get(letter)
  if (control !== undefined) return { value: control, rest: text.slice(2) }
  const octal = /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text)?.[0]
  if (octal !== undefined)
    return { value: Number.parseInt(octal.slice(1), 8), rest: text.slice(octal.length) }
  const hex = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(text)
  const value = Number.parseInt(hex?.[1] ?? hex?.[2] ?? 'zz', 16)
  if (hex !== null && value <= 0x10ffff) return { value, rest: text.slice(hex[0].length) }
  const { rune, size } = decodeRune(text, 1)
  const whole = text.slice(0, letter === 'x' ? hexEnd(text) : 1 + size)
  if (rune < 0x80 && !/[0-9A-Za-z]/.test(letter)) return { value: rune, rest: text.slice(2) }
  throw syntaxError('invalid escape sequence', whole)
}

/** Go reports a broken \x with two characters after it, or up to the one it stumbled on in braces. */
function hexEnd(text: string): number {
  const isBraced = text[2] === '{'
  let at = isBraced ? 3 : 2
  if (isBraced) while (/[0-9A-Fa-f]/.test(text[at] ?? '')) at++
  for (let count = isBraced ? 1 : 2; count > 0; count--) at += decodeRune(text, at).size
  return at
}
