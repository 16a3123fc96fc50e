/** Floats to text, as Go's strconv.FormatFloat has them: exact digits, ties to even. */

/** precision -1 asks for the shortest text that reads back the same. */
export function formatFloat(value: number, verb: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (verb === 'b') return sign + binary(size)
  if (verb === 'x' || verb === 'X') {
    const text = hexadecimal(size, precision)
    return sign + (verb === 'X' ? text.toUpperCase() : text)
  }
  const shortest = precision < 0
  const lower = verb.toLowerCase()
  const digits = shortest ? shortestDigits(size) : rounded(size, lower, precision)
  return sign + layout(digits, lower, precision, shortest, verb !== lower)
}

/** 0.digits × 10^point; no digits at all for zero. */
type Digits = { readonly digits: string; readonly point: number }

function layout(
  { digits, point }: Digits,
  verb: string,
  precision: number,
  shortest: boolean,
  upper: boolean,
): string {
  const letter = upper ? 'E' : 'e'
  if (verb === 'e') return exponent(digits, point, shortest ? digits.length - 1 : precision, letter)
  if (verb === 'f')
    return fixed(digits, point, shortest ? Math.max(digits.length - point, 0) : precision)
  const wanted = shortest ? digits.length : precision || 1
  let most = wanted
  if (shortest) most = 6
  else if (most > digits.length && digits.length >= point) most = digits.length
  if (point - 1 < -4 || point - 1 >= most) {
    return exponent(digits, point, Math.min(wanted, digits.length) - 1, letter)
  }
  return fixed(digits, point, Math.max(digits.length - point, 0))
}

function exponent(digits: string, point: number, precision: number, letter: string): string {
  const first = digits[0] ?? '0'
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : ''
  const power = digits === '' ? 0 : point - 1
  return `${first}${rest}${letter}${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function fixed(digits: string, point: number, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (precision <= 0) return whole
  const leading = point < 0 ? '0'.repeat(Math.min(-point, precision)) : ''
  const fraction = leading + digits.slice(Math.max(point, 0))
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`
}

function shortestDigits(size: number): Digits {
  if (size === 0) return { digits: '', point: 0 }
  const [mantissa, power] = size.toExponential().split('e')
  const digits = (mantissa ?? '').replace('.', '').replace(/0+$/, '')
  return { digits, point: Number(power) + 1 }
}

/** The exact decimal expansion, cut where the verb asks for it. */
function rounded(size: number, verb: string, precision: number): Digits {
  if (size === 0) return { digits: '', point: 0 }
  const { mantissa, power } = parts(size)
  const exact = String(power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power))
  const point = exact.length + Math.min(power, 0)
  const keep = verb === 'f' ? point + precision : verb === 'e' ? precision + 1 : precision || 1
  return trimmed(roundHalfEven(exact, point, keep))
}

function roundHalfEven(digits: string, point: number, keep: number): Digits {
  if (keep >= digits.length) return { digits, point }
  if (keep < 0) return { digits: '', point: 0 }
  const rest = digits.slice(keep)
  const half = `5${'0'.repeat(rest.length - 1)}`
  const isOdd = keep > 0 && Number(digits[keep - 1]) % 2 === 1
  const up = rest > half || (rest === half && isOdd)
  if (!up) return { digits: digits.slice(0, keep), point }
  const raised = String(BigInt(digits.slice(0, keep) || '0') + 1n).padStart(keep, '0')
  return { digits: raised, point: point + raised.length - keep }
}

function trimmed({ digits, point }: Digits): Digits {
  const short = digits.replace(/0+$/, '')
  return short === '' ? { digits: '', point: 0 } : { digits: short, point }
}

/** value = mantissa × 2^power with an odd-sized whole mantissa of 53 bits. */
function parts(size: number): { mantissa: bigint; power: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const exponentBits = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  if (exponentBits === 0) return { mantissa: fraction, power: -1074 }
  return { mantissa: fraction | (1n << 52n), power: exponentBits - 1075 }
}

function binary(size: number): string {
  const { mantissa, power } = parts(size)
  return `${mantissa}p${power < 0 ? '-' : '+'}${Math.abs(power)}`
}

function hexadecimal(size: number, precision: number): string {
  let { mantissa, power } = parts(size)
  if (size === 0) power = 0
  else {
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n
      power--
    }
    power += 52
  }
  let width = 13
  if (precision >= 0 && precision < 13) {
    const drop = BigInt(4 * (13 - precision))
    const half = 1n << (drop - 1n)
    const rest = mantissa & ((1n << drop) - 1n)
    mantissa >>= drop
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++
    width = precision
    if (mantissa >= 1n << BigInt(4 * width + 1)) {
      mantissa >>= 1n
      power++
    }
  }
  const whole = mantissa >> BigInt(4 * width)
  let fraction = (mantissa & ((1n << BigInt(4 * width)) - 1n)).toString(16).padStart(width, '0')
  if (width === 0) fraction = ''
  fraction = precision < 0 ? fraction.replace(/0+$/, '') : fraction.padEnd(precision, '0')
  const dot = fraction === '' ? '' : `.${fraction}`
  return `0x${whole}${dot}p${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
