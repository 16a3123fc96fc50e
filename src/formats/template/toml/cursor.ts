/** A place in TOML text, and what is wrong there. */
import { decodeRune, runeError } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { quote, quoteRune } from '../quote.ts'

export type Cursor = ReturnType<typeof cursor>

export function cursor(text: string) {
  const bad = badLetter(text)
  let at = 0
  /** No letter that may not be there is passed over, whatever it stands in. */
  function pass(length: number): void {
    at += length
    if (bad === undefined || at <= bad.at) return
    at = bad.at
    throw self.fail(bad.message)
  }
  const self = {
    lastKey: '',
    /** The table that stands around a pair. */
    table: '',
    endPair(): void {
      self.lastKey = self.table
    },
    peek: (): string | undefined => text[at],
    rest: (): string => text.slice(at),
    /** Matches here and steps over it. */
    match(pattern: RegExp): RegExpExecArray | undefined {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found === null) return undefined
      pass(found[0].length)
      return found
    },
    take(expected: string): boolean {
      if (!text.startsWith(expected, at)) return false
      pass(expected.length)
      return true
    },
    skipBlanks(): void {
      while (text[at] === ' ' || text[at] === '\t') at++
    },
    skipComment(): void {
      if (text[at] !== '#') return
      while (at < text.length && text[at] !== '\n') pass(1)
    },
    skipLines(): void {
      for (;;) {
        const before = at
        while (/[ \t\r\n]/.test(text[at] ?? '')) pass(1)
        self.skipComment()
        if (at === before) return
      }
    },
    shown: (): string => (at < text.length ? quoteRune(decodeRune(text, at).rune) : "'\\x00'"),
    shownOrEnd: (): string =>
      at < text.length ? quoteRune(decodeRune(text, at).rune) : 'end of file',
    fail(message: string): GoError {
      const line = text.slice(0, at).split('\n').length
      const key = self.lastKey === '' ? '' : ` (last key ${quote(self.lastKey)})`
      return new GoError(`toml: line ${line}${key}: ${message}`)
    },
  }
  return self
}

/** The first letter that no TOML file may have: a control character, a lone carriage return, a byte that is no UTF-8. */
function badLetter(text: string): { readonly at: number; readonly message: string } | undefined {
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    const byte = `0x${text.charCodeAt(at).toString(16).padStart(2, '0')}`
    if (rune === runeError && size === 1) return { at, message: `invalid UTF-8 byte: ${byte}` }
    const isLone = rune === 13 && text[at + 1] !== '\n'
    if (isLone || rune === 127 || (rune < 32 && ![9, 10, 13].includes(rune))) {
      return { at, message: `TOML files cannot contain control characters: '${byte}'` }
    }
    at += size
  }
  return undefined
}
