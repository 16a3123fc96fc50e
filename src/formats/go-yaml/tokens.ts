/** YAML text to tokens. Where a block opens shows only at the `:` after its first key, so some tokens are put in afterwards. */
import {
  atDocumentMark,
  codeAt,
  column,
  isBlank,
  isBreak,
  isGap,
  skipToBreak,
  takeBreak,
} from './cursor.ts'
import { takeBlock, takePlain, takeQuoted, takeWord } from './scalar-text.ts'
import {
  closeBlocks,
  forgetKey,
  insert,
  isInFlow,
  needsKeyPlace,
  openBlock,
  push,
  rememberKey,
  scannerOf,
  type Scanner,
  type Token,
  type TokenKind,
} from './scanner.ts'
import { takeAnchor, takeDirective, takeTag } from './anchors-and-tags.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

/** `isFirstOnly`: whatever follows the first document is not looked at, so nothing can be wrong with it. */
export function tokensOf(text: string, isFirstOnly: boolean): readonly Token[] {
  const scanner = scannerOf(text)
  const { tokens } = scanner
  for (;;) {
    takeToken(scanner, text.length)
    const last = tokens[tokens.length - 1]?.kind
    if (last === 'end') return tokens
    if (!isFirstOnly || (last !== '---' && last !== '...') || !hasDocument(tokens)) continue
    push(scanner, 'end', scanner.cursor.at)
    return tokens
  }
}

/** The last token ends a document, or begins another one. */
function hasDocument(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)?.kind
  if (last === '...') return true
  return last === '---' && tokens.slice(0, -1).some(({ kind }) => !isDirective(kind))
}

function isDirective(kind: TokenKind): boolean {
  return kind === 'version' || kind === 'tag-handle'
}

function takeToken(scanner: Scanner, length: number): void {
  const { cursor } = scanner
  skipToToken(scanner)
  closeBlocks(scanner, column(cursor))
  const code = codeAt(cursor)
  if (code === 0) return takeEnd(scanner, length)
  if (cursor.at === cursor.lineStart) {
    if (code === 37) return takeDirective(scanner)
    if (code === 45 && atDocumentMark(cursor, '---')) return takeMark(scanner, '---')
    if (code === 46 && atDocumentMark(cursor, '...')) return takeMark(scanner, '...')
  }
  if (isLetterOrDigit(code)) takePlainScalar(scanner)
  else takeIndicator(scanner, code)
}

