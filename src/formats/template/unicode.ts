/** Classes of runes, as Go's unicode package has them. */

export function isLetter(rune: number): boolean {
  return rune < 0x80 ? (rune | 32) >= 97 && (rune | 32) <= 122 : test(/\p{L}/u, rune)
}

export function isDigit(rune: number): boolean {
  return rune < 0x80 ? rune >= 48 && rune <= 57 : test(/\p{Nd}/u, rune)
}

export function isNumber(rune: number): boolean {
  return rune < 0x80 ? isDigit(rune) : test(/\p{N}/u, rune)
}

export function isUpper(rune: number): boolean {
  return rune < 0x80 ? rune >= 65 && rune <= 90 : test(/\p{Lu}/u, rune)
}

export function isLower(rune: number): boolean {
  return rune < 0x80 ? rune >= 97 && rune <= 122 : test(/\p{Ll}/u, rune)
}

export function isTitle(rune: number): boolean {
  return rune >= 0x80 && test(/\p{Lt}/u, rune)
}

export function isSpace(rune: number): boolean {
  if (rune < 0x100)
    return (rune >= 9 && rune <= 13) || rune === 32 || rune === 0x85 || rune === 0xa0
  return test(/\p{White_Space}/u, rune)
}

/** Go's IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(rune: number): boolean {
  if (rune < 0x80) return rune >= 32 && rune < 127
  return rune <= 0x10ffff && test(/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u, rune)
}

/** Go maps one rune to one rune; where JavaScript gives several (ß), the rune stays. */
export function upperRune(rune: number): number {
  return mapped(rune, (text) => text.toUpperCase())
}

export function lowerRune(rune: number): number {
  if (rune === 0x130) return 0x69
  return mapped(rune, (text) => text.toLowerCase())
}

/** Title case differs from upper case only for a few digraphs and for the Georgian letters. */
export function titleRune(rune: number): number {
  if (rune >= 0x1c4 && rune <= 0x1cc) return rune <= 0x1c6 ? 0x1c5 : rune <= 0x1c9 ? 0x1c8 : 0x1cb
  if (rune >= 0x1f1 && rune <= 0x1f3) return 0x1f2
  if ((rune >= 0x10d0 && rune <= 0x10fa) || (rune >= 0x10fd && rune <= 0x10ff)) return rune
  return upperRune(rune)
}

function mapped(rune: number, change: (text: string) => string): number {
  if (rune > 0x10ffff) return rune
  const changed = change(String.fromCodePoint(rune))
  const first = changed.codePointAt(0) ?? rune
  return String.fromCodePoint(first) === changed ? first : rune
}

function test(pattern: RegExp, rune: number): boolean {
  return rune >= 0 && rune <= 0x10ffff && pattern.test(String.fromCodePoint(rune))
}
