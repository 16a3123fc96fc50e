/** snakecase and kebabcase: a text cut into words by the kind of its letters. */
import { decodeRune, encodeRune, runeError } from '../bytes.ts'
import { isLetter, isNumber, isSpace, isUpper, lowerRune } from '../unicode.ts'

type Kind = 'invalid' | 'number' | 'upper' | 'alphabet' | 'connector' | 'punct' | 'other'
type Word = { readonly kind: Kind; readonly text: string; readonly rest: string }

export function separated(value: string, connector: string): string {
  if (value === '') return ''
  let out = ''
  let word = nextWord(value)
  while (word.rest !== '') {
    const previous = word
    if (previous.kind !== 'connector') out += lowered(previous, connector)
    word = nextWord(word.rest)
    if (previous.kind === 'connector') out += lowered(previous, connector)
    else if (previous.kind === 'number') {
      for (; word.kind === 'alphabet' || word.kind === 'number'; word = nextWord(word.rest)) {
        out += lowered(word, connector)
      }
      if (startsWord(word.kind) && word.kind !== 'invalid') out += connector
    } else if (previous.kind !== 'punct') {
      if (word.kind !== 'number') {
        if (startsWord(word.kind)) out += connector
        continue
      }
      if (word.rest === '') continue
      const number = word
      word = nextWord(word.rest)
      if (word.kind !== 'alphabet') {
        out += lowered(number, connector)
        if (startsWord(word.kind)) out += connector
        continue
      }
      out += connector + lowered(number, connector)
      for (; word.kind === 'alphabet' || word.kind === 'number'; word = nextWord(word.rest)) {
        out += lowered(word, connector)
      }
      if (startsWord(word.kind) && word.kind !== 'invalid') out += connector
    }
  }
  return out + lowered(word, connector)
}

function startsWord(kind: Kind): boolean {
  return kind !== 'connector' && kind !== 'punct'
}

function lowered({ kind, text }: Word, connector: string): string {
  if (kind !== 'upper' && kind !== 'connector') return text
  let out = ''
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    out += isConnector(rune) ? connector : encodeRune(isUpper(rune) ? lowerRune(rune) : rune)
    at += size
  }
  return out
}

function nextWord(value: string): Word {
  if (value === '') return { kind: 'invalid', text: '', rest: '' }
  const first = validRune(value, 0, runeError)
  const cut = (kind: Kind, end: number): Word => ({
    kind,
    text: value.slice(0, end),
    rest: value.slice(end),
  })
  const run = (from: number, belongs: (rune: number) => boolean): number => {
    let at = from
    while (at < value.length) {
      const { rune, size } = validRune(value, at, first.rune)
      if (!belongs(rune)) break
      at += size
    }
    return at
  }
  if (first.rune === runeError) return cut('invalid', first.size)
  if (isConnector(first.rune)) return cut('connector', run(first.size, isConnector))
  if (isPunct(first.rune)) return cut('punct', run(first.size, isPunct))
  if (isUpper(first.rune)) return cut('upper', upperEnd(value, first.size, run))
  const isSmall = (rune: number) => isAlphabet(rune) && !isUpper(rune)
  if (isAlphabet(first.rune)) return cut('alphabet', run(first.size, isSmall))
  if (isNumber(first.rune)) return cut('number', run(first.size, isNumber))
  const isOther = (rune: number) =>
    !isConnector(rune) && !isAlphabet(rune) && !isNumber(rune) && !isPunct(rune)
  return cut('other', run(first.size, isOther))
}

/** HTTPServer is HTTP and Server: the last capital belongs to the next word. */
function upperEnd(
  value: string,
  start: number,
  run: (from: number, belongs: (rune: number) => boolean) => number,
): number {
  if (start >= value.length) return start
  const second = validRune(value, start, runeError)
  if (!isUpper(second.rune)) {
    return isAlphabet(second.rune)
      ? run(start + second.size, (rune) => isAlphabet(rune) && !isUpper(rune))
      : start
  }
  const end = run(start, isUpper)
  if (end >= value.length || !isAlphabet(validRune(value, end, runeError).rune)) return end
  let last = end - 1
  while (last > 0 && (value.charCodeAt(last) & 0xc0) === 0x80) last--
  return last
}

/** Skips bytes that are no text. */
function validRune(value: string, at: number, previous: number): { rune: number; size: number } {
  let total = 0
  while (at + total < value.length) {
    const { rune, size } = decodeRune(value, at + total)
    total += size
    if (rune !== runeError) return { rune, size: total }
  }
  return { rune: previous, size: total }
}

function isConnector(rune: number): boolean {
  return rune === 45 || rune === 95 || isSpace(rune)
}

function isPunct(rune: number): boolean {
  return rune <= 0x10ffff && /\p{P}/u.test(String.fromCodePoint(rune))
}

/** Letters, without those of scripts that write no words apart. */
function isAlphabet(rune: number): boolean {
  const isChinese =
    (rune >= 0x4e00 && rune <= 0x9fcc) ||
    (rune >= 0x3400 && rune <= 0x4d85) ||
    (rune >= 0x20000 && rune <= 0x2b81d)
  return isLetter(rune) && !isChinese
}
