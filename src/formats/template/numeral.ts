/** Number literals: one text may be an int, an unsigned int, a float and a complex number at once. */
import { GoError } from './errors.ts'
import { quote, unquoteChar } from './quote.ts'
import { parseFloat64, parseInteger } from './strconv.ts'

export type Numeral = {
  readonly text: string
  readonly int: bigint | undefined
  readonly uint: bigint | undefined
  readonly float: number | undefined
  readonly complex: { readonly real: number; readonly imaginary: number } | undefined
}

export function numeral(text: string, type: 'number' | 'complex' | 'charConstant'): Numeral {
  if (type === 'charConstant') return character(text)
  if (type === 'complex') {
    const split = Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'))
    const exponent = /[eEpP]/.test(text[split - 1] ?? '') && !/^[+-]?0[xX]/.test(text)
    const at = exponent ? splitBefore(text, split) : split
    const real = parseFloat64(text.slice(0, at))
    const imaginary = parseFloat64(text.slice(at, -1))
    if (real === undefined || imaginary === undefined)
      throw new GoError('syntax error scanning complex number')
    return ofComplex(text, real, imaginary)
  }
  if (text.endsWith('i')) {
    const imaginary = parseFloat64(text.slice(0, -1))
    if (imaginary !== undefined) return ofComplex(text, 0, imaginary)
  }
  return real(text)
}

function splitBefore(text: string, end: number): number {
  return Math.max(text.lastIndexOf('+', end - 1), text.lastIndexOf('-', end - 1))
}

function character(text: string): Numeral {
  const { rune, size } = unquoteChar(text, 1, "'")
  if (text.slice(1 + size) !== "'") throw new GoError(`malformed character constant: ${text}`)
  return { text, int: BigInt(rune), uint: BigInt(rune), float: rune, complex: undefined }
}

function real(text: string): Numeral {
  const int = fits(parseInteger(text, 0), -(1n << 63n), (1n << 63n) - 1n)
  const unsigned = /^[+-]/.test(text) ? undefined : parseInteger(text, 0)
  const uint = int === 0n ? 0n : fits(unsigned, 0n, (1n << 64n) - 1n)
  const whole = int ?? uint
  if (whole !== undefined) return { text, int, uint, float: Number(whole), complex: undefined }
  const float = parseFloat64(text)
  if (float === undefined || !Number.isFinite(float))
    throw new GoError(`illegal number syntax: ${quote(text)}`)
  if (!/[.eEpP]/.test(text)) throw new GoError(`integer overflow: ${quote(text)}`)
  return { text, ...wholes(float), float, complex: undefined }
}

function ofComplex(text: string, realPart: number, imaginary: number): Numeral {
  const complex = { real: realPart, imaginary }
  if (imaginary !== 0) return { text, int: undefined, uint: undefined, float: undefined, complex }
  return { text, ...wholes(realPart), float: realPart, complex }
}

/** The integers that a float literal such as 1e3 also stands for. */
function wholes(float: number): { int: bigint | undefined; uint: bigint | undefined } {
  const isWhole = Number.isInteger(float)
  return {
    int: isWhole && float >= -(2 ** 63) && float < 2 ** 63 ? BigInt(float) : undefined,
    uint: isWhole && float >= 0 && float < 2 ** 64 ? BigInt(float) : undefined,
  }
}

function fits(value: bigint | undefined, least: bigint, most: bigint): bigint | undefined {
  return value === undefined || value < least || value > most ? undefined : value
}
