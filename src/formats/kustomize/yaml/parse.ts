/** YAML text to nodes: documents split as kustomize splits them, aliases and merge keys resolved. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  parseAllDocuments,
  type ParsedNode,
  type Scalar,
} from 'yaml'
import { KustomizeError } from '../error.ts'
import {
  type Node,
  doubleQuoted,
  flow,
  folded,
  keyNote,
  literal,
  none,
  push,
  singleQuoted,
  tagged,
} from './node.ts'
import { resolve, resolveOld } from './scalar.ts'
import { unaliased } from './alias.ts'
import { readSimply } from './simple-yaml.ts'
import { defined } from '#model/defined.ts'

/** `new` reads resources and patches, `old` reads settings: to it `yes` is a boolean. */
export type Reader = 'new' | 'old'

/** The documents of a file. Empty ones are left out. */
export function parseDocuments(text: string, file: string): Node[] {
  const found: Node[] = []
  const whole = text.replaceAll('\r\n', '\n')
  for (const part of parts(whole, file)) {
    if (endsNothing.test(part.text)) {
      const message = 'not valid YAML: a document ends with ... before anything is in it'
      throw new KustomizeError(message, { file, line: part.line + 1 })
    }
    const node = parseOne(part.text, file, 'new', part.line)
    if (node !== undefined && node.tag !== '!!null') found.push(node)
  }
  return found
}