/** What most scalars start with, and nothing else does. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

function takeIndicator(scanner: Scanner, code: number): void {
  const { cursor } = scanner
  const nextIsGap = isGap(codeAt(cursor, 1))
  const inFlow = isInFlow(scanner)
  if (code === 91 || code === 123) return openFlow(scanner, code === 91 ? '[' : '{')
  if (code === 93 || code === 125) return closeFlow(scanner, code === 93 ? ']' : '}')
  if (code === 44) return takeSign(scanner, ',', true)
  if (code === 45 && nextIsGap) return takeEntry(scanner)
  if (code === 63 && (inFlow || nextIsGap)) return takeKeySign(scanner)
  if (code === 58 && (inFlow || nextIsGap)) return takeValueSign(scanner)
  if (code === 42 || code === 38) return takeAnchor(scanner, code === 42 ? 'alias' : 'anchor')
  if (code === 33) return takeTag(scanner)
  if ((code === 124 || code === 62) && !inFlow) return takeBlockScalar(scanner)
  if (code === 39 || code === 34) return takeQuotedScalar(scanner, code)
  // , [ ] { } # & * ! | > ' " % @ ` start no plain scalar, and of - ? : only some do.
  const isSign = ',[]{}#&*!|>\'"%@`?:-'.includes(String.fromCharCode(code))
  const isPlain =
    !isSign ||
    (code === 45 && !nextIsGap) ||
    (!inFlow && (code === 63 || code === 58) && !nextIsGap)
  if (isPlain && !isBlank(code)) return takePlainScalar(scanner)
  const what = code === 9 ? 'a tab' : `"${String.fromCharCode(code)}"`
  const advice = code === 9 ? 'indent with spaces' : 'write the text in quotes'
  throw new YamlSyntaxError(cursor.at, `nothing can start with ${what} here`, advice)
}

function skipToToken(scanner: Scanner): void {
  const { cursor } = scanner
  for (;;) {
    if (cursor.at === 0 && codeAt(cursor) === 0xfeff) cursor.lineStart = ++cursor.at
    const takesTabs = isInFlow(scanner) || !scanner.mayStartKey
    while (codeAt(cursor) === 32 || (takesTabs && codeAt(cursor) === 9)) cursor.at++
    if (codeAt(cursor) === 35) skipToBreak(cursor)
    if (!isBreak(codeAt(cursor))) return
    takeBreak(cursor)
    if (!isInFlow(scanner)) scanner.mayStartKey = true
  }
}

function takeEnd(scanner: Scanner, length: number): void {
  closeBlocks(scanner, -1)
  forgetKey(scanner)
  push(scanner, 'end', length)
}

function takeMark(scanner: Scanner, mark: '---' | '...'): void {
  closeBlocks(scanner, -1)
  forgetKey(scanner)
  scanner.mayStartKey = false
  push(scanner, mark, scanner.cursor.at)
  scanner.cursor.at += 3
}

function takeSign(scanner: Scanner, kind: TokenKind, mayStartKey: boolean): void {
  forgetKey(scanner)
  scanner.mayStartKey = mayStartKey
  push(scanner, kind, scanner.cursor.at++)
}

function openFlow(scanner: Scanner, kind: TokenKind): void {
  rememberKey(scanner)
  scanner.keys.push(undefined)
  scanner.mayStartKey = true
  push(scanner, kind, scanner.cursor.at++)
}

function closeFlow(scanner: Scanner, kind: TokenKind): void {
  forgetKey(scanner)
  if (isInFlow(scanner)) scanner.keys.pop()
  scanner.mayStartKey = false
  push(scanner, kind, scanner.cursor.at++)
}

function takeEntry(scanner: Scanner): void {
  needsKeyPlace(scanner, 'an item of a list')
  const { cursor, tokens } = scanner
  openBlock(scanner, column(cursor), 'block-list', cursor.at, tokens.length)
  takeSign(scanner, '-', true)
}

function takeKeySign(scanner: Scanner): void {
  needsKeyPlace(scanner, 'a key')
  const { cursor, tokens } = scanner
  openBlock(scanner, column(cursor), 'block-map', cursor.at, tokens.length)
  takeSign(scanner, 'key', !isInFlow(scanner))
}

/** A key must be on the line of its `:`, and no longer than 1024 characters. */
function takeValueSign(scanner: Scanner): void {
  const { cursor, tokens } = scanner
  const key = scanner.keys[scanner.keys.length - 1]
  if (key !== undefined && key.lineStart === cursor.lineStart && cursor.at - key.offset <= 1024) {
    insert(scanner, 'key', key.offset, key.index)
    openBlock(scanner, key.column, 'block-map', key.offset, key.index)
    scanner.keys[scanner.keys.length - 1] = undefined
    scanner.mayStartKey = false
  } else {
    forgetKey(scanner)
    needsKeyPlace(scanner, 'the ":" of a mapping')
    openBlock(scanner, column(cursor), 'block-map', cursor.at, tokens.length)
    scanner.mayStartKey = !isInFlow(scanner)
  }
  push(scanner, 'value', cursor.at++)
}

function takeBlockScalar(scanner: Scanner): void {
  forgetKey(scanner)
  scanner.mayStartKey = true
  const offset = scanner.cursor.at
  const style = codeAt(scanner.cursor) === 124 ? 'literal' : 'folded'
  push(scanner, style, offset, takeBlock(scanner.cursor, scanner.indent))
}

function takeQuotedScalar(scanner: Scanner, quote: number): void {
  rememberKey(scanner)
  scanner.mayStartKey = false
  const offset = scanner.cursor.at
  const style = quote === 39 ? 'single' : 'double'
  push(scanner, style, offset, takeQuoted(scanner.cursor, quote))
}

function takePlainScalar(scanner: Scanner): void {
  rememberKey(scanner)
  const { cursor, indent } = scanner
  const offset = cursor.at
  const inFlow = isInFlow(scanner)
  const word = inFlow ? undefined : takeWord(cursor, indent)
  if (word !== undefined) {
    scanner.mayStartKey = cursor.lineStart > offset
    push(scanner, 'plain', offset, word)
    return
  }
  const { value, endsLine } = takePlain(cursor, indent, inFlow)
  scanner.mayStartKey = endsLine
  push(scanner, 'plain', offset, value)
}
