/** What a plain scalar means to Go's YAML readers: the newer one reads resources, the older one settings and prints. */
import { defined } from '#model/defined.ts'

export type Scalar = null | boolean | number | bigint | string

const constants = new Map<string, readonly [string, Scalar]>([
  ...named('!!bool', true, ['true', 'True', 'TRUE']),
  ...named('!!bool', false, ['false', 'False', 'FALSE']),
  ...named('!!null', null, ['', '~', 'null', 'Null', 'NULL']),
  ...named('!!float', Number.NaN, ['.nan', '.NaN', '.NAN']),
  ...named('!!float', Infinity, ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']),
  ...named('!!float', -Infinity, ['-.inf', '-.Inf', '-.INF']),
])
const oldBooleans = new Map<string, boolean>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])
const shortInteger = /^-?(?:0|[1-9]\d{0,14})$/
const integer = /^[-+]?(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** Tag and value of a plain scalar, as YAML 1.2 readers of Go see it. */
export function resolve(text: string): readonly [tag: string, value: Scalar] {
  const first = text.charCodeAt(0)
  if (Number.isNaN(first)) return ['!!null', null]
  if (!mayBeSpecial(first)) return ['!!str', text]
  const constant = constants.get(text)
  if (constant !== undefined) return constant
  if (first === 46) return asDecimal(text) ?? ['!!str', text]
  if (first > 57) return ['!!str', text]
  if (shortInteger.test(text)) return ['!!int', Number(text) + 0]
  const time = timestamp(text)
  if (time !== undefined) return ['!!timestamp', time]
  const bare = text.replaceAll('_', '')
  return asInteger(bare) ?? asDecimal(bare) ?? ['!!str', text]
}

/** The tag alone, as most of those who ask want no more. */
export function tagOfPlain(text: string): string {
  return isSurelyText(text) ? '!!str' : resolve(text)[0]
}

/** The tag that the older reader gives it. */
export function oldTagOfPlain(text: string): string {
  return isSurelyText(text) ? '!!str' : resolveOld(text)[0]
}

/** As the older reader sees it: `yes` and `off` are booleans. */
export function resolveOld(text: string): readonly [tag: string, value: Scalar] {
  const old = text.length > 3 ? undefined : oldBooleans.get(text)
  return old === undefined ? resolve(text) : ['!!bool', old]
}

/** Whether the older reader would take this text for something else; a date is text to it. */
export function looksTyped(text: string): boolean {
  if (text === '' || text.includes('\n')) return false
  const tag = oldTagOfPlain(text)
  return (tag !== '!!str' && tag !== '!!timestamp') || /^[[{]|: |:$|^- /.test(text)
}

function named(tag: string, value: Scalar, words: readonly string[]) {
  return words.map((word) => [word, [tag, value] as const] as const)
}

/** Signs, digits, a dot, a tilde, and the letters that booleans and null begin with. */
const special: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '0123456789+-.~yYnNtTfFoO'.includes(String.fromCharCode(code)),
)

function mayBeSpecial(code: number): boolean {
  return code < 128 && special[code] === true
}

/** No reader takes it for anything else, as its first letter shows. */
function isSurelyText(text: string): boolean {
  return text !== '' && !mayBeSpecial(text.charCodeAt(0))
}

function asInteger(text: string): readonly [string, Scalar] | undefined {
  if (!integer.test(text)) return undefined
  const sign = /^[-+]/.exec(text)?.[0] ?? ''
  const digits = text.slice(sign.length)
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase())
  const value = sign === '-' ? -size : size
  if (value < -(2n ** 63n) || value >= 2n ** (sign === '+' ? 63n : 64n)) return undefined
  const near = Number(value)
  return ['!!int', Number.isSafeInteger(near) ? near : value]
}

function asDecimal(text: string): readonly [string, Scalar] | undefined {
  if (!decimal.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? ['!!float', value] : undefined
}

const moment =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:[.,](\d+))?)?$/

/** A date or time, in the one form in which JSON of Go writes it. */
function timestamp(text: string): string | undefined {
  const found = text.length < 8 || text[4] !== '-' ? null : moment.exec(text)
  if (found === null) return undefined
  const [, year, month, day] = found
  const [hour, minute, second] = [4, 5, 6].map((i) => Number(found[i] ?? found[i + 5] ?? 0))
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days
  if (!isDay || defined(hour) > 23 || defined(minute) > 59 || defined(second) > 59) return undefined
  const two = (part: string | number | undefined) => String(part).padStart(2, '0')
  const part = (found[7] ?? found[12] ?? '').slice(0, 9).replace(/0+$/, '')
  const zone = found[8] === undefined || /^[-+]00:00$/.test(found[8]) ? 'Z' : found[8]
  const clock = `${two(hour)}:${two(minute)}:${two(second)}${part === '' ? '' : `.${part}`}`
  return `${year}-${two(month)}-${two(day)}T${clock}${zone}`
}
