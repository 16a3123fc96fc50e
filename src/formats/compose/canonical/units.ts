/** Sizes (`64m`) and durations (`1m30s`): read with every unit, written in one form. */
import { parseFloatText } from '../yaml/number.ts'
import { defined } from '#model/defined.ts'

const sizeUnits: Readonly<Record<string, number>> = {
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  p: 2 ** 50,
}

/** A number of bytes; undefined when it is no size. Units are powers of 1024, in any case, with an optional `b` or `ib`. */
export function parseSize(text: string): bigint | undefined {
  const match = /^(.*[0-9. ])([^0-9. ]*)$/s.exec(text)
  if (match === null) return undefined
  const amount = defined(match[1])
  const size = parseFloatText(amount.endsWith(' ') ? amount.slice(0, -1) : amount)
  if (size === undefined || Number.isNaN(size) || size < 0 || !Number.isFinite(size))
    return undefined
  const suffix = defined(match[2]).toLowerCase()
  if (suffix === '' || suffix === 'b') return wholeBytes(size)
  const unit = sizeUnits[defined(suffix[0])]
  if (unit === undefined || !['', 'b', 'ib'].includes(suffix.slice(1))) return undefined
  return wholeBytes(size * unit)
}

/** What is beyond 64 bits wraps to the smallest number, as in the reference. */
function wholeBytes(size: number): bigint {
  return size >= 2 ** 63 ? -(2n ** 63n) : BigInt(Math.trunc(size))
}

const timeUnits: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
}
const longest = 2n ** 63n - 1n

/** Nanoseconds; undefined when it is no duration. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([-+]?)(.*)$/s.exec(text)
  const body = match?.[2] ?? ''
  if (body === '0') return 0n
  if (!/^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[^0-9.]+)+$/s.test(body)) return undefined
  let total = 0n
  for (const [, whole, fraction, name] of body.matchAll(/([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/gs)) {
    const unit = Object.hasOwn(timeUnits, defined(name)) ? timeUnits[defined(name)] : undefined
    if (unit === undefined || defined(whole).length > 40) return undefined
    const part = (fraction ?? '').slice(0, 18)
    const rest = Number(part) * (Number(unit) / 10 ** part.length)
    total += BigInt(whole === '' ? '0' : defined(whole)) * unit + BigInt(Math.trunc(rest))
    if (total > longest) return undefined
  }
  return match?.[1] === '-' ? -total : total
}

/** `1h0m5s`, `1.5s`, `500µs`: hours are the largest unit, and zero is `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  const sign = nanoseconds < 0n ? '-' : ''
  const total = nanoseconds < 0n ? -nanoseconds : nanoseconds
  if (total < 1_000n) return `${sign}${total}ns`
  if (total < 1_000_000n) return `${sign}${decimal(total, 3)}µs`
  if (total < 1_000_000_000n) return `${sign}${decimal(total, 6)}ms`
  const minutes = total / 60_000_000_000n
  const seconds = `${decimal(total % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return sign + seconds
  const hours = minutes / 60n
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`
}

/** The value divided by a power of ten, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  const whole = digits.slice(0, -places)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
