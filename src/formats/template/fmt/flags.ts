/** The flags of one verb, and what they do to a piece of text or to a number. */
import { decodeRune, encodeRune, runeCount, toBuffer } from '../bytes.ts'
import { canBackquote, quote, quoteRune } from '../quote.ts'
import { isPrint } from '../unicode.ts'
import { formatFloat } from './float.ts'

export type Flags = {
  sharp: boolean
  zero: boolean
  plus: boolean
  minus: boolean
  space: boolean
  /** %#v and %+v, where the flag means a form of its own. */
  sharpV: boolean
  plusV: boolean
  width: number | undefined
  precision: number | undefined
}

export function noFlags(): Flags {
  return {
    sharp: false,
    zero: false,
    plus: false,
    minus: false,
    space: false,
    sharpV: false,
    plusV: false,
    width: undefined,
    precision: undefined,
  }
}

export function pad(text: string, flags: Flags): string {
  const missing = (flags.width ?? 0) - runeCount(text)
  if (missing <= 0) return text
  if (flags.minus) return text + ' '.repeat(missing)
  return (flags.zero ? '0' : ' ').repeat(missing) + text
}

function padWithSpaces(text: string, flags: Flags): string {
  return pad(text, { ...flags, zero: false })
}

export function truncated(text: string, flags: Flags): string {
  if (flags.precision === undefined) return text
  let at = 0
  for (let count = 0; count < flags.precision && at < text.length; count++)
    at += decodeRune(text, at).size
  return text.slice(0, at)
}

export function quotedText(text: string, flags: Flags): string {
  const cut = truncated(text, flags)
  if (flags.sharp && canBackquote(cut)) return pad(`\`${cut}\``, flags)
  return pad(quote(cut, '"', flags.plus), flags)
}

export function hexText(text: string, flags: Flags, upper: boolean): string {
  const cut = text.slice(0, flags.precision ?? text.length)
  if (cut === '') return flags.width === undefined ? '' : pad('', flags)
  const prefix = flags.sharp ? '0x' : ''
  const pairs = toBuffer(cut).toString('hex').match(/../g) ?? []
  const plain = flags.space ? pairs.map((pair) => prefix + pair).join(' ') : prefix + pairs.join('')
  return pad(upper ? plain.toUpperCase() : plain, flags)
}

export function integerText(value: bigint, base: number, verb: string, flags: Flags): string {
  const isNegative = value < 0n
  const size = isNegative ? -value : value
  let least = 0
  if (flags.precision !== undefined) {
    least = flags.precision
    if (least === 0 && value === 0n) return ' '.repeat(flags.width ?? 0)
  } else if (flags.zero && !flags.minus && flags.width !== undefined) {
    least = flags.width - (isNegative || flags.plus || flags.space ? 1 : 0)
  }
  let digits = size.toString(base).padStart(least, '0')
  if (flags.sharp && base === 2) digits = `0b${digits}`
  if (flags.sharp && base === 8 && !digits.startsWith('0')) digits = `0${digits}`
  if (flags.sharp && base === 16) digits = `0x${digits}`
  if (verb === 'O') digits = `0o${digits}`
  if (verb === 'X') digits = digits.toUpperCase()
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  return padWithSpaces(sign + digits, flags)
}

export function characterText(value: bigint, flags: Flags): string {
  return pad(encodeRune(runeOf(value)), flags)
}

export function quotedCharacter(value: bigint, flags: Flags): string {
  return pad(quoteRune(runeOf(value), flags.plus), flags)
}

function runeOf(value: bigint): number {
  return value < 0n || value > 0x10ffffn ? 0xfffd : Number(value)
}

export function unicodeText(value: bigint, flags: Flags): string {
  const unsigned = BigInt.asUintN(64, value)
  const digits = unsigned
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 4), '0')
  const shown = flags.sharp && unsigned <= 0x10ffffn && isPrint(Number(unsigned))
  return padWithSpaces(`U+${digits}${shown ? ` '${encodeRune(Number(unsigned))}'` : ''}`, flags)
}

export function floatText(value: number, verb: string, fallback: number, flags: Flags): string {
  const precision = flags.precision ?? fallback
  let text = formatFloat(value, verb, precision)
  if (!/^[+-]/.test(text)) text = `+${text}`
  if (flags.space && text[0] === '+' && !flags.plus) text = ` ${text.slice(1)}`
  if (text[1] === 'I' || text[1] === 'N') {
    if (text[1] === 'N' && !flags.space && !flags.plus) text = text.slice(1)
    return padWithSpaces(text, flags)
  }
  if (flags.sharp && verb !== 'b') text = sharpFloat(text, verb, precision)
  if (!flags.plus && text[0] === '+') return pad(text.slice(1), flags)
  if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > text.length) {
    return text[0] + '0'.repeat(flags.width - text.length) + text.slice(1)
  }
  return pad(text, flags)
}

/** %#g keeps trailing zeros and always shows a point. */
function sharpFloat(text: string, verb: string, precision: number): string {
  const tail = (/x/i.test(verb) ? /[pP].*$/ : /[eEpP].*$/).exec(text)?.[0] ?? ''
  let body = text.slice(0, text.length - tail.length)
  let wanted = /^[vgGx]$/.test(verb) ? (precision === -1 ? 6 : precision) : 0
  const significant = body
    .slice(1)
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/[^0-9a-fA-F]/g, '')
  wanted -= significant.length
  if (!body.includes('.')) {
    if (body.length === 2 && body[1] === '0') wanted--
    body += '.'
  }
  return body + '0'.repeat(Math.max(wanted, 0)) + tail
}
