/** Decimals of any size, for sums that floats would blur. */
import { GoError } from '../errors.ts'

/** digits × 10^exponent. */
export type Decimal = { readonly digits: bigint; readonly exponent: number }

const divisionPlaces = 16

/** The shortest decimal that reads back as the float. */
export function fromFloat(value: number): Decimal {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
    throw new GoError(`Cannot create a Decimal from ${name}`)
  }
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const places = mantissa.includes('.') ? mantissa.length - mantissa.indexOf('.') - 1 : 0
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(power) - places }
}

export function toNumber({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`)
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent)
  return { digits: scaled(left, exponent) + scaled(right, exponent), exponent }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, exponent: left.exponent + right.exponent }
}

/** Sixteen places, halves away from zero. */
export function divideDecimals(left: Decimal, right: Decimal): Decimal {
  if (right.digits === 0n) throw new GoError('decimal division by 0')
  const shift = left.exponent - right.exponent + divisionPlaces
  const over = left.digits * 10n ** BigInt(Math.max(shift, 0))
  const under = right.digits * 10n ** BigInt(Math.max(-shift, 0))
  const quotient = over / under
  const rest = over % under
  const isUp = magnitude(rest) * 2n >= magnitude(under)
  const sign = over < 0n === under < 0n ? 1n : -1n
  return { digits: isUp ? quotient + sign : quotient, exponent: -divisionPlaces }
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
