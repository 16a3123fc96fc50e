/** Which values are equal and which come first. Numbers of different types are compared by what they count. */
import { fail } from './error.ts'
import {
  Duration,
  isListValue,
  MapValue,
  Optional,
  Timestamp,
  typeOf,
  TypeName,
  Uint,
  type Value,
} from './values.ts'
import { defined } from '#model/defined.ts'

/** Values of different types are not equal; asking is no mistake. */
export function equal(one: Value, other: Value): boolean {
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a !== undefined || b !== undefined) {
    return a !== undefined && b !== undefined && order(a, b) === 0
  }
  if (isListValue(one)) {
    return (
      isListValue(other) &&
      one.length === other.length &&
      one.every((item, i) => equal(item, defined(other[i])))
    )
  }
  if (one instanceof MapValue) {
    if (!(other instanceof MapValue) || one.size !== other.size) return false
    return one.entries().every(([key, value]) => {
      const found = other.get(key)
      return found !== undefined && equal(value, found)
    })
  }
  if (one instanceof Uint8Array) {
    return other instanceof Uint8Array && Buffer.compare(one, other) === 0
  }
  if (one instanceof Timestamp)
    return other instanceof Timestamp && one.nanoseconds === other.nanoseconds
  if (one instanceof Duration)
    return other instanceof Duration && one.nanoseconds === other.nanoseconds
  if (one instanceof TypeName) return other instanceof TypeName && one.name === other.name
  if (one instanceof Optional) {
    if (!(other instanceof Optional)) return false
    if (one.value === undefined || other.value === undefined) return one.value === other.value
    return equal(one.value, other.value)
  }
  return one === other
}

function numberOf(value: Value): bigint | number | undefined {
  if (value instanceof Uint) return value.value
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined
}

/** Below, at or above zero; undefined when neither comes first (NaN). */
export function compare(one: Value, other: Value): number | undefined {
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a !== undefined && b !== undefined) return order(a, b)
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  }
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other)
  if (typeof one === 'boolean' && typeof other === 'boolean')
    return order(Number(one), Number(other))
  const isTime = one instanceof Timestamp && other instanceof Timestamp
  const isSpan = one instanceof Duration && other instanceof Duration
  if (isTime || isSpan) return order(one.nanoseconds, other.nanoseconds)
  return fail(`${typeOf(one)} and ${typeOf(other)} have no order`)
}

/** A whole number beside a fraction counts as the nearest fraction: 2^63 - 1 is no less than 2.0^63. */
function order(one: bigint | number, other: bigint | number): number | undefined {
  const isAlike = typeof one === typeof other
  const [a, b] = isAlike ? [one, other] : [Number(one), Number(other)]
  if (a < b) return -1
  if (a > b) return 1
  return a === b ? 0 : undefined
}

export function contains(whole: Value, part: Value): boolean {
  if (isListValue(whole)) return whole.some((item) => equal(item, part))
  if (whole instanceof MapValue) return whole.has(part)
  return fail(`nothing can be in ${typeOf(whole)}`)
}
