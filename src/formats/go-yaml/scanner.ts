/** What the tokenizer keeps in mind: open blocks and brackets, and where a key may have started. */
import { column, cursorOf, type Cursor } from './cursor.ts'
import { defined } from '#model/defined.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

/** How a scalar is written: bare, in one of the two quotes, or as a block after `|` or `>`. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

export type TokenKind =
  | 'end'
  | 'version'
  | 'tag-handle'
  | '---'
  | '...'
  | 'block-list'
  | 'block-map'
  | 'block-end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | '-'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | ScalarStyle

/** `value` is a name, a tag's handle or a scalar's text; `more` a tag's suffix. */
export type Token = {
  readonly kind: TokenKind
  readonly offset: number
  readonly value: string
  readonly more: string
}

/** Where a key without `?` may have started, seen from before its `:`. */
type PossibleKey = {
  readonly index: number
  readonly offset: number
  readonly column: number
  readonly lineStart: number
  readonly isRequired: boolean
}

export type Scanner = {
  readonly cursor: Cursor
  readonly tokens: Token[]
  indent: number
  readonly indents: number[]
  /** one for each open bracket, and the first for what is in none */
  readonly keys: (PossibleKey | undefined)[]
  mayStartKey: boolean
}

export function scannerOf(text: string): Scanner {
  return {
    cursor: cursorOf(text),
    tokens: [],
    indent: -1,
    indents: [],
    keys: [undefined],
    mayStartKey: true,
  }
}

export function isInFlow(scanner: Scanner): boolean {
  return scanner.keys.length > 1
}

export function push(
  scanner: Scanner,
  kind: TokenKind,
  offset: number,
  value = '',
  more = '',
): void {
  scanner.tokens.push({ kind, offset, value, more })
}

/** A block ends where a line starts left of it. */
export function closeBlocks(scanner: Scanner, to: number): void {
  if (isInFlow(scanner)) return
  while (scanner.indent > to) {
    push(scanner, 'block-end', scanner.cursor.at)
    scanner.indent = defined(scanner.indents.pop())
  }
}

/** A block begins where something stands right of the one around it. */
export function openBlock(
  scanner: Scanner,
  at: number,
  kind: TokenKind,
  offset: number,
  index: number,
): void {
  if (isInFlow(scanner) || scanner.indent >= at) return
  scanner.indents.push(scanner.indent)
  scanner.indent = at
  insert(scanner, kind, offset, index)
}

/** Puts a token in before others, which are few: those of a key. */
export function insert(scanner: Scanner, kind: TokenKind, offset: number, index: number): void {
  const { tokens } = scanner
  const token = { kind, offset, value: '', more: '' }
  if (index === tokens.length) {
    tokens.push(token)
    return
  }
  tokens.push(defined(tokens[tokens.length - 1]))
  for (let at = tokens.length - 2; at > index; at--) tokens[at] = defined(tokens[at - 1])
  tokens[index] = token
}

export function rememberKey(scanner: Scanner): void {
  if (!scanner.mayStartKey) return
  const { cursor } = scanner
  forgetKey(scanner)
  scanner.keys[scanner.keys.length - 1] = {
    index: scanner.tokens.length,
    offset: cursor.at,
    column: column(cursor),
    lineStart: cursor.lineStart,
    isRequired: !isInFlow(scanner) && scanner.indent === column(cursor),
  }
}

/** What stands in the column of a mapping's keys must turn out to be one. */
export function forgetKey(scanner: Scanner): void {
  const last = scanner.keys.length - 1
  const key = scanner.keys[last]
  if (key === undefined) return
  if (key.isRequired) {
    throw new YamlSyntaxError(
      key.offset,
      'a ":" is missing after this key',
      'or indent this line further',
    )
  }
  scanner.keys[last] = undefined
}

export function needsKeyPlace(scanner: Scanner, what: string): void {
  if (isInFlow(scanner) || scanner.mayStartKey) return
  throw new YamlSyntaxError(
    scanner.cursor.at,
    `${what} cannot stand here`,
    'write the text in quotes, or start a new line',
  )
}
