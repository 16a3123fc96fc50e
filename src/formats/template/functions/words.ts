/** Sprig's functions that know words: cases, wrapping, abbreviating. */
import { encodeRune, fromRunes, runeError, runesOf, toBuffer } from '../bytes.ts'
import { int, takes1, takes2, takes3, text, type Context, type Func } from '../library.ts'
import {
  isDigit,
  isLetter,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  lowerRune,
  titleRune,
  upperRune,
} from '../unicode.ts'
import { separated } from './word-cases.ts'

export const wordFunctions: Readonly<Record<string, Func>> = {
  untitle: takes1(text, (_, value) => untitle(value)),
  initials: takes1(text, (_, value) => initials(value)),
  nospace: takes1(text, (_, value) => nospace(value)),
  swapcase: takes1(text, (_, value) => swapcase(value)),
  snakecase: takes1(text, (_, value) => separated(value, '_')),
  kebabcase: takes1(text, (_, value) => separated(value, '-')),
  camelcase: takes1(text, (_, value) => pascal(value)),
  shuffle: takes1(text, (context, value) => shuffle(context, value)),
  wrap: takes2(int, text, (context, width, value) => wrap(context, value, width, '\n', false)),
  wrapWith: takes3(int, text, text, (context, width, separator, value) => {
    return wrap(context, value, width, separator === '' ? '\n' : separator, true)
  }),
  abbrev: takes2(int, text, (_, width, value) => (width < 4 ? value : abbreviate(value, 0, width))),
  abbrevboth: takes3(int, int, text, (_, left, right, value) => {
    return right < 4 || (left > 0 && right < 7) ? value : abbreviate(value, left, right)
  }),
}

/** Where strings.Title starts a word. */
export function isSeparator(rune: number): boolean {
  if (rune < 0x80) return !(isLetter(rune) || isDigit(rune) || rune === 95)
  return !isLetter(rune) && !isDigit(rune) && isSpace(rune)
}

function untitle(value: string): string {
  let isStart = true
  return fromRunes(
    runesOf(value).map((rune) => {
      if (isSpace(rune)) isStart = true
      else if (isStart) {
        isStart = false
        return lowerRune(rune)
      }
      return rune
    }),
  )
}

/** The library takes each byte for a character, so other than ASCII comes out doubled. */
function initials(value: string): string {
  let wasGap = true
  let out = ''
  for (const char of value) {
    const byte = char.charCodeAt(0)
    if (isSpace(byte)) wasGap = true
    else if (wasGap) {
      out += encodeRune(byte)
      wasGap = false
    }
  }
  return out
}

function nospace(value: string): string {
  const kept = [...toBuffer(value)].filter((byte) => !isSpace(byte))
  return kept.length === value.length ? value : fromRunes(kept)
}

function swapcase(value: string): string {
  let wasSpace = true
  return fromRunes(
    runesOf(value).map((rune) => {
      if (isUpper(rune) || isTitle(rune)) {
        wasSpace = false
        return lowerRune(rune)
      }
      if (isLower(rune)) {
        const changed = wasSpace ? titleRune(rune) : upperRune(rune)
        wasSpace = false
        return changed
      }
      wasSpace = isSpace(rune)
      return rune
    }),
  )
}

function isConnector(rune: number): boolean {
  return rune === 45 || rune === 95 || isSpace(rune)
}

function pascal(value: string): string {
  const runes = runesOf(value)
  const start = runes.findIndex((rune) => !isConnector(rune))
  if (start < 0) return value.length === 0 ? '' : fromRunes([...runes, runes.at(-1) ?? 0])
  const out = runes.slice(0, start)
  let isFirstUpper = isUpper(runes[start] ?? 0)
  let current = upperRune(runes[start] ?? 0)
  for (let rune of runes.slice(start + 1)) {
    const previous = current
    if (isConnector(rune) && isConnector(previous)) out.push(previous)
    else if (isConnector(previous)) {
      isFirstUpper = isUpper(rune)
      rune = upperRune(rune)
    } else {
      if (isFirstUpper && isUpper(rune)) rune = lowerRune(rune)
      else isFirstUpper = false
      out.push(previous)
    }
    current = rune
  }
  return fromRunes([...out, current])
}

function shuffle(context: Context, value: string): string {
  const runes = runesOf(value)
  if (runes.length > 0) context.random()
  for (let last = runes.length - 1; last > 0; last--) {
    const chosen = Number(context.random().below(BigInt(last + 1)))
    const held = runes[last] ?? runeError
    runes[last] = runes[chosen] ?? runeError
    runes[chosen] = held
  }
  return fromRunes(runes)
}

/** Widths are bytes; a word longer than the line is broken only when asked for. */
function wrap(
  { budget }: Context,
  value: string,
  wanted: number,
  newline: string,
  breaksWords: boolean,
): string {
  const width = Math.max(wanted, 1)
  const parts: string[] = []
  let offset = 0
  budget.size(value.length + Math.ceil(value.length / width) * newline.length)
  while (value.length - offset > width) {
    if (value[offset] === ' ') {
      offset++
      continue
    }
    const space = value.lastIndexOf(' ', offset + width)
    if (space >= offset) {
      parts.push(value.slice(offset, space), newline)
      offset = space + 1
    } else if (breaksWords) {
      parts.push(value.slice(offset, offset + width), newline)
      offset += width
    } else {
      const next = value.indexOf(' ', offset + width)
      if (next < 0) {
        parts.push(value.slice(offset))
        offset = value.length
      } else {
        parts.push(value.slice(offset, next), newline)
        offset = next + 1
      }
    }
  }
  return parts.join('') + value.slice(offset)
}

function abbreviate(value: string, from: number, width: number): string {
  const { length } = value
  if (length <= width) return value
  let offset = Math.min(from, length)
  if (length - offset < width - 3) offset = length - (width - 3)
  if (offset <= 4) return `${value.slice(0, width - 3)}...`
  if (width < 7) return ''
  if (offset + width - 3 < length) {
    const rest = value.slice(offset)
    return `...${width - 3 < 4 ? '' : abbreviate(rest, 0, width - 3)}`
  }
  return `...${value.slice(length - (width - 3))}`
}
