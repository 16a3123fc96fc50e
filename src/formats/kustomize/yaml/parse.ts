/** YAML text to nodes: documents split as kustomize splits them, aliases and merge keys resolved. */
import {
  parseFirstDocument,
  type Pair,
  type Syntax,
  type SyntaxScalar,
} from '#formats/go-yaml/syntax.ts'
import { YamlSyntaxError } from '#formats/go-yaml/yaml-syntax-error.ts'
import { placing } from '#formats/yaml/placing.ts'
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
  const lineAt = placing(text)
  const context = {
    lineOf: (offset: number) => lineAt(offset).line + line,
    resolve: reader === 'old' ? resolveOld : resolve,
    file,
    text,
    anchors: new Map<string, Node>(),
  }
  const document = syntaxOf(context)
  if (document === undefined) return undefined
  return unaliased(nodeOf(document, context), file)
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
  /** The line of the file that an offset of the text is in. */
  readonly lineOf: (offset: number) => number
  readonly resolve: typeof resolve
  readonly file: string
  readonly text: string
  readonly anchors: Map<string, Node>
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
    const meant = context.anchors.get(from.name)
    if (meant === undefined) {
      throw new KustomizeError(`nothing is called &${from.name}`, { file: context.file, line })
    }
    return { ...blank(line), tag: '*', content: [meant] }
  }
  const node = blank(line)
  if (from.anchor !== '') context.anchors.set(from.anchor, node)
  const tag = shortTag(from.tag)
  const isTagged = tag === '' ? 0 : tagged
  if (from.kind === 'scalar') {
    node.value = from.value
    node.style = styles[from.style] | isTagged
    node.tag = tag === '' ? tagOf(from, context) : tag
    return node
  }
  node.kind = from.kind
  node.tag = tag === '' ? (from.kind === 'map' ? '!!map' : '!!seq') : tag
  node.style = (from.isFlow ? flow : 0) | isTagged
  if (from.kind === 'list') {
    for (const item of from.items) push(node, nodeOf(item, context))
    return node
  }
  for (const pair of from.pairs) {
    const [key, value] = [nodeOf(pair.key, context), nodeOf(pair.value, context)]
    if (hasNote(pair, context.text)) key.comments = keyNote
    push(node, key, value)
  }
  return node
}

function tagOf({ style, value }: SyntaxScalar, context: Context): string {
  if (style !== 'plain') return '!!str'
  return value === '<<' ? '!!merge' : context.resolve(value)[0]
}

/** A comment stands on the line of the key, and the value is a block below it. */
function hasNote({ value, colon }: Pair, text: string): boolean {
  if (value.kind === 'alias' || value.kind === 'scalar' || value.isFlow) return false
  const first = value.kind === 'map' ? value.pairs[0]?.key : value.items[0]
  return /^[^\n]*#/.test(text.slice(colon, first?.offset))
}

function shortTag(tag: string): string {
  if (tag === '!') return ''
  return tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice(18)}` : tag
}

function blank(line: number): Node {
  return { kind: 'scalar', tag: '', value: '', style: 0, content: none, line }
}