/** An end of a document that never began. */
const endsNothing = /^(?:[ \t]*(?:#.*)?\n)*\.\.\.(?:\s|$)/

/** The first document of a text; undefined when there is nothing but comments. */
export function parseOne(text: string, file: string, reader: Reader, line = 0): Node | undefined {
  const simple = readSimply(text, reader === 'old' ? resolveOld : resolve, line)
  return simple ?? parseFully(text, file, reader, line)
}

/** For any YAML there is, and slower. */
export function parseFully(
  text: string,
  file: string,
  reader: Reader,
  line: number,
): Node | undefined {
  const lines = new LineCounter()
  const options = {
    schema: 'failsafe',
    uniqueKeys: false,
    resolveKnownTags: false,
    lineCounter: lines,
  } as const
  const document = hasMarker.test(text)
    ? firstOf(parseAllDocuments(text, options))
    : parseDocument(text, options)
  if (document === undefined) return undefined
  const [problem] = document.errors
  if (problem !== undefined) {
    const start = lines.linePos(problem.pos[0]).line + line
    throw new KustomizeError(`not valid YAML: ${wordsOf(problem.message)}`, {
      file,
      line: start,
    })
  }
  if (document.contents === null) return undefined
  const context = { reader, lines, line, file, text, anchors: new Map<string, Node>() }
  return unaliased(nodeOf(document.contents, context), file)
}

/** The first line, without the place, which is told apart. */
function wordsOf(message: string): string {
  if (message.startsWith('Maximum call stack')) return 'it is nested too deeply'
  return defined(message.split('\n')[0]).replace(/ at line \d+, column \d+:?$/, '')
}

const hasMarker = /^(?:---|\.\.\.)(?:\s|$)/m

function firstOf<Item>(documents: readonly Item[]): Item | undefined {
  return documents[0]
}

/** Only a line break before and after makes `---` a separator; what follows it on the line may be a comment. */
function* parts(text: string, file: string): Generator<{ text: string; line: number }> {
  let start = 0
  let line = 0
  for (const separator of text.matchAll(/\n---.*\n/g)) {
    const rest = separator[0].slice(4).trim()
    const before = text.slice(start, separator.index)
    const breaks = before.split('\n').length
    if (rest !== '' && !rest.startsWith('#')) {
      const place = { file, line: line + breaks + 1 }
      throw new KustomizeError(`a document separator is followed by ${JSON.stringify(rest)}`, place)
    }
    yield { text: `${before}\n`, line }
    start = separator.index + separator[0].length
    line += breaks + 1
  }
  if (text !== '') yield { text: text.slice(start), line }
}

type Context = {
  readonly reader: Reader
  readonly lines: LineCounter
  readonly line: number
  readonly file: string
  readonly text: string
  readonly anchors: Map<string, Node>
}

const styles = new Map([
  ['QUOTE_DOUBLE', doubleQuoted],
  ['QUOTE_SINGLE', singleQuoted],
  ['BLOCK_LITERAL', literal],
  ['BLOCK_FOLDED', folded],
])

/** Aliases stay as nodes of their own (a scalar tagged `*`) until the whole document is known. */
function nodeOf(from: ParsedNode | null, context: Context): Node {
  if (from === null) return blank('!!null', context.line)
  const line = context.lines.linePos(from.range[0]).line + context.line
  if (isAlias(from)) {
    const meant = context.anchors.get(from.source)
    if (meant === undefined) {
      throw new KustomizeError(`nothing is called &${from.source}`, { file: context.file, line })
    }
    return { ...blank('*', line), content: [meant] }
  }
  const node = blank('', line)
  if (from.anchor !== undefined) context.anchors.set(from.anchor, node)
  const tag = shortTag(from.tag)
  if (isScalar(from)) return fillScalar(node, from, tag, context)
  node.tag = tag === '' ? (isMap(from) ? '!!map' : '!!seq') : tag
  node.style = ('flow' in from && from.flow === true ? flow : 0) | (tag === '' ? 0 : tagged)
  if (isMap(from)) {
    node.kind = 'map'
    for (const pair of from.items) {
      const [key, value] = [nodeOf(pair.key, context), nodeOf(pair.value, context)]
      if (hasNote(pair.key, pair.value, context)) key.comments = keyNote
      push(node, key, value)
    }
  } else if (isSeq(from)) {
    node.kind = 'list'
    for (const item of from.items) push(node, nodeOf(pairOrNode(item), context))
  }
  return node
}

function hasNote(key: ParsedNode, value: ParsedNode | null, context: Context): boolean {
  if (!(isMap(value) || isSeq(value)) || value.flow === true) return false
  return /^[^\n]*#/.test(context.text.slice(key.range[1], value.range[0]))
}

function pairOrNode(item: unknown): ParsedNode | null {
  return isScalar(item) || isMap(item) || isSeq(item) || isAlias(item) ? parsed(item) : null
}

function parsed(item: object): ParsedNode | null {
  return isParsed(item) ? item : null
}

function isParsed(item: object): item is ParsedNode {
  return 'range' in item
}

function fillScalar(node: Node, from: Scalar.Parsed, tag: string, context: Context): Node {
  const style = styles.get(from.type ?? '') ?? 0
  node.value = isCutOff(from, style, context) ? from.source.replace(/\n$/, '') : from.source
  if (
    style === doubleQuoted &&
    hasForeignEscape(context.text.slice(from.range[0], from.range[1]))
  ) {
    const reason = 'a text in double quotes has an escape that YAML 1.1 does not know'
    throw new KustomizeError(reason, { file: context.file, line: node.line })
  }
  node.style = style | (tag === '' ? 0 : tagged)
  node.tag = tag
  if (tag !== '') return node
  if (style !== 0) node.tag = '!!str'
  else if (node.value === '<<') node.tag = '!!merge'
  else node.tag = (context.reader === 'old' ? resolveOld : resolve)(node.value)[0]
  return node
}

/** A block that ends with the file, which has no line break there, ends without one. */
function isCutOff(from: Scalar.Parsed, style: number, context: Context): boolean {
  if (style !== literal && style !== folded) return false
  return from.range[1] >= context.text.length && !context.text.endsWith('\n')
}

/** A slash needs no escape; JSON allows one, YAML 1.1 does not. */
function hasForeignEscape(quoted: string): boolean {
  return quoted.replaceAll('\\\\', '').includes('\\/')
}

function shortTag(tag: string | undefined): string {
  if (tag === undefined || tag === '!') return ''
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice(18)}` : tag
}

function blank(tag: string, line: number): Node {
  return { kind: 'scalar', tag, value: '', style: 0, content: none, line }
}
