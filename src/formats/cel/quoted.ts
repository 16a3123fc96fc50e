/** Texts and bytes in quotes, with their escapes. */
import type { Literal } from './lex.ts'
import { defined } from '#model/defined.ts'

const simple: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  '?': 63,
  '"': 34,
  "'": 39,
  '`': 96,
}

type Refuse = (reason: string, at: number) => never

export function readQuoted(
  text: string,
  from: number,
  prefix: string,
  quote: string,
  refuse: Refuse,
): { readonly value: Literal; readonly end: number } {
  const isRaw = /r/i.test(prefix)
  const isBytes = /b/i.test(prefix)
  const parts: Buffer[] = []
  let words = ''
  let at = from
  const flush = () => {
    parts.push(Buffer.from(words))
    words = ''
  }
  while (!text.startsWith(quote, at)) {
    const letter = text[at]
    if (letter === undefined || (letter === '\n' && quote.length === 1)) {
      refuse('this text has no closing quote', from - 1)
    }
    if (letter !== '\\' || isRaw) {
      words += letter
      at++
      continue
    }
    const { code, length, isByte } = readEscape(text, at, refuse)
    if (isByte && isBytes) {
      flush()
      parts.push(Buffer.from([code]))
    } else words += String.fromCodePoint(code)
    at += length
  }
  flush()
  const bytes = Buffer.concat(parts)
  const value: Literal = isBytes
    ? { type: 'bytes', value: bytes }
    : { type: 'string', value: bytes.toString() }
  return { value, end: at + quote.length }
}

function readEscape(text: string, at: number, refuse: Refuse) {
  const rest = text.slice(at + 1, at + 10)
  const known = simple[rest[0] ?? '']
  if (known !== undefined) return { code: known, length: 2, isByte: false }
  const byte = /^(?:[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2}))/.exec(rest)
  if (byte !== null) {
    const code = byte[1] === undefined ? parseInt(defined(byte[2]), 8) : parseInt(byte[1], 16)
    return { code, length: byte[0].length + 1, isByte: true }
  }
  const wide = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest)
  const code = parseInt(wide?.[1] ?? wide?.[2] ?? '', 16)
  const isLetter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  if (wide === null || !isLetter) return refuse(`\\${rest[0] ?? ''} is no escape`, at)
  return { code, length: wide[0].length + 1, isByte: false }
}
