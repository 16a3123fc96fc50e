/** Go durations: nanoseconds in 64 bits, their text both ways. */
import { GoError } from '../errors.ts'
import { quoteBytes } from './parse-error.ts'

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\xc2\xb5s', 1_000n],
  ['\xce\xbcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
])
const largest = 1n << 63n

export function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const sign = nanoseconds < 0n ? '-' : ''
  if (size < 1_000n) return `${sign}${size}ns`
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}\xc2\xb5s`
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`
  const minutes = size / 60_000_000_000n
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return sign + seconds
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`
}

function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`)
}

export function parseDuration(text: string): bigint {
  const sign = text[0] === '-' ? -1n : 1n
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '0') return 0n
  const invalid = () => new GoError(`time: invalid duration ${quoteBytes(text)}`)
  if (rest === '') throw invalid()
  let total = 0n
  while (rest !== '') {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest)
    const whole = number?.[1] ?? ''
    const fraction = number?.[2] ?? ''
    if (number === null || whole + fraction === '') throw invalid()
    rest = rest.slice(number[0].length)
    const name = /^[^.0-9]*/.exec(rest)?.[0] ?? ''
    if (name === '') throw new GoError(`time: missing unit in duration ${quoteBytes(text)}`)
    rest = rest.slice(name.length)
    const unit = units.get(name)
    if (unit === undefined) {
      throw new GoError(`time: unknown unit ${quoteBytes(name)} in duration ${quoteBytes(text)}`)
    }
    total += BigInt(whole || '0') * unit
    if (fraction !== '') total += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length)
    if (total > largest) throw invalid()
  }
  if (sign > 0n && total > largest - 1n) throw invalid()
  return sign * total
}

/** Duration.Round: halves away from zero. */
export function roundDuration(nanoseconds: bigint, multiple: bigint): bigint {
  if (multiple <= 0n) return nanoseconds
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const rest = size % multiple
  const rounded = rest * 2n < multiple ? size - rest : size - rest + multiple
  return nanoseconds < 0n ? -rounded : rounded
}
