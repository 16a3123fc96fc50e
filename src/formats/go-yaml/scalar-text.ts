/** The text of scalars: plain, in quotes of both kinds, and the blocks that `|` and `>` open. */
import {
  atDocumentMark,
  codeAt,
  column,
  isBlank,
  isBreak,
  isBreakOrEnd,
  isGap,
  skipBlanks,
  skipToBreak,
  takeBreak,
  type Cursor,
} from './cursor.ts'
import { defined } from '#model/defined.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

/**
 * A plain scalar outside of brackets that is one word, as most are: a `:` follows it, or the line ends and the next one goes on
 * with something else. Undefined, and nothing is taken: it may be more than that.
 */
export function takeWord(cursor: Cursor, parentIndent: number): string | undefined {
  const { text } = cursor
  let end = cursor.at
  let code = text.charCodeAt(end)
  while (code > 32 && code < 127) {
    if (code === 58 && isGap(text.charCodeAt(end + 1))) {
      const key = text.slice(cursor.at, end)
      cursor.at = end
      return key
    }
    code = text.charCodeAt(++end)
  }
  if (code !== 10) return undefined
  let next = end + 1
  while (text.charCodeAt(next) === 32) next++
  code = text.charCodeAt(next)
  if (next - end - 1 > parentIndent || code === 9 || isBreak(code)) return undefined
  const word = text.slice(cursor.at, end)
  cursor.lineStart = end + 1
  cursor.at = next
  return word
}

/** A plain scalar, with its following lines as long as they are indented. `endsLine`: a new line begins after it. */
export function takePlain(
  cursor: Cursor,
  parentIndent: number,
  inFlow: boolean,
): { value: string; endsLine: boolean } {
  const { text } = cursor
  const start = cursor.at
  let value = ''
  let gap = ''
  let endsLine = false
  for (;;) {
    if (codeAt(cursor) === 35 || atDocumentMark(cursor)) break
    const from = cursor.at
    while (!endsPlain(cursor, inFlow)) cursor.at++
    if (cursor.at > from) {
      value += gap + text.slice(from, cursor.at)
      endsLine = false
    }
    const code = codeAt(cursor)
    if (!isBlank(code) && !isBreak(code)) break
    const spaces = takeGap(cursor, parentIndent, start)
    gap = spaces.value
    endsLine = spaces.hasBreak
    if (!inFlow && column(cursor) <= parentIndent) break
  }
  return { value, endsLine }
}

function endsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const code = codeAt(cursor)
  if (isGap(code)) return true
  if (code === 58) return isGap(codeAt(cursor, 1))
  return (
    inFlow &&
    (code === 44 || code === 63 || code === 91 || code === 93 || code === 123 || code === 125)
  )
}

function takeGap(
  cursor: Cursor,
  parentIndent: number,
  start: number,
): { value: string; hasBreak: boolean } {
  const from = cursor.at
  skipBlanks(cursor)
  if (!isBreak(codeAt(cursor)))
    return { value: cursor.text.slice(from, cursor.at), hasBreak: false }
  const first = takeBreak(cursor)
  let more = ''
  for (;;) {
    const code = codeAt(cursor)
    if (isBreak(code)) more += takeBreak(cursor)
    else if (isBlank(code)) {
      if (code === 9 && column(cursor) <= parentIndent) {
        throw new YamlSyntaxError(
          start,
          'a tab stands where the text must be indented',
          'indent with spaces',
        )
      }
      cursor.at++
    } else return { value: folded(first, more), hasBreak: true }
  }
}

/** One line break becomes a space, more of them lose the first. */
function folded(first: string, more: string): string {
  if (first !== '\n') return first + more
  return more === '' ? ' ' : more
}

export function takeQuoted(cursor: Cursor, quote: number): string {
  const start = cursor.at++
  let value = ''
  for (;;) {
    if (atDocumentMark(cursor)) throw unclosed(start)
    let isJoined = false
    for (let code = codeAt(cursor); !isGap(code); code = codeAt(cursor)) {
      if (code === quote) {
        if (quote !== 39 || codeAt(cursor, 1) !== 39) break
        value += "'"
        cursor.at += 2
      } else if (quote === 34 && code === 92) {
        if (isBreak(codeAt(cursor, 1))) {
          cursor.at++
          takeBreak(cursor)
          isJoined = true
          break
        }
        value += takeEscape(cursor)
      } else {
        const from = cursor.at
        do cursor.at++
        while (!isGap(codeAt(cursor)) && codeAt(cursor) !== quote && codeAt(cursor) !== 92)
        value += cursor.text.slice(from, cursor.at)
      }
    }
    const code = codeAt(cursor)
    if (code === 0) throw unclosed(start)
    if (code === quote && !isJoined) {
      cursor.at++
      return value
    }
    value += takeQuotedGap(cursor, isJoined)
  }
}

