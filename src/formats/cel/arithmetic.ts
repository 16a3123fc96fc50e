/** Sums and the like: only between values of one type, within 64 bits. */
import { fail } from './error.ts'
import { durationOf, timestampOf } from './times.ts'
import { Duration, isListValue, Timestamp, typeOf, Uint, type Value } from './values.ts'

type Operator = '+' | '-' | '*' | '/' | '%'

export function calculate(operator: Operator, one: Value, other: Value): Value {
  if (typeof one === 'bigint' && typeof other === 'bigint') return int(whole(operator, one, other))
  if (one instanceof Uint && other instanceof Uint) {
    return uint(whole(operator, one.value, other.value))
  }
  if (typeof one === 'number' && typeof other === 'number' && operator !== '%') {
    return real(operator, one, other)
  }
  const joined = operator === '+' ? join(one, other) : undefined
  return (
    joined ??
    timed(operator, one, other) ??
    fail(`there is no ${typeOf(one)} ${operator} ${typeOf(other)}`)
  )
}

function whole(operator: Operator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0n ? fail('division by zero') : a / b
    case '%':
      return b === 0n ? fail('modulus by zero') : a % b
  }
}

function real(operator: Exclude<Operator, '%'>, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
  }
}

/** Letters, bytes or items: what is joined again and again doubles each time. */
const longest = 1_000_000

function lengthOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  return isListValue(value) ? value.length : 0
}

function join(one: Value, other: Value): Value | undefined {
  if (lengthOf(one) + lengthOf(other) > longest) return fail('this grows too large')
  if (typeof one === 'string' && typeof other === 'string') return one + other
  if (isListValue(one) && isListValue(other)) return [...one, ...other]
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.concat([one, other])
  return undefined
}

function timed(operator: Operator, one: Value, other: Value): Value | undefined {
  const sign = operator === '+' ? 1n : operator === '-' ? -1n : undefined
  if (sign === undefined) return undefined
  if (one instanceof Duration && other instanceof Duration) {
    return durationOf(one.nanoseconds + sign * other.nanoseconds)
  }
  if (one instanceof Timestamp && other instanceof Duration) {
    return timestampOf(one.nanoseconds + sign * other.nanoseconds)
  }
  if (one instanceof Duration && other instanceof Timestamp && sign === 1n) {
    return timestampOf(one.nanoseconds + other.nanoseconds)
  }
  if (one instanceof Timestamp && other instanceof Timestamp && sign === -1n) {
    return durationOf(one.nanoseconds - other.nanoseconds)
  }
  return undefined
}

export function negative(value: Value): Value {
  if (typeof value === 'bigint') return int(-value)
  if (typeof value === 'number') return -value
  if (value instanceof Duration) return durationOf(-value.nanoseconds)
  return fail(`there is no -${typeOf(value)}`)
}

export function int(value: bigint): bigint {
  return BigInt.asIntN(64, value) === value ? value : fail('integer overflow')
}

export function uint(value: bigint): Uint {
  return BigInt.asUintN(64, value) === value ? new Uint(value) : fail('unsigned integer overflow')
}
