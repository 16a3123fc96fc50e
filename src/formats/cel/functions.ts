/** What can be called by its name, on a value or in a namespace. */
import { contains, equal } from './compare.ts'
import { conversions, sizeOf } from './conversions.ts'
import { fail } from './error.ts'
import { joined, matches, textFunctions } from './text-functions.ts'
import { partOfDuration, partOfTime } from './times.ts'
import {
  Duration,
  isListValue,
  MapValue,
  Optional,
  Timestamp,
  typeOf,
  type Value,
} from './values.ts'
import { defined } from '#model/defined.ts'

/** `name(args)`. */
export function callNamed(name: string, args: readonly Value[]): Value {
  const [first, second] = args
  const convert = Object.hasOwn(conversions, name) ? conversions[name] : undefined
  if (convert !== undefined && args.length === 1) return convert(defined(first))
  if (
    name === 'matches' &&
    typeof first === 'string' &&
    typeof second === 'string' &&
    args.length === 2
  ) {
    return matches(first, second)
  }
  if (convert === undefined) return fail(`there is no function ${name}`)
  return fail(`${name} does not take ${described(args)}`)
}

function described(args: readonly Value[]): string {
  return args.length === 0 ? 'nothing' : `(${args.map(typeOf).join(', ')})`
}

/** `value.name(args)`. */
export function callOn(value: Value, name: string, args: readonly Value[]): Value {
  if (name === 'size' && args.length === 0) return sizeOf(value)
  const [first = ''] = args
  let result: Value | undefined
  if (typeof value === 'string') {
    result = Object.hasOwn(textFunctions, name)
      ? defined(textFunctions[name])(value, args)
      : undefined
  } else if (value instanceof Timestamp && args.length <= 1 && typeof first === 'string') {
    result = partOfTime(name, value, first === '' ? 'UTC' : first)
  } else if (value instanceof Duration && args.length === 0) result = partOfDuration(name, value)
  else if (value instanceof Optional) result = callOnOptional(value, name, args)
  else if (isListValue(value) && name === 'join' && args.length <= 1 && typeof first === 'string') {
    result = joined(value, first)
  }
  return result ?? fail(`${typeOf(value)} has no function ${name} that takes ${described(args)}`)
}

function callOnOptional(
  { value }: Optional,
  name: string,
  args: readonly Value[],
): Value | undefined {
  if (name === 'hasValue' && args.length === 0) return value !== undefined
  if (name === 'value' && args.length === 0) return value ?? fail('the optional value is not there')
  return undefined
}

function setOf(value: Value | undefined): readonly Value[] {
  return value !== undefined && isListValue(value) ? value : fail('sets are made of lists')
}

const has = (whole: readonly Value[], part: readonly Value[]) =>
  part.every((item) => contains(whole, item))

export const namespaces: Readonly<
  Record<string, Readonly<Record<string, (args: readonly Value[]) => Value>>>
> = {
  sets: {
    contains: ([whole, part]) => has(setOf(whole), setOf(part)),
    equivalent: ([a, b]) => has(setOf(a), setOf(b)) && has(setOf(b), setOf(a)),
    intersects: ([a, b]) => setOf(a).some((item) => contains(setOf(b), item)),
  },
  base64: {
    encode: ([bytes]) =>
      bytes instanceof Uint8Array
        ? Buffer.from(bytes).toString('base64')
        : fail('only bytes are encoded'),
    decode: ([text]) => {
      if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
        return fail('this is no base64')
      return Buffer.from(text, 'base64')
    },
  },
  optional: {
    of: ([value]) => new Optional(value),
    none: () => new Optional(),
    ofNonZeroValue: ([value]) =>
      value === undefined || isZero(value) ? new Optional() : new Optional(value),
  },
  strings: {
    quote: ([text]) => (typeof text === 'string' ? quoted(text) : fail('only texts are quoted')),
  },
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': 'a',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\\': '\\',
  '"': '"',
}

function quoted(text: string): string {
  const inside = text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are the letters that have escapes
    /[\u0007\b\f\n\r\t\v\\"]/g,
    (letter) => `\\${escapes[letter]}`,
  )
  return `"${inside}"`
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0) return true
  if (isListValue(value) || value instanceof Uint8Array) return value.length === 0
  if (value instanceof MapValue) return value.size === 0
  if (value instanceof Timestamp || value instanceof Duration) return value.nanoseconds === 0n
  return equal(value, 0n)
}
