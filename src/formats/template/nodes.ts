/** The parsed template: nodes, and each node as Go writes it in an error. */
import { quote } from './quote.ts'
import type { Numeral } from './numeral.ts'

export type Field = {
  readonly kind: 'field'
  readonly pos: number
  readonly names: readonly string[]
}
export type Variable = {
  readonly kind: 'variable'
  readonly pos: number
  readonly names: readonly string[]
}
type Chain = {
  readonly kind: 'chain'
  readonly pos: number
  readonly node: Argument
  readonly names: readonly string[]
}
export type Identifier = {
  readonly kind: 'identifier'
  readonly pos: number
  readonly name: string
}
export type Constant =
  | { readonly kind: 'dot'; readonly pos: number }
  | { readonly kind: 'nil'; readonly pos: number }
  | { readonly kind: 'bool'; readonly pos: number; readonly value: boolean }
  | {
      readonly kind: 'string'
      readonly pos: number
      readonly quoted: string
      readonly text: string
    }
export type Number = { readonly kind: 'number'; readonly pos: number; readonly numeral: Numeral }
export type Pipe = {
  readonly kind: 'pipe'
  readonly pos: number
  readonly isAssign: boolean
  readonly declared: readonly Variable[]
  readonly commands: readonly Command[]
}
export type Argument = Field | Variable | Chain | Identifier | Constant | Number | Pipe
export type Command = {
  readonly kind: 'command'
  readonly pos: number
  readonly first: Argument
  /** All arguments, the first included. */
  readonly args: readonly Argument[]
}
export type Branch = {
  readonly kind: 'if' | 'range' | 'with'
  readonly pos: number
  readonly pipe: Pipe
  readonly list: Nodes
  readonly elseList: Nodes | undefined
}
export type Invocation = {
  readonly kind: 'template'
  readonly pos: number
  readonly name: string
  readonly pipe: Pipe | undefined
}
export type Nodes = { readonly kind: 'list'; readonly pos: number; readonly nodes: readonly Node[] }
export type Node =
  | Nodes
  | Branch
  | Invocation
  | { readonly kind: 'text'; readonly pos: number; readonly text: string }
  | { readonly kind: 'action'; readonly pos: number; readonly pipe: Pipe }
  | { readonly kind: 'break' | 'continue'; readonly pos: number }

export type AnyNode = Node | Argument | Command

export function nodeText(node: AnyNode): string {
  switch (node.kind) {
    case 'list':
      return node.nodes.map(nodeText).join('')
    case 'text':
      return node.text
    case 'action':
      return `{{${nodeText(node.pipe)}}}`
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`
    case 'if':
    case 'range':
    case 'with': {
      const otherwise = node.elseList === undefined ? '' : `{{else}}${nodeText(node.elseList)}`
      return `{{${node.kind} ${nodeText(node.pipe)}}}${nodeText(node.list)}${otherwise}{{end}}`
    }
    case 'template': {
      const data = node.pipe === undefined ? '' : ` ${nodeText(node.pipe)}`
      return `{{template ${quote(node.name)}${data}}}`
    }
    case 'pipe': {
      const names = node.declared.map(nodeText).join(', ')
      const declared = names === '' ? '' : `${names} ${node.isAssign ? '=' : ':='} `
      return declared + node.commands.map(nodeText).join(' | ')
    }
    case 'command':
      return node.args.map(parenthesised).join(' ')
    case 'chain':
      return [parenthesised(node.node), ...node.names].join('.')
    case 'field':
      return `.${node.names.join('.')}`
    case 'variable':
      return node.names.join('.')
    case 'identifier':
      return node.name
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'bool':
      return String(node.value)
    case 'string':
      return node.quoted
    case 'number':
      return node.numeral.text
  }
}

function parenthesised(node: Argument): string {
  return node.kind === 'pipe' ? `(${nodeText(node)})` : nodeText(node)
}

/** Blank text and comments only: such a body does not replace a template of the same name. */
export function isEmptyTree(nodes: Nodes): boolean {
  return nodes.nodes.every((node) => {
    if (node.kind === 'list') return isEmptyTree(node)
    return node.kind === 'text' && /^(?:[\t-\r ]|\xc2[\x85\xa0])*$/.test(node.text)
  })
}
