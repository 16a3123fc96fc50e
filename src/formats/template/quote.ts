/** Go's quoting of strings and characters, both ways. */
import { decodeRune, encodeRune, runeError } from './bytes.ts'
import { GoError } from './errors.ts'
import { isPrint } from './unicode.ts'

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
])

export function quote(bytes: string, mark = '"', onlyAscii = false): string {
  // each further quoting of a quoted text doubles it: letters one by one would take seconds
  if (/^[ -~]*$/.test(bytes)) {
    return mark + withBackslashes(bytes, mark) + mark
  }
  let out = mark
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at)
    if (rune === runeError && size === 1) out += `\\x${hex(bytes.charCodeAt(at), 2)}`
    else out += escapeRune(rune, mark, onlyAscii)
    at += size
  }
  return out + mark
}

/** A backslash before each mark and backslash of a text in plain ASCII. */
function withBackslashes(text: string, mark: string): string {
  if (!text.includes(mark) && !text.includes('\\')) return text
  const from = Buffer.from(text, 'latin1')
  const to = Buffer.allocUnsafe(2 * from.length)
  let length = 0
  for (const byte of from) {
    if (byte === 92 || byte === mark.charCodeAt(0)) to[length++] = 92
    to[length++] = byte
  }
  return to.toString('latin1', 0, length)
}

export function quoteRune(rune: number, onlyAscii = false): string {
  const valid = rune >= 0 && rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff)
  return `'${escapeRune(valid ? rune : runeError, "'", onlyAscii)}'`
}

function escapeRune(rune: number, mark: string, onlyAscii: boolean): string {
  if (rune === mark.charCodeAt(0) || rune === 92) return `\\${String.fromCharCode(rune)}`
  if (onlyAscii ? rune < 0x80 && isPrint(rune) : isPrint(rune)) return encodeRune(rune)
  const short = shortEscapes.get(rune)
  if (short !== undefined) return short
  if (rune < 32 || rune === 0x7f) return `\\x${hex(rune, 2)}`
  return rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0')
}

/** Go refuses back quotes around text with control characters, a byte order mark or a back quote. */
export function canBackquote(bytes: string): boolean {
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at)
    at += size
    if (size > 1) {
      if (rune === 0xfeff) return false
      continue
    }
    if (rune === runeError || (rune < 32 && rune !== 9) || rune === 96 || rune === 127) return false
  }
  return true
}

const invalidSyntax = 'invalid syntax'

/** strconv.Unquote for the forms the lexer lets through: "…" and `…`. */
export function unquote(token: string): string {
  const mark = token[0]
  if (token.length < 2 || token.at(-1) !== mark) throw new GoError(invalidSyntax)
  const inner = token.slice(1, -1)
  if (mark === '`') return inner.replaceAll('\r', '')
  let out = ''
  for (let at = 0; at < inner.length;) {
    const { text, size } = unquoteChar(inner, at, '"')
    out += text
    at += size
  }
  return out
}

export type Unquoted = { readonly rune: number; readonly text: string; readonly size: number }

const plainEscapes: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
])

/** One character or escape of a quoted text. */
export function unquoteChar(text: string, at: number, mark: string): Unquoted {
  const first = text[at]
  if (first === undefined || first === mark || first === '\n') throw new GoError(invalidSyntax)
  if (first !== '\\') {
    const { rune, size } = decodeRune(text, at)
    return { rune, text: text.slice(at, at + size), size }
  }
  const letter = text[at + 1]
  if (letter === undefined) throw new GoError(invalidSyntax)
  const plain = plainEscapes.get(letter) ?? (letter === mark ? mark.charCodeAt(0) : undefined)
  if (plain !== undefined) return { rune: plain, text: String.fromCharCode(plain), size: 2 }
  const width = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0
  if (width > 0) {
    const digits = text.slice(at + 2, at + 2 + width)
    if (digits.length !== width || !/^[0-9a-fA-F]+$/.test(digits)) throw new GoError(invalidSyntax)
    const rune = Number.parseInt(digits, 16)
    if (letter === 'x') return { rune, text: String.fromCharCode(rune), size: 4 }
    if (rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)) throw new GoError(invalidSyntax)
    return { rune, text: encodeRune(rune), size: 2 + width }
  }
  const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4))
  const rune = octal === null ? 256 : Number.parseInt(octal[0], 8)
  if (rune > 255) throw new GoError(invalidSyntax)
  return { rune, text: String.fromCharCode(rune), size: 4 }
}
