/** Equality and arithmetic of JSON values. */

/** Equal values have equal texts, whatever the order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, held]) => `${JSON.stringify(key)}:${canonical(held)}`)
  return `{${entries.join(',')}}`
}

/** In decimals, as they were written: 0.0075 is a multiple of 0.0001. */
export function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false
  const [one, other] = [decimal(value), decimal(of)]
  const exponent = Math.min(one.exponent, other.exponent)
  const scaled = (each: Decimal) => each.digits * 10n ** BigInt(each.exponent - exponent)
  return scaled(one) % scaled(other) === 0n
}

type Decimal = { readonly digits: bigint; readonly exponent: number }

function decimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
