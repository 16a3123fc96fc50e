/** YAML tokens to trees of syntax: what was written, before anchors and tags mean anything. */
import type { ScalarStyle, Token, TokenKind } from './scanner.ts'
import { empty, type Pair, type Syntax, type SyntaxMap } from './syntax-tree.ts'
import { tokensOf } from './tokens.ts'
import { defined } from '#model/defined.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

export type { Pair, Syntax, SyntaxList, SyntaxMap, SyntaxScalar } from './syntax-tree.ts'

/** Deeper than any file a person writes, and shallow enough for every phase to recurse. */
const deepest = 200

/** One tree for each document of the text. */
export function parseSyntax(text: string): Syntax[] {
  return documentsIn(text, false)
}

/** Undefined: there is nothing but comments. Whatever follows the first document may be no YAML at all. */
export function parseFirstDocument(text: string): Syntax | undefined {
  return documentsIn(text, true)[0]
}

function documentsIn(text: string, isFirstOnly: boolean): Syntax[] {
  refuseControlCharacters(text)
  const tokens = tokensOf(text, isFirstOnly)
  const reader: Reader = { tokens, at: 0, handles: usualHandles, depth: 0 }
  const documents: Syntax[] = []
  for (;;) {
    if (documents.length > 0) while (kindOf(reader) === '...') reader.at++
    if (kindOf(reader) === 'end') return documents
    documents.push(parseDocument(reader, documents.length === 0))
    if (kindOf(reader) === '...') reader.at++
  }
}

function refuseControlCharacters(text: string): void {
  // oxlint-disable-next-line no-control-regex
  const forbidden = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
  const found = forbidden.exec(text)
  if (found === null) return
  const advice = 'remove it, or write it escaped in double quotes'
  throw new YamlSyntaxError(found.index, 'a control character is not allowed in YAML', advice)
}

const usualHandles: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
])

type Reader = {
  readonly tokens: readonly Token[]
  at: number
  handles: ReadonlyMap<string, string>
  depth: number
}

function peek(reader: Reader): Token {
  return reader.tokens[reader.at] ?? defined(reader.tokens.at(-1))
}

function kindOf(reader: Reader): TokenKind {
  return peek(reader).kind
}

function isNext(reader: Reader, ...kinds: readonly TokenKind[]): boolean {
  return kinds.includes(kindOf(reader))
}

/** What is next begins another entry of a map, or ends it: there is no value. */
function isWithoutValue(reader: Reader): boolean {
  const kind = kindOf(reader)
  return kind === 'key' || kind === 'value' || kind === 'block-end'
}

function failed(reader: Reader, message: string, advice?: string): YamlSyntaxError {
  return new YamlSyntaxError(peek(reader).offset, message, advice)
}

/** Only the first document may do without `---`. */
function parseDocument(reader: Reader, mayBeBare: boolean): Syntax {
  reader.handles = usualHandles
  const isBare = mayBeBare && !isNext(reader, 'version', 'tag-handle', '---')
  if (isBare) return parseNode(reader, true, false)
  for (let token = peek(reader); isNext(reader, 'version', 'tag-handle'); token = peek(reader)) {
    if (token.kind === 'tag-handle') {
      reader.handles = new Map([...reader.handles, [token.value, token.more]])
    } else if (token.value !== '1.1')
      throw failed(reader, `YAML ${token.value} is not supported`, 'remove this line')
    reader.at++
  }
  if (kindOf(reader) !== '---') {
    throw failed(
      reader,
      'something follows the document that does not belong to it',
      'check the indentation, or start a document with ---',
    )
  }
  const { offset } = peek(reader)
  reader.at++
  if (isNext(reader, 'version', 'tag-handle', '---', '...', 'end')) return empty(offset)
  return parseNode(reader, true, false)
}

/** `inBlock`: blocks may begin here. `mayHang`: a list may begin here without being indented. */
function parseNode(reader: Reader, inBlock: boolean, mayHang: boolean): Syntax {
  const first = peek(reader)
  if (first.kind === 'alias') {
    reader.at++
    return { kind: 'alias', name: first.value, offset: first.offset }
  }
  if (++reader.depth > deepest) throw failed(reader, `nested more than ${deepest} levels deep`)
  const isMarked = first.kind === 'anchor' || first.kind === 'tag'
  const { tag, anchor } = isMarked ? parseProperties(reader) : noProperties
  const node = parseContent(reader, first.offset, tag, anchor, inBlock, mayHang)
  reader.depth--
  return node
}

const noProperties = { tag: '', anchor: '' }

function parseProperties(reader: Reader): typeof noProperties {
  let tag = ''
  let anchor = ''
  for (const kind of kindOf(reader) === 'anchor' ? ['anchor', 'tag'] : ['tag', 'anchor']) {
    const token = peek(reader)
    if (token.kind !== kind) continue
    reader.at++
    if (token.kind === 'anchor') anchor = token.value
    else tag = token.value === '' ? token.more : resolveTag(reader, token)
  }
  return { tag, anchor }
}

function resolveTag(reader: Reader, token: Token): string {
  const prefix = reader.handles.get(token.value)
  if (prefix !== undefined) return prefix + token.more
  throw new YamlSyntaxError(token.offset, `the tag handle "${token.value}" is not defined`)
}

