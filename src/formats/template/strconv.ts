/** Numbers from text, as Go's strconv reads them. */

/** Base 0 takes 0x, 0o, 0b, a leading 0 and underscores; undefined is a syntax error. */
export function parseInteger(text: string, base: number): bigint | undefined {
  if (/^(?:0|[1-9][0-9]*)$/.test(text) && (base === 0 || base === 10)) return BigInt(text)
  const sign = text[0] === '-' ? -1n : 1n
  let digits = /^[+-]/.test(text) ? text.slice(1) : text
  let radix = base
  if (base === 0) {
    radix = 10
    if (digits.includes('_') && !underscoresSeparate(digits)) return undefined
    digits = digits.replaceAll('_', '')
    const prefix = /^0([xXoObB]?)(?=.)/.exec(digits)
    if (prefix !== null) {
      const letter = (prefix[1] ?? '').toLowerCase()
      radix = letter === 'x' ? 16 : letter === 'b' ? 2 : 8
      digits = digits.slice(prefix[0].length)
    }
  }
  if (digits === '') return undefined
  let value = 0n
  for (const char of digits) {
    const digit = /[0-9a-zA-Z]/.test(char) ? Number.parseInt(char, 36) : 99
    if (digit >= radix) return undefined
    value = value * BigInt(radix) + BigInt(digit)
  }
  return sign * value
}

/** Underscores may stand between digits, and after a base prefix. */
function underscoresSeparate(digits: string): boolean {
  return /^(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[0-9](?:_?[0-9])*)$/.test(
    digits,
  )
}

const decimalFloat = /^[+-]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?$/
const hexFloat = /^([+-]?)0[xX]([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?[0-9_]+)$/

/** ParseFloat; a value too large is an infinity, undefined is a syntax error. */
export function parseFloat64(text: string): number | undefined {
  const word = text.toLowerCase().replace(/^[+-]/, '')
  const sign = text[0] === '-' ? -1 : 1
  if (word === 'inf' || word === 'infinity') return sign * Number.POSITIVE_INFINITY
  if (word === 'nan') return Number.NaN
  const isHex = word.startsWith('0x')
  if (text.includes('_') && !floatUnderscores(word, isHex)) return undefined
  const plain = text.replaceAll('_', '')
  if (!isHex) return decimalFloat.test(plain) ? Number(plain) : undefined
  const hex = hexFloat.exec(plain)
  if (hex === null) return undefined
  const whole = hex[2] ?? ''
  const fraction = hex[3] ?? ''
  if (whole + fraction === '') return undefined
  return (
    sign * Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(hex[4]) - 4 * fraction.length)
  )
}

/** An underscore stands between two digits, or after the base prefix. */
function floatUnderscores(word: string, isHex: boolean): boolean {
  const digits = isHex ? word.replace('0x_', '0x') : word
  const isMisplaced = isHex ? /(?<![0-9a-f])_|_(?![0-9a-f])/ : /(?<![0-9])_|_(?![0-9])/
  return !isMisplaced.test(digits) && digits.length > 0
}
