/** A quick reader for the plain YAML most files are made of; whatever it does not know for sure it leaves to the full one. */
import { type Node, doubleQuoted, flow, keyNote, literal, none, singleQuoted } from './node.ts'
import type { Scalar } from './scalar.ts'
import { defined } from '#model/defined.ts'

type Resolve = (text: string) => readonly [tag: string, value: Scalar]

/** Undefined: not simple enough, or nothing in it. */
export function readSimply(text: string, resolve: Resolve, line: number): Node | undefined {
  if (unusual.test(text)) return undefined
  const reader: Reader = { lines: text.split('\n'), at: 0, indent: 0, resolve, offset: line + 1 }
  if (!text.endsWith('\n')) reader.isCut = true
  skipBlank(reader)
  if (reader.lines[reader.at] === '---') {
    reader.at++
    skipBlank(reader)
  }
  if (reader.at >= reader.lines.length) return undefined
  const node = readBlock(reader, reader.indent)
  if (node === undefined) return undefined
  skipBlank(reader)
  return reader.at >= reader.lines.length ? node : undefined
}

/** Tabs, directives, control characters, rare line breaks. */
const unusual = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]|^%|^\.\.\./m

type Reader = {
  readonly lines: string[]
  readonly resolve: Resolve
  readonly offset: number
  at: number
  /** How far in the line stands that was found last. */
  indent: number
  /** The last line has no line break. */
  isCut?: boolean
}

function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 32) indent++
  return indent
}

/** Over empty lines and comments. */
function skipBlank(reader: Reader): void {
  const { lines } = reader
  while (reader.at < lines.length) {
    const line = defined(lines[reader.at])
    const indent = indentOf(line)
    const first = line.charCodeAt(indent)
    if (!Number.isNaN(first) && first !== 35) {
      reader.indent = indent
      return
    }
    reader.at++
  }
  reader.indent = -1
}

function readBlock(reader: Reader, indent: number): Node | undefined {
  const line = defined(reader.lines[reader.at])
  return isItem(line, indent) ? readList(reader, indent) : readMap(reader, indent)
}

function isItem(line: string, indent: number): boolean {
  if (line.charCodeAt(indent) !== 45) return false
  return line.length === indent + 1 || line.charCodeAt(indent + 1) === 32
}

const key = /^(?:([A-Za-z0-9_$./][A-Za-z0-9_$./()@+=-]*)|'([^']*)'|"([^"\\]*)"):(?: +|$)/

function readMap(reader: Reader, indent: number): Node | undefined {
  const map = nodeAt(reader, 'map', '!!map')
  for (;;) {
    skipBlank(reader)
    const line = reader.lines[reader.at]
    if (line === undefined || reader.indent < indent) break
    if (reader.indent > indent) return undefined
    const found = key.exec(indent === 0 ? line : line.slice(indent))
    if (found === null) return undefined
    const name = keyNode(reader, found)
    const value = readValue(reader, line.slice(indent + found[0].length), indent, true)
    if (value === undefined) return undefined
    if (line.charCodeAt(indent + found[0].length) === 35 && value.kind !== 'scalar') {
      name.comments = keyNote
    }
    map.content.push(name, value)
  }
  return map.content.length === 0 ? undefined : map
}

function keyNode(reader: Reader, found: RegExpExecArray): Node {
  const node = nodeAt(reader, 'scalar', '!!str')
  const [, plain, single, double] = found
  node.value = plain ?? single ?? double ?? ''
  if (plain !== undefined) node.tag = reader.resolve(plain)[0]
  else node.style = single === undefined ? doubleQuoted : singleQuoted
  return node
}

function readList(reader: Reader, indent: number): Node | undefined {
  const list = nodeAt(reader, 'list', '!!seq')
  for (;;) {
    skipBlank(reader)
    const line = reader.lines[reader.at]
    if (line === undefined || reader.indent < indent) break
    if (reader.indent > indent) return undefined
    if (!isItem(line, indent)) break
    const item = readItem(reader, line, indent)
    if (item === undefined) return undefined
    list.content.push(item)
  }
  return list
}

