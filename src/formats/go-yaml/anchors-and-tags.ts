/** The tokens that are words of their own: anchors, aliases, tags and directives. */
import { codeAt, isBreakOrEnd, isGap, skipBlanks, skipToBreak, type Cursor } from './cursor.ts'
import { closeBlocks, forgetKey, push, rememberKey, type Scanner } from './scanner.ts'
import { defined } from '#model/defined.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

export function takeAnchor(scanner: Scanner, kind: 'alias' | 'anchor'): void {
  rememberKey(scanner)
  scanner.mayStartKey = false
  const { cursor } = scanner
  const offset = cursor.at++
  const name = match(cursor, /[0-9A-Za-z_-]*/y)
  if (
    name === '' ||
    !(isGap(codeAt(cursor)) || '?:,]}%@`'.includes(defined(cursor.text[cursor.at])))
  ) {
    throw new YamlSyntaxError(
      offset,
      `the name of ${kind === 'alias' ? 'an alias' : 'an anchor'} is letters, digits, "_" and "-"`,
    )
  }
  push(scanner, kind, offset, name)
}

function match(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0] ?? ''
  cursor.at += found.length
  return found
}

export function takeTag(scanner: Scanner): void {
  rememberKey(scanner)
  scanner.mayStartKey = false
  const { cursor } = scanner
  const offset = cursor.at
  const verbatim = match(cursor, /!<[^\s>]+>/y)
  const handle = verbatim === '' ? match(cursor, /!(?:[0-9A-Za-z_-]*!)?/y) : ''
  const suffix =
    verbatim === '' ? match(cursor, /[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]%-]*/y) : verbatim.slice(2, -1)
  const isBare = handle.length > 1 && suffix === ''
  if (isBare || !isGap(codeAt(cursor))) throw new YamlSyntaxError(offset, 'this tag is malformed')
  if (handle === '!' && suffix === '') push(scanner, 'tag', offset, '', '!')
  else push(scanner, 'tag', offset, handle, suffix)
}

export function takeDirective(scanner: Scanner): void {
  closeBlocks(scanner, -1)
  forgetKey(scanner)
  scanner.mayStartKey = false
  const { cursor } = scanner
  const offset = cursor.at
  const from = cursor.at
  skipToBreak(cursor)
  const written = cursor.text.slice(from, cursor.at)
  const comment = written.search(/[ \t]#/)
  const line = (comment === -1 ? written : written.slice(0, comment)).trimEnd()
  const version = /^%YAML[ \t]+(\d{1,2}\.\d{1,2})$/.exec(line)
  const handle = /^%TAG[ \t]+(![0-9A-Za-z_-]*!|!)[ \t]+(\S+)$/.exec(line)
  if (version !== null) push(scanner, 'version', offset, version[1])
  else if (handle !== null) push(scanner, 'tag-handle', offset, handle[1], handle[2])
  else throw new YamlSyntaxError(offset, 'this directive is unknown')
  skipBlanks(cursor)
  if (!isBreakOrEnd(codeAt(cursor)))
    throw new YamlSyntaxError(offset, 'this directive is malformed')
}
