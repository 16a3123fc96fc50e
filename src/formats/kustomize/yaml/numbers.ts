/** Numbers as Go writes them. */

/** As in JSON of Go. Not-a-number and infinity have no such form. */
export function jsonNumber(value: number | bigint): string | undefined {
  if (typeof value === 'bigint') return value.toString()
  return Number.isFinite(value) ? String(value) : undefined
}

/** The shortest form that reads back as the same number, with an exponent from 1e+06 upwards and below 1e-04. */
export function shortest(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits, power] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(value)
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`
}

const largest = 2n ** 64n

/** A JSON number as the printed YAML has it: whole ones in full as long as they fit 64 bits. */
export function yamlNumber(value: number | bigint): string {
  const text = String(value)
  if (!/^-?\d+$/.test(text)) return shortest(Number(value))
  const whole = BigInt(text)
  if (whole >= largest || whole < -(2n ** 63n)) return shortest(Number(value))
  return whole.toString()
}
