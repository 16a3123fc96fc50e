/** Numbers as the reference implementation reads and writes them, where JavaScript does it differently. */
import { defined } from '#model/defined.ts'

const largestInt = 2n ** 63n - 1n
const smallestInt = -(2n ** 63n)
const largestUnsigned = 2n ** 64n - 1n

/** A decimal integer of 64 bits, with an optional sign and nothing else. */
export function parseDecimal(text: string): bigint | undefined {
  if (text.length > 40 || !/^[-+]?[0-9]+$/.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return value > largestInt || value < smallestInt ? undefined : value
}

/** A YAML integer: decimal, 0x, 0b, 0o or, as YAML 1.1 had it, a leading zero for octal. */
export function parseYamlInt(plain: string): bigint | undefined {
  if (plain.length > 70) return undefined
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(plain)
  if (match === null) return undefined
  const negative = match[1] === '-'
  const digits = defined(match[2])
  const octal = /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase()
  const value = negative ? -BigInt(octal) : BigInt(octal)
  if (value < smallestInt || value > largestUnsigned) return undefined
  return match[1] === '+' && value > largestInt ? undefined : value
}

/** A float in decimal notation, `inf` or `nan`; undefined when it is none or too large. */
export function parseFloatText(text: string): number | undefined {
  if (/^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : undefined
  }
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(text)
  if (special === null) return undefined
  if (defined(special[2]).toLowerCase() === 'nan') return special[1] === '' ? Number.NaN : undefined
  return special[1] === '-' ? -Infinity : Infinity
}

/** The shortest text that reads back as the same float, with an exponent from 1e21 up and below 1e-4. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e21)) return plainDigits(value)
  const [digits, exponent] = value.toExponential().split('e')
  const power = Number(exponent)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** The decimal number nearest to the value as a 32-bit float, so that 0.1 stays 0.1. */
export function toFloat32(value: number): number {
  const single = Math.fround(value)
  if (!Number.isFinite(single)) return single
  for (let precision = 1; precision <= 9; precision++) {
    const short = Number(single.toPrecision(precision))
    if (Math.fround(short) === single) return short
  }
  return single
}

/** JavaScript writes an exponent below 1e-6 only, so these are plain digits already. */
function plainDigits(value: number): string {
  return String(value)
}
