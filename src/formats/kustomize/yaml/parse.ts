/** YAML text to nodes: documents split as kustomize splits them, aliases and merge keys resolved. */
import {
  parseFirstDocument,
  type Pair,
  type Syntax,
  type SyntaxList,
  type SyntaxMap,
  type SyntaxScalar,
} from '#formats/go-yaml/syntax.ts'
import { YamlSyntaxError } from '#formats/go-yaml/yaml-syntax-error.ts'
import { KustomizeError } from '../error.ts'
import {
  type Node,
  doubleQuoted,
  flow,
  folded,
  keyNote,
  literal,
  none,
  singleQuoted,
  tagged,
} from './node.ts'
import { lineCounter } from './line-counter.ts'
import { oldTagOfPlain, tagOfPlain } from './scalar.ts'
import { unaliased } from './alias.ts'

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
  const context: Context = {
    lineOf: lineCounter(text, line),
    tagOf: reader === 'old' ? oldTagOfPlain : tagOfPlain,
    file,
    text,
    anchors: undefined,
    isToSettle: false,
  }
  const document = syntaxOf(context)
  if (document === undefined) return undefined
  const node = nodeOf(document, context)
  return context.isToSettle ? unaliased(node, file) : node
}

function syntaxOf({ text, file, lineOf }: Context): Syntax | undefined {
  try {
    return parseFirstDocument(text)
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    const advice = error.advice === undefined ? '' : ` (${error.advice})`
    const place = { file, line: lineOf(error.offset) }
    throw new KustomizeError(`not valid YAML: ${error.message}${advice}`, place)
  }
}

/** Only a line break before and after makes `---` a separator; what follows it on the line may be a comment. */
function* parts(text: string, file: string): Generator<{ text: string; line: number }> {
  let start = 0
  let line = 0
  for (const separator of text.matchAll(/\n---.*\n/g)) {
    const rest = separator[0].slice(4).trim()
    const before = text.slice(start, separator.index)
    const breaks = linesIn(before)
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

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

type Context = {
  /** The line of the file that an offset of the text is in. */
  readonly lineOf: (offset: number) => number
  readonly tagOf: (plain: string) => string
  readonly file: string
  readonly text: string
  anchors: Map<string, Node> | undefined
  /** There is an alias or a merge key in it. */
  isToSettle: boolean
}

const styles = {
  plain: 0,
  single: singleQuoted,
  double: doubleQuoted,
  literal,
  folded,
} as const

/** Aliases stay as nodes of their own (a scalar tagged `*`) until the whole document is known. */
function nodeOf(from: Syntax, context: Context): Node {
  const line = context.lineOf(from.offset)
  if (from.kind === 'alias') {
    const meant = context.anchors?.get(from.name)
    if (meant === undefined) {
      throw new KustomizeError(`nothing is called &${from.name}`, { file: context.file, line })
    }
    context.isToSettle = true
    return { kind: 'scalar', tag: '*', value: '', style: 0, content: [meant], line }
  }
  const given = from.tag === '' ? '' : shortTag(from.tag)
  const isTagged = given === '' ? 0 : tagged
  const tag = given === '' ? tagOf(from, context) : given
  if (tag === '!!merge') context.isToSettle = true
  if (from.kind === 'scalar') {
    const style = styles[from.style] | isTagged
    const node: Node = { kind: 'scalar', tag, value: from.value, style, content: none, line }
    return from.anchor === '' ? node : anchored(node, from.anchor, context)
  }
  const content: Node[] = []
  const style = (from.isFlow ? flow : 0) | isTagged
  const node: Node = { kind: from.kind, tag, value: '', style, content, line }
  if (from.anchor !== '') anchored(node, from.anchor, context)
  if (from.kind === 'list') {
    for (const item of from.items) content.push(nodeOf(item, context))
    return node
  }
  for (const pair of from.pairs) {
    const key = nodeOf(pair.key, context)
    content.push(key, nodeOf(pair.value, context))
    if (hasNote(pair, context.text)) key.comments = keyNote
  }
  return node
}

function anchored(node: Node, anchor: string, context: Context): Node {
  context.anchors ??= new Map<string, Node>()
  context.anchors.set(anchor, node)
  return node
}

function tagOf(from: SyntaxScalar | SyntaxMap | SyntaxList, context: Context): string {
  if (from.kind === 'map') return '!!map'
  if (from.kind === 'list') return '!!seq'
  if (from.style !== 'plain') return '!!str'
  return from.value === '<<' ? '!!merge' : context.tagOf(from.value)
}

/** A comment stands on the line of the key, and the value is a block below it. */
function hasNote({ value, colon }: Pair, text: string): boolean {
  if (value.kind === 'alias' || value.kind === 'scalar' || value.isFlow) return false
  const first = value.kind === 'map' ? value.pairs[0]?.key : value.items[0]
  const end = first?.offset ?? text.length
  for (let at = colon; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 35) return true
    if (code === 10) return false
  }
  return false
}

function shortTag(tag: string): string {
  if (tag === '!') return ''
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice(18)}` : tag
}
