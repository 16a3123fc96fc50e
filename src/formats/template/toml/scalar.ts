/** The scalars of TOML: strings, booleans, numbers, dates. */
import { GoError } from '../errors.ts'
import { quote } from '../quote.ts'
import { parseInteger } from '../strconv.ts'
import { parseMoment } from '../time/parse.ts'
import { int64, type Value } from '../values.ts'
import type { Cursor } from './cursor.ts'
import { readString } from './strings.ts'

const dateLayouts = [
  ['2006-01-02T15:04:05.999999999Z07:00', ''],
  ['2006-01-02T15:04:05.999999999', 'datetime-local'],
  ['2006-01-02', 'date-local'],
  ['15:04:05.999999999', 'time-local'],
] as const

export function readScalar(source: Cursor): Value {
  const string = readString(source)
  if (string !== undefined) return string
  if (source.match(/true(?![A-Za-z0-9_])/y) !== undefined) return true
  if (source.match(/false(?![A-Za-z0-9_])/y) !== undefined) return false
  const date = source.match(
    /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?/y,
  )
  if (date !== undefined) return dateOf(source, date[0])
  const word = source.match(/[+-]?(?:inf|nan)\b|[+-]?[0-9A-Za-z_.+-]+/y)?.[0]
  if (word === undefined) {
    const got = source.peek() === undefined ? 'unexpected EOF; expected value' : undefined
    throw source.fail(got ?? `expected value but found ${source.shown()} instead`)
  }
  return numberOf(source, word)
}

const bases: Readonly<Record<string, string>> = {
  '0x': 'a hexadecimal',
  '0o': 'an octal',
  '0b': 'a binary',
}

function numberOf(source: Cursor, word: string): Value {
  if (/^[+-]?inf$/.test(word))
    return word[0] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (/^[+-]?nan$/.test(word)) return Number.NaN
  if (!/^[+-]?[0-9]/.test(word))
    throw source.fail(`expected value but found ${quote(word)} instead`)
  const [, sign, prefix, after = ''] = /^([+-]?)(0[xob])(.?)/.exec(word) ?? []
  if (prefix !== undefined && sign !== '') {
    throw source.fail(`cannot use sign with non-decimal numbers: '${sign}${prefix}'`)
  }
  if (after === '_') throw source.fail(`not ${bases[prefix ?? ''] ?? ''} number: '${prefix}_'`)
  const capital = /^[+-]?0([XOB])/.exec(word)?.[1]
  if (capital !== undefined) {
    source.endPair()
    throw source.fail(
      `expected a top-level item to end with a newline, comment, or EOF, but got '${capital}' instead`,
    )
  }
  const isFloat = /[.eE]/.test(word) && !/^0[xob]/.test(word)
  const kind = isFloat ? 'float' : 'integer'
  if (/__|^[+-]?_|_$|_[.eE]|[.eE]_/.test(word)) {
    throw source.fail(`Invalid ${kind} ${quote(word)}: underscores must be surrounded by digits`)
  }
  const plain = word.replaceAll('_', '')
  if (/^[+-]?0[0-9]/.test(plain)) {
    throw source.fail(`Invalid ${kind} ${quote(word)}: cannot have leading zeroes`)
  }
  if (isFloat) {
    if (/\.(?:$|[eE])/.test(plain)) {
      throw source.fail(`Invalid float ${quote(word)}: '.' must be followed by one or more digits`)
    }
    const read = Number(plain)
    if (Number.isNaN(read)) throw source.fail(`Invalid float value: ${quote(word)}`)
    return read
  }
  const read = parseInteger(plain, 0)
  if (read === undefined)
    throw source.fail(
      `expected a top-level item to end with a newline, comment, or EOF, but got '${word.replace(/^[+-]?[0-9_]+/, '')[0] ?? ''}' instead`,
    )
  if (BigInt.asIntN(64, read) !== read) throw source.fail(`${word} is out of range for int64`)
  return int64(read)
}

function dateOf(source: Cursor, text: string): Value {
  const plain = text.replace(/[t ]/, 'T').replace('z', 'Z')
  const full =
    /:\d\d:/.test(plain) || !plain.includes(':')
      ? plain
      : plain.replace(/(\d\d:\d\d)(?=$|[Z+-])/, '$1:00')
  for (const [layout, name] of dateLayouts) {
    try {
      const moment = parseMoment(layout, full)
      if (name === '') return { kind: 'time', moment }
      return { kind: 'time', moment: { ...moment, zone: { kind: 'fixed', name, offset: 0 } } }
    } catch (error) {
      if (!(error instanceof GoError)) throw error
    }
  }
  throw source.fail(`invalid datetime: ${quote(text)}`)
}
