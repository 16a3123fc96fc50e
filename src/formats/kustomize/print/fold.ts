/** Long texts are broken at spaces once a line has passed eighty columns. */
import { inDoubleQuotes, inSingleQuotes } from './quoting.ts'

const width = 80

/** Most texts fit; only a long one with a space in it is looked at letter by letter. */
function fits(start: string, text: string): boolean {
  return start.length + text.length <= width || !text.includes(' ')
}

export function foldPlain(start: string, text: string, indent: number): string {
  if (fits(start, text)) return start + text
  return fold(start, text, indent, {
    write: (letter) => letter,
    isQuoted: false,
    marksSpaces: false,
  })
}

export function foldSingle(start: string, text: string, indent: number): string {
  const margin = ' '.repeat(indent)
  if (/[\u2028\u2029]/.test(text)) {
    return (
      start + inSingleQuotes(text).replace(/(?<=[\u2028\u2029])[^\u2028\u2029]/g, `${margin}$&`)
    )
  }
  if (fits(start, text)) return start + inSingleQuotes(text)
  const write = (letter: string): string => (letter === "'" ? "''" : letter)
  return `${fold(`${start}'`, text, indent, { write, isQuoted: true, marksSpaces: false })}'`
}

export function foldDouble(start: string, text: string, indent: number): string {
  const quoted = inDoubleQuotes(text)
  if (start.length + quoted.length <= width || !text.includes(' ')) return start + quoted
  const isMarked = text.startsWith('\ufeff')
  const write = (letter: string): string =>
    inDoubleQuotes(isMarked ? `\ufeff${letter}` : letter).slice(isMarked ? 7 : 1, -1)
  return `${fold(`${start}"`, text, indent, { write, isQuoted: true, marksSpaces: true })}"`
}

type FoldOptions = {
  readonly write: (letter: string) => string
  /** Not at the very first or last letter. */
  readonly isQuoted: boolean
  /** A space at the start of a line gets a backslash; else no line may start with one. */
  readonly marksSpaces: boolean
}

function fold(start: string, text: string, indent: number, options: FoldOptions): string {
  const letters = Array.from(text)
  const margin = `\n${' '.repeat(indent)}`
  let out = start
  let column = lettersIn(start)
  let isAfterSpace = false
  for (const [i, letter] of letters.entries()) {
    if (letter !== ' ') {
      const written = options.write(letter)
      out += written
      column += lettersIn(written)
      isAfterSpace = false
      continue
    }
    const isInside = !options.isQuoted || (i > 0 && i < letters.length - 1)
    const isBeforeSpace = letters[i + 1] === ' '
    if (!isAfterSpace && column > width && isInside && (options.marksSpaces || !isBeforeSpace)) {
      out += margin + (isBeforeSpace ? '\\' : '')
      column = indent + (isBeforeSpace ? 1 : 0)
    } else {
      out += ' '
      column++
    }
    isAfterSpace = true
  }
  return out
}

function lettersIn(text: string): number {
  return Array.from(text).length
}