/** What follows the dash stands further in, as if the dash were a space. */
function readItem(reader: Reader, line: string, indent: number): Node | undefined {
  const rest = line.slice(indent + 1)
  const inner = indent + 1 + indentOf(rest)
  const content = line.slice(inner)
  if (content === '' || content.startsWith('#')) return readValue(reader, '', indent, false)
  if (isItem(line, inner) || key.test(content)) {
    reader.lines[reader.at] = ' '.repeat(inner) + content
    reader.indent = inner
    return readBlock(reader, inner)
  }
  return readValue(reader, content, indent, false)
}

/** `rest` is what stands on the line; without it the value is what stands further in below. */
function readValue(
  reader: Reader,
  rest: string,
  indent: number,
  isInMap: boolean,
): Node | undefined {
  const node = nodeAt(reader, 'scalar', '!!str')
  if (rest === '' || rest.startsWith('#')) return readBelow(reader, node, indent, isInMap)
  if (rest.startsWith('|')) return readLiteral(reader, node, rest, indent)
  reader.at++
  if (!isFilled(node, rest, reader.resolve)) return undefined
  skipBlank(reader)
  return reader.indent > indent ? undefined : node
}

function readBelow(
  reader: Reader,
  empty: Node,
  indent: number,
  isInMap: boolean,
): Node | undefined {
  reader.at++
  skipBlank(reader)
  const inner = reader.indent
  if (inner > indent) return readBlock(reader, inner)
  if (isInMap && inner === indent && isItem(defined(reader.lines[reader.at]), inner)) {
    return readList(reader, inner)
  }
  empty.tag = '!!null'
  return empty
}

const single = /^'((?:[^']|'')*)' *(?:$| #.*$)/
const double = /^"([^"\\]*)" *(?:$| #.*$)/
const empty = /^(?:\[ *\]|\{ *\}) *(?:$| #.*$)/
const plain = /^(?:[A-Za-z0-9_./$(~+=<;^\\\u00a0-\uffff]|-(?=[^ ]))/

/** Values on one line: quoted, empty, or plain. */
function isFilled(node: Node, rest: string, resolve: Resolve): boolean {
  const first = rest[0]
  if (first === "'" || first === '"') {
    const found = (first === "'" ? single : double).exec(rest)
    if (found === null) return false
    node.value = first === "'" ? defined(found[1]).replaceAll("''", "'") : defined(found[1])
    node.style = first === "'" ? singleQuoted : doubleQuoted
    return true
  }
  if (first === '[' || first === '{') {
    if (!empty.test(rest)) return false
    node.kind = first === '[' ? 'list' : 'map'
    node.tag = first === '[' ? '!!seq' : '!!map'
    node.style = flow
    return true
  }
  if (!plain.test(rest)) return false
  const at = rest.indexOf(' #')
  const text = (at < 0 ? rest : rest.slice(0, at)).replace(/(?<! ) +$/, '')
  if (text.includes(': ') || text.endsWith(':') || text === '<<' || text.startsWith('---'))
    return false
  node.value = text
  node.tag = resolve(text)[0]
  return true
}

const header = /^\|([-+]?) *(?:$| #.*$)/

function readLiteral(reader: Reader, node: Node, rest: string, indent: number): Node | undefined {
  const found = header.exec(rest)
  if (found === null) return undefined
  const { lines } = reader
  reader.at++
  const start = reader.at
  while (reader.at < lines.length && lines[reader.at] === '') reader.at++
  const inner = indentOf(lines[reader.at] ?? '')
  if (inner <= indent || inner === (lines[reader.at] ?? '').length) return undefined
  while (reader.at < lines.length) {
    const line = defined(lines[reader.at])
    const margin = indentOf(line)
    if (margin < inner && margin < line.length) break
    reader.at++
  }
  if (reader.isCut === true && reader.at >= lines.length) return undefined
  const body = lines.slice(start, reader.at).map((line) => line.slice(inner))
  if (reader.at >= lines.length) body.pop()
  node.value = chomped(body, defined(found[1]))
  node.style = literal
  return node
}

function chomped(body: readonly string[], sign: string): string {
  const text = body.map((line) => `${line}\n`).join('')
  if (sign === '+') return text
  const bare = text.replace(/(?<!\n)\n+$/, '')
  return sign === '-' || bare === '' ? bare : `${bare}\n`
}

function nodeAt(reader: Reader, kind: Node['kind'], tag: string): Node {
  const content = kind === 'scalar' ? none : []
  return { kind, tag, value: '', style: 0, content, line: reader.at + reader.offset }
}