function parseContent(
  reader: Reader,
  offset: number,
  tag: string,
  anchor: string,
  inBlock: boolean,
  mayHang: boolean,
): Syntax {
  const { kind, value } = peek(reader)
  if (isStyle(kind)) {
    reader.at++
    return { kind: 'scalar', value, style: kind, offset, tag, anchor }
  }
  if (inBlock && kind === 'block-map')
    return { kind: 'map', isFlow: false, pairs: parseBlockMap(reader), offset, tag, anchor }
  const items = itemsOf(reader, kind, inBlock, mayHang)
  if (items !== undefined) return { kind: 'list', isFlow: kind === '[', items, offset, tag, anchor }
  if (kind === '{')
    return { kind: 'map', isFlow: true, pairs: parseFlowMap(reader), offset, tag, anchor }
  if (tag !== '' || anchor !== '') return empty(offset, tag, anchor)
  throw failed(
    reader,
    kind === 'end' ? 'the text ends where a value must stand' : 'a value is missing here',
  )
}

/** Undefined: no list begins here. */
function itemsOf(
  reader: Reader,
  kind: TokenKind,
  inBlock: boolean,
  mayHang: boolean,
): Syntax[] | undefined {
  if (mayHang && kind === '-') return parseHangingList(reader)
  if (inBlock && kind === 'block-list') return parseBlockList(reader)
  return kind === '[' ? parseFlowList(reader) : undefined
}

function isStyle(kind: TokenKind): kind is ScalarStyle {
  return (
    kind === 'plain' ||
    kind === 'double' ||
    kind === 'single' ||
    kind === 'literal' ||
    kind === 'folded'
  )
}

function parseBlockList(reader: Reader): Syntax[] {
  const items: Syntax[] = []
  reader.at++
  while (kindOf(reader) === '-') {
    const { offset } = peek(reader)
    reader.at++
    const next = kindOf(reader)
    const isEmpty = next === '-' || next === 'block-end'
    items.push(isEmpty ? empty(offset) : parseNode(reader, true, false))
  }
  if (kindOf(reader) !== 'block-end')
    throw failed(reader, 'an item of the list above must start with "-"', 'check the indentation')
  reader.at++
  return items
}

function parseHangingList(reader: Reader): Syntax[] {
  const items: Syntax[] = []
  while (kindOf(reader) === '-') {
    const { offset } = peek(reader)
    reader.at++
    const isEmpty = kindOf(reader) === '-' || isWithoutValue(reader)
    items.push(isEmpty ? empty(offset) : parseNode(reader, true, false))
  }
  return items
}

function parseBlockMap(reader: Reader): Pair[] {
  const pairs: Pair[] = []
  reader.at++
  while (kindOf(reader) === 'key') {
    const { offset } = peek(reader)
    reader.at++
    const key = isWithoutValue(reader) ? empty(offset) : parseNode(reader, true, true)
    const colon = colonAt(reader)
    pairs.push({ key, value: parseBlockValue(reader, offset), colon })
  }
  if (kindOf(reader) !== 'block-end') {
    throw failed(reader, 'a key of the mapping above must stand here', 'check the indentation')
  }
  reader.at++
  return pairs
}

function colonAt(reader: Reader): number {
  const { kind, offset } = peek(reader)
  return kind === 'value' ? offset : -1
}

function parseBlockValue(reader: Reader, offset: number): Syntax {
  if (kindOf(reader) !== 'value') return empty(offset)
  reader.at++
  return isWithoutValue(reader) ? empty(offset) : parseNode(reader, true, true)
}

/** The next entry between brackets: false at the closing one. */
function hasEntry(reader: Reader, close: TokenKind, isFirst: boolean): boolean {
  if (kindOf(reader) !== close && !isFirst) {
    if (kindOf(reader) !== ',') throw failed(reader, `"," or "${close}" must stand here`)
    reader.at++
  }
  if (kindOf(reader) !== close) return true
  reader.at++
  return false
}

function parseFlowList(reader: Reader): Syntax[] {
  const items: Syntax[] = []
  reader.at++
  while (hasEntry(reader, ']', items.length === 0)) {
    items.push(kindOf(reader) === 'key' ? parseFlowPair(reader) : parseNode(reader, false, false))
  }
  return items
}

/** `[a: b]` is a list of a mapping. */
function parseFlowPair(reader: Reader): SyntaxMap {
  const { offset } = peek(reader)
  reader.at++
  let key: Syntax = empty(offset)
  if (isNext(reader, 'value', ',', ']')) reader.at++
  else key = parseNode(reader, false, false)
  const colon = colonAt(reader)
  const value = parseFlowValue(reader, ']', offset)
  return { kind: 'map', isFlow: true, pairs: [{ key, value, colon }], offset, tag: '', anchor: '' }
}

function parseFlowMap(reader: Reader): Pair[] {
  const pairs: Pair[] = []
  reader.at++
  while (hasEntry(reader, '}', pairs.length === 0)) {
    const { kind, offset } = peek(reader)
    if (kind === 'key') {
      reader.at++
      const key = isNext(reader, 'value', ',', '}')
        ? empty(offset)
        : parseNode(reader, false, false)
      const colon = colonAt(reader)
      pairs.push({ key, value: parseFlowValue(reader, '}', offset), colon })
    } else pairs.push({ key: parseNode(reader, false, false), value: empty(offset), colon: -1 })
  }
  return pairs
}

function parseFlowValue(reader: Reader, close: TokenKind, offset: number): Syntax {
  if (kindOf(reader) !== 'value') return empty(offset)
  reader.at++
  return isNext(reader, ',', close) ? empty(offset) : parseNode(reader, false, false)
}
