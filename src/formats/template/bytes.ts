/** Go strings are bytes: inside this library every string is a byte string, one character per byte. */

/** Lone surrogates become U+FFFD, as an encoder of UTF-8 must. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Each byte that is no text becomes one U+FFFD, as in Go. */
export function toText(bytes: string): string {
  if (isAscii(bytes)) return bytes
  const valid = isValidUtf8(bytes) ? bytes : fromRunes(runesOf(bytes))
  return Buffer.from(valid, 'latin1').toString('utf8')
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return false
  }
  return true
}

export const runeError = 0xfffd

type Rune = { readonly rune: number; readonly size: number }

/** Go's DecodeRuneInString: a wrong byte is U+FFFD of width 1, the end is U+FFFD of width 0. */
export function decodeRune(bytes: string, at: number): Rune {
  if (at >= bytes.length) return { rune: runeError, size: 0 }
  const first = bytes.charCodeAt(at)
  if (first < 0x80) return { rune: first, size: 1 }
  const size = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (size === 0 || first > 0xf4 || at + size > bytes.length) return { rune: runeError, size: 1 }
  let rune = first & (size === 2 ? 0x1f : size === 3 ? 0x0f : 0x07)
  for (let index = 1; index < size; index++) {
    const next = bytes.charCodeAt(at + index)
    if ((next & 0xc0) !== 0x80) return { rune: runeError, size: 1 }
    rune = (rune << 6) | (next & 0x3f)
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000
  const wrong = rune < least || rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)
  return wrong ? { rune: runeError, size: 1 } : { rune, size }
}

/** Steps back over one rune: its width before `end`. */
export function lastRuneSize(bytes: string, end: number): number {
  if (end <= 0 || bytes.charCodeAt(end - 1) < 0x80) return Math.min(end, 1)
  let size = 1
  while (size < 4 && size < end && (bytes.charCodeAt(end - size) & 0xc0) === 0x80) size++
  return decodeRune(bytes, end - size).size === size ? size : 1
}

export function encodeRune(rune: number): string {
  if (rune < 0x80 && rune >= 0) return String.fromCharCode(rune)
  const wrong = rune < 0 || rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff)
  return toBytes(String.fromCodePoint(wrong ? runeError : rune))
}

export function runesOf(bytes: string): number[] {
  const runes: number[] = []
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at)
    runes.push(rune)
    at += size
  }
  return runes
}

export function fromRunes(runes: readonly number[]): string {
  return runes.map(encodeRune).join('')
}

export function runeCount(bytes: string): number {
  return isAscii(bytes) ? bytes.length : runesOf(bytes).length
}

export function isValidUtf8(bytes: string): boolean {
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at)
    if (rune === runeError && size === 1) return false
    at += size
  }
  return true
}

export function toBuffer(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}

export function fromBuffer(buffer: Uint8Array): string {
  return Buffer.from(buffer).toString('latin1')
}
