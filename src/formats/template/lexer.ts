/** Cuts template text into items, with Go's rules for delimiters, trimming and lines. */
import { decodeRune, lastRuneSize } from './bytes.ts'
import { quote } from './quote.ts'
import { isDigit, isPrint } from './unicode.ts'
import { isAlphaNumeric, unicodeName, type Item, type ItemType } from './item.ts'

const keywords = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
])
/** . , | : ) ( */
const terminators = new Set([46, 44, 124, 58, 41, 40])
const end = -1

export type Lexer = { next(): Item }

export function lexer(source: string): Lexer {
  let input = source
  let pos = 0
  let start = 0
  let line = 1
  let startLine = 1
  let atEnd = false
  let inside = false
  let parens = 0

  function take(): number {
    if (pos >= input.length) {
      atEnd = true
      return end
    }
    const code = input.charCodeAt(pos)
    if (code >= 0x80) {
      const { rune, size } = decodeRune(input, pos)
      pos += size
      return rune
    }
    pos++
    if (code === 10) line++
    return code
  }
  function back(): void {
    if (atEnd || pos === 0) return
    pos -= lastRuneSize(input, pos)
    if (input.charCodeAt(pos) === 10) line--
  }
  function peek(): number {
    const rune = take()
    back()
    return rune
  }
  function item(type: ItemType): Item {
    const made = { type, pos: start, value: input.slice(start, pos), line: startLine }
    start = pos
    startLine = line
    return made
  }
  function ignore(): void {
    line += newlines(start, pos)
    start = pos
    startLine = line
  }
  function newlines(from: number, to: number): number {
    let count = 0
    for (let at = input.indexOf('\n', from); at >= 0 && at < to; at = input.indexOf('\n', at + 1))
      count++
    return count
  }
  function fail(message: string): Item {
    const made: Item = { type: 'error', pos: start, value: message, line: startLine }
    input = ''
    pos = 0
    start = 0
    return made
  }
  function accept(valid: string): boolean {
    const rune = take()
    if (rune !== end && rune < 0x80 && valid.includes(String.fromCharCode(rune))) return true
    back()
    return false
  }
  function acceptRun(valid: string): void {
    while (accept(valid)) continue
  }
  function isLeftTrim(at: number): boolean {
    return input[at] === '-' && isSpaceAt(at + 1)
  }
  function isRightTrim(at: number): boolean {
    return isSpaceAt(at) && input[at + 1] === '-' && input.startsWith('}}', at + 2)
  }
  function isSpaceAt(at: number): boolean {
    return isSpaceCode(input.charCodeAt(at))
  }
  function skipSpaces(): void {
    while (isSpaceAt(pos)) pos++
  }

  function lexText(): Item {
    for (;;) {
      const found = input.indexOf('{{', pos)
      if (found < 0) {
        pos = input.length
        if (pos === start) return item('eof')
        line += newlines(start, pos)
        return item('text')
      }
      if (found > pos) {
        pos = found
        if (isLeftTrim(found + 2)) while (pos > start && isSpaceAt(pos - 1)) pos--
        line += newlines(start, pos)
        const text = item('text')
        pos = found
        ignore()
        if (text.value.length > 0) return text
      }
      const marker = isLeftTrim(pos + 2) ? 2 : 0
      if (!input.startsWith('/*', pos + 2 + marker)) {
        pos += 2
        const delimiter = item('leftDelim')
        inside = true
        pos += marker
        ignore()
        parens = 0
        return delimiter
      }
      pos += 2 + marker
      ignore()
      const problem = skipComment()
      if (problem !== undefined) return problem
    }
  }
  function skipComment(): Item | undefined {
    const close = input.indexOf('*/', pos + 2)
    if (close < 0) {
      pos += 2
      return fail('unclosed comment')
    }
    pos = close + 2
    const trim = isRightTrim(pos)
    if (!trim && !input.startsWith('}}', pos)) return fail('comment ends before closing delimiter')
    line += newlines(start, pos)
    item('text')
    pos += trim ? 4 : 2
    if (trim) skipSpaces()
    ignore()
    return undefined
  }
  function lexRightDelim(): Item {
    const trim = isRightTrim(pos)
    if (trim) {
      pos += 2
      ignore()
    }
    pos += 2
    const made = item('rightDelim')
    if (trim) {
      skipSpaces()
      ignore()
    }
    inside = false
    return made
  }
  function lexAction(): Item {
    if (isRightTrim(pos) || input.startsWith('}}', pos)) {
      return parens === 0 ? lexRightDelim() : fail('unclosed left paren')
    }
    const rune = take()
    if (rune === end) return fail('unclosed action')
    const char = rune < 0x80 ? String.fromCharCode(rune) : ''
    if (isSpaceCode(rune)) {
      back()
      return lexSpace()
    }
    switch (char) {
      case '=':
        return item('assign')
      case ':':
        return take() === 61 ? item('declare') : fail('expected :=')
      case '|':
        return item('pipe')
      case '"':
        return lexQuoted('"', 'string', 'unterminated quoted string')
      case "'":
        return lexQuoted("'", 'charConstant', 'unterminated character constant')
      case '`':
        return lexRaw()
      case '$':
        return atTerminator() ? item('variable') : lexName('variable')
      case '(':
        parens++
        return item('leftParen')
      case ')':
        parens--
        return parens < 0 ? fail('unexpected right paren') : item('rightParen')
      default:
        break
    }
    if (char === '.' && pos < input.length && !isDigit(input.charCodeAt(pos))) {
      return atTerminator() ? item('dot') : lexName('field')
    }
    if (char !== '' && '.+-0123456789'.includes(char)) {
      back()
      return lexNumber()
    }
    if (isAlphaNumeric(rune)) {
      back()
      return lexIdentifier()
    }
    if (rune < 0x80 && isPrint(rune)) return item('char')
    return fail(`unrecognized character in action: ${unicodeName(rune)}`)
  }
  function lexSpace(): Item {
    let count = 0
    for (; isSpaceAt(pos); count++) take()
    atEnd = atEnd || pos >= input.length
    if (isRightTrim(pos - 1)) {
      back()
      if (count === 1) return lexRightDelim()
    }
    return item('space')
  }
  function lexIdentifier(): Item {
    let rune = take()
    while (isAlphaNumeric(rune)) rune = take()
    back()
    if (!atTerminator()) return fail(`bad character ${unicodeName(rune)}`)
    const word = input.slice(start, pos)
    if (keywords.has(word)) return item('keyword')
    if (word === 'nil') return item('nil')
    return item(word === 'true' || word === 'false' ? 'bool' : 'identifier')
  }
  function lexName(type: 'field' | 'variable'): Item {
    let rune = take()
    while (isAlphaNumeric(rune)) rune = take()
    back()
    return atTerminator() ? item(type) : fail(`bad character ${unicodeName(rune)}`)
  }
  function atTerminator(): boolean {
    const rune = peek()
    return rune === end || isSpaceCode(rune) || terminators.has(rune) || input.startsWith('}}', pos)
  }
  function lexQuoted(mark: string, type: ItemType, problem: string): Item {
    for (;;) {
      let rune = take()
      if (rune === 92) {
        rune = take()
        if (rune !== end && rune !== 10) continue
      }
      if (rune === end || rune === 10) return fail(problem)
      if (rune === mark.charCodeAt(0)) return item(type)
    }
  }
  function lexRaw(): Item {
    for (;;) {
      const rune = take()
      if (rune === end) return fail('unterminated raw quoted string')
      if (rune === 96) return item('rawString')
    }
  }
  function lexNumber(): Item {
    if (!scanNumber()) return fail(`bad number syntax: ${quote(input.slice(start, pos))}`)
    const sign = peek()
    if (sign !== 43 && sign !== 45) return item('number')
    if (scanNumber() && input[pos - 1] === 'i') return item('complex')
    return fail(`bad number syntax: ${quote(input.slice(start, pos))}`)
  }
  function scanNumber(): boolean {
    accept('+-')
    let digits = '0123456789_'
    if (accept('0')) {
      if (accept('xX')) digits = '0123456789abcdefABCDEF_'
      else if (accept('oO')) digits = '01234567_'
      else if (accept('bB')) digits = '01_'
    }
    acceptRun(digits)
    if (accept('.')) acceptRun(digits)
    if ((digits.length === 11 && accept('eE')) || (digits.length === 23 && accept('pP'))) {
      accept('+-')
      acceptRun('0123456789_')
    }
    accept('i')
    if (!isAlphaNumeric(peek())) return true
    take()
    return false
  }

  return { next: () => (inside ? lexAction() : lexText()) }
}

function isSpaceCode(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10
}