function unclosed(start: number): YamlSyntaxError {
  return new YamlSyntaxError(start, 'the quote that opens here is not closed')
}

/** After an escaped line break the spaces of the next line are dropped. */
function takeQuotedGap(cursor: Cursor, isJoined: boolean): string {
  let spaces = ''
  let first = ''
  let more = ''
  let hasBreak = isJoined
  for (let code = codeAt(cursor); isBlank(code) || isBreak(code); code = codeAt(cursor)) {
    if (isBlank(code)) {
      if (!hasBreak) spaces += cursor.text[cursor.at]
      cursor.at++
    } else if (hasBreak) more += takeBreak(cursor)
    else {
      first = takeBreak(cursor)
      hasBreak = true
    }
  }
  if (!hasBreak) return spaces
  return isJoined ? more : folded(first, more)
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001B',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00A0',
  L: '\u2028',
  P: '\u2029',
}
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

function takeEscape(cursor: Cursor): string {
  const start = cursor.at
  const letter = defined(cursor.text[cursor.at + 1])
  cursor.at += 2
  const plain = escapes[letter]
  if (plain !== undefined) return plain
  const length = codeLengths[letter]
  if (length === undefined) {
    throw new YamlSyntaxError(
      start,
      `"\\${letter}" is not an escape`,
      'double the backslash, or use single quotes',
    )
  }
  const digits = cursor.text.slice(cursor.at, cursor.at + length)
  const code =
    /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1
  if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new YamlSyntaxError(start, `"\\${letter}${digits}" is not a character`)
  }
  cursor.at += length
  return String.fromCodePoint(code)
}

/** The block that `|` or `>` opens. `+` keeps its last line breaks, `-` drops them, a digit fixes its indentation. */
export function takeBlock(cursor: Cursor, parentIndent: number): string {
  const start = cursor.at
  const isFolded = codeAt(cursor) === 62
  cursor.at++
  const ahead = cursor.text.slice(cursor.at, cursor.at + 2)
  const header = /^(?:([-+])([1-9])?|([1-9])([-+])?)?/.exec(ahead) ?? ['']
  cursor.at += header[0].length
  const chomp = header[1] ?? header[4]
  const step = Number(header[2] ?? header[3] ?? 0)
  skipBlanks(cursor)
  if (codeAt(cursor) === 35) skipToBreak(cursor)
  if (!isBreakOrEnd(codeAt(cursor))) {
    throw new YamlSyntaxError(
      cursor.at,
      'only a comment may follow the sign that opens a block of text',
    )
  }
  if (isBreak(codeAt(cursor))) takeBreak(cursor)
  const block = { indent: step === 0 ? 0 : Math.max(parentIndent, 0) + step, parentIndent, start }
  return readBlock(cursor, block, isFolded, chomp)
}

type Block = { indent: number; readonly parentIndent: number; readonly start: number }

function readBlock(
  cursor: Cursor,
  block: Block,
  isFolded: boolean,
  chomp: string | undefined,
): string {
  let value = ''
  let lineBreak = ''
  let wasBlank = false
  let breaks = takeBlockBreaks(cursor, block)
  while (column(cursor) === block.indent && codeAt(cursor) !== 0) {
    const startsBlank = isBlank(codeAt(cursor))
    if (isFolded && lineBreak === '\n' && !wasBlank && !startsBlank)
      value += breaks === '' ? ' ' : ''
    else value += lineBreak
    value += breaks
    wasBlank = startsBlank
    const from = cursor.at
    skipToBreak(cursor)
    value += cursor.text.slice(from, cursor.at)
    lineBreak = isBreak(codeAt(cursor)) ? takeBreak(cursor) : ''
    breaks = takeBlockBreaks(cursor, block)
  }
  if (chomp === '-') return value
  return chomp === '+' ? value + lineBreak + breaks : value + lineBreak
}

/** Empty lines; the first line that is not empty sets the indentation when the header did not. */
function takeBlockBreaks(cursor: Cursor, block: Block): string {
  let breaks = ''
  let widest = 0
  for (;;) {
    const isBefore = () => block.indent === 0 || column(cursor) < block.indent
    while (isBefore() && codeAt(cursor) === 32) cursor.at++
    widest = Math.max(widest, column(cursor))
    if (isBefore() && codeAt(cursor) === 9) {
      throw new YamlSyntaxError(
        cursor.at,
        'a tab stands where the block must be indented',
        'indent with spaces',
      )
    }
    if (!isBreak(codeAt(cursor))) break
    breaks += takeBreak(cursor)
  }
  if (block.indent === 0) block.indent = Math.max(widest, block.parentIndent + 1, 1)
  return breaks
}
