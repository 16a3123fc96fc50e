/** Builds the templates of one text: the actions, with Go's errors. */
import { GoError, TemplateError } from './errors.ts'
import type { Item } from './item.ts'
import { lexer, type Lexer } from './lexer.ts'
import {
  isEmptyTree,
  type Branch,
  type Invocation,
  type Node,
  type Nodes,
  type Pipe,
} from './nodes.ts'
import { pipelines } from './pipelines.ts'
import { quote, unquote } from './quote.ts'
import { toText } from './bytes.ts'
import { tokens } from './tokens.ts'

/** One named template with the text it came from, for the places in errors. */
export type Template = {
  readonly name: string
  readonly source: Source
  readonly root: Nodes
}
export type Source = { readonly name: string; readonly text: string }

type Shared = {
  readonly source: Source
  readonly lex: Lexer
  readonly found: Map<string, Template>
  readonly hasFunction: (name: string) => boolean
}

/** All templates of a text, the text itself under its own name. */
export function parse(
  source: Source,
  hasFunction: (name: string) => boolean,
): Map<string, Template> {
  const shared: Shared = { source, lex: lexer(source.text), found: new Map(), hasFunction }
  const tree = treeParser(shared)
  tree.add(source.name, tree.root())
  return shared.found
}

/** `end` and `else` close a list and are never part of the tree. */
type Closing = { readonly kind: 'end' | 'else'; readonly pos: number }

function treeParser(shared: Shared) {
  const { source } = shared
  const stream = tokens(shared.lex, source.name, fail)
  const { next, peek, nextNonSpace, peekNonSpace, backup, expect, unexpected } = stream
  const { pipeline, popVariables, countVariables } = pipelines(stream, fail, shared.hasFunction)
  let ranges = 0

  function fail(message: string): never {
    const line = stream.line()
    const place = { file: toText(source.name), line, column: 0 }
    const goText = toText(`template: ${source.name}:${line}: ${message}`)
    throw new TemplateError(place, `${place.file}:${line}: ${toText(message)}`, goText)
  }
  function root(): Nodes {
    const nodes: Node[] = []
    const { pos } = peek()
    while (peek().type !== 'eof') {
      if (peek().type === 'leftDelim') {
        const delimiter = next()
        if (isKeyword(nextNonSpace(), 'define')) {
          treeParser(shared).definition()
          continue
        }
        stream.backupTwo(delimiter)
      }
      const node = textOrAction()
      if (isClosing(node)) fail(`unexpected {{${node.kind}}}`)
      else nodes.push(node)
    }
    return { kind: 'list', pos, nodes }
  }
  function definition(): void {
    const context = 'define clause'
    const item = nextNonSpace()
    if (item.type !== 'string' && item.type !== 'rawString') unexpected(item, context)
    const name = unquoted(item)
    expect('rightDelim', context)
    const { list, closing } = itemList()
    if (closing !== 'end') fail(`unexpected {{${closing}}} in ${context}`)
    add(name, list)
  }
  function add(name: string, list: Nodes): void {
    const known = shared.found.get(name)
    if (known === undefined || isEmptyTree(known.root)) {
      shared.found.set(name, { name, source, root: list })
    } else if (!isEmptyTree(list)) fail(`template: multiple definition of template ${quote(name)}`)
  }
  function itemList(): { list: Nodes; closing: 'end' | 'else'; closedAt: number } {
    const nodes: Node[] = []
    const { pos } = peekNonSpace()
    while (peekNonSpace().type !== 'eof') {
      const node = textOrAction()
      if (isClosing(node)) {
        return { list: { kind: 'list', pos, nodes }, closing: node.kind, closedAt: node.pos }
      }
      nodes.push(node)
    }
    return fail('unexpected EOF')
  }
  function textOrAction(): Node | Closing {
    const item = nextNonSpace()
    if (item.type === 'text') return { kind: 'text', pos: item.pos, text: item.value }
    if (item.type !== 'leftDelim') unexpected(item, 'input')
    stream.startAction(item.line)
    const node = action()
    stream.startAction(0)
    return node
  }
  function action(): Node | Closing {
    const item = nextNonSpace()
    if (item.type === 'keyword') {
      switch (item.value) {
        case 'block':
          return block()
        case 'break':
        case 'continue':
          return jump(item.value, item.pos)
        case 'else':
          return elseClosing()
        case 'end':
          return { kind: 'end', pos: expect('rightDelim', 'end').pos }
        case 'if':
        case 'range':
        case 'with':
          return branch(item.value)
        case 'template':
          return invocation()
        default:
          break
      }
    }
    backup()
    const { pos } = peek()
    return { kind: 'action', pos, pipe: pipeline('command', 'rightDelim') }
  }
  function jump(kind: 'break' | 'continue', pos: number): Node {
    const item = nextNonSpace()
    if (item.type !== 'rightDelim') unexpected(item, `{{${kind}}}`)
    if (ranges === 0) fail(`{{${kind}}} outside {{range}}`)
    return { kind, pos }
  }
  function elseClosing(): Closing {
    const item = peekNonSpace()
    if (isKeyword(item, 'if') || isKeyword(item, 'with')) return { kind: 'else', pos: item.pos }
    return { kind: 'else', pos: expect('rightDelim', 'else').pos }
  }
  function branch(kind: 'if' | 'range' | 'with'): Branch {
    const mark = countVariables()
    const pipe = pipeline(kind, 'rightDelim')
    if (kind === 'range') ranges++
    const { list, closing, closedAt } = itemList()
    if (kind === 'range') ranges--
    const elseList = closing === 'else' ? otherwise(kind, closedAt) : undefined
    popVariables(mark)
    return { kind, pos: pipe.pos, pipe, list, elseList }
  }
  function otherwise(kind: 'if' | 'range' | 'with', pos: number): Nodes {
    if (kind !== 'range' && isKeyword(peek(), kind)) {
      next()
      return { kind: 'list', pos, nodes: [branch(kind)] }
    }
    const { list, closing } = itemList()
    if (closing !== 'end') fail(`expected end; found {{${closing}}}`)
    return list
  }
  function block(): Invocation {
    const context = 'block clause'
    const item = nextNonSpace()
    const name = templateName(item, context)
    const pipe = pipeline(context, 'rightDelim')
    const inner = treeParser(shared)
    const { list, closing } = inner.itemList()
    if (closing !== 'end') fail(`unexpected {{${closing}}} in ${context}`)
    inner.add(name, list)
    return { kind: 'template', pos: item.pos, name, pipe }
  }
  function invocation(): Invocation {
    const context = 'template clause'
    const item = nextNonSpace()
    const name = templateName(item, context)
    let pipe: Pipe | undefined
    if (nextNonSpace().type !== 'rightDelim') {
      backup()
      pipe = pipeline(context, 'rightDelim')
    }
    return { kind: 'template', pos: item.pos, name, pipe }
  }
  function templateName(item: Item, context: string): string {
    if (item.type !== 'string' && item.type !== 'rawString') unexpected(item, context)
    return unquoted(item)
  }
  function unquoted(item: Item): string {
    try {
      return unquote(item.value)
    } catch (error) {
      return fail(error instanceof GoError ? error.text : String(error))
    }
  }
  return { root, definition, itemList, add }
}

function isKeyword(item: Item, word: string): boolean {
  return item.type === 'keyword' && item.value === word
}

function isClosing(node: Node | Closing): node is Closing {
  return node.kind === 'end' || node.kind === 'else'
}
