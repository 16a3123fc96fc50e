/** Any value as a number, as spf13/cast does it: what cannot be read is zero. */
import { parseFloat64, parseInteger } from '../strconv.ts'
import { integerOf, type Value } from '../values.ts'

const least = -(1n << 63n)
const most = (1n << 63n) - 1n

/** 64 bits, for both int and int64. */
export function toInt(value: Value): bigint {
  if (value === null) return 0n
  if (typeof value === 'number') return truncated(value)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'string') {
    const read = parseInteger(trimZeroDecimal(value), 0)
    return read === undefined || read < least || read > most ? 0n : read
  }
  if (typeof value === 'object' && value.kind === 'sized' && value.type === 'time.Duration')
    return 0n
  return BigInt.asIntN(64, integerOf(value) ?? 0n)
}

export function toFloat(value: Value): number {
  if (value === null) return 0
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') {
    const read = parseFloat64(value)
    if (read === undefined) return 0
    return !Number.isFinite(read) && !/inf|nan/i.test(value) ? 0 : read
  }
  return Number(integerOf(value) ?? 0n)
}

/** What the processor makes of a float that does not fit: the least integer. */
export function truncated(value: number): bigint {
  if (!(value >= -(2 ** 63) && value < 2 ** 63)) return least
  return BigInt(Math.trunc(value))
}

function trimZeroDecimal(text: string): string {
  return /^(.*)\.0+$/s.exec(text)?.[1] ?? text
}
