/** The items that template text is cut into, and how the lexer names characters. */
import { encodeRune } from './bytes.ts'
import { isDigit, isLetter, isPrint } from './unicode.ts'

export type ItemType =
  | 'error'
  | 'eof'
  | 'text'
  | 'leftDelim'
  | 'rightDelim'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'string'
  | 'rawString'
  | 'char'
  | 'charConstant'
  | 'number'
  | 'complex'
  | 'bool'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'leftParen'
  | 'rightParen'
  | 'dot'
  | 'nil'
  | 'keyword'

export type Item = {
  readonly type: ItemType
  readonly pos: number
  readonly value: string
  readonly line: number
}

export function isAlphaNumeric(rune: number): boolean {
  return rune === 95 || isLetter(rune) || isDigit(rune)
}

/** %#U of Go: U+0040 '@'. */
export function unicodeName(rune: number): string {
  const code = rune < 0 ? 'FFFFFFFFFFFFFFFF' : rune.toString(16).toUpperCase().padStart(4, '0')
  return `U+${code}${isPrint(rune) ? ` '${encodeRune(rune)}'` : ''}`
}
