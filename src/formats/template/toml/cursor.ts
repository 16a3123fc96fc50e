/** A place in TOML text, and what is wrong there. */
import { decodeRune } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { quote, quoteRune } from '../quote.ts'

export type Cursor = ReturnType<typeof cursor>

export function cursor(text: string) {
  let at = 0
  const self = {
    lastKey: '',
    peek: (): string | undefined => text[at],
    rest: (): string => text.slice(at),
    /** Matches here and steps over it. */
    match(pattern: RegExp): RegExpExecArray | undefined {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found === null) return undefined
      at += found[0].length
      return found
    },
    take(expected: string): boolean {
      if (!text.startsWith(expected, at)) return false
      at += expected.length
      return true
    },
    skipBlanks(): void {
      while (text[at] === ' ' || text[at] === '\t') at++
    },
    skipComment(): void {
      if (text[at] !== '#') return
      while (at < text.length && text[at] !== '\n') at++
    },
    skipLines(): void {
      for (;;) {
        const before = at
        while (/[ \t\r\n]/.test(text[at] ?? '')) at++
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
