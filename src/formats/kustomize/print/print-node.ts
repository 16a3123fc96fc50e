/** Nodes to YAML in the styles they were written in, as kustomize writes data that it changed inside a text. */
import { fail } from '../error.ts'
import { choices, inDoubleQuotes, inSingleQuotes } from './quoting.ts'
import { resolve } from '../yaml/scalar.ts'
import {
  type Node,
  doubleQuoted,
  flow,
  folded,
  literal,
  singleQuoted,
  tagged,
  textTag,
  textual,
} from '../yaml/node.ts'
import { defined } from '#model/defined.ts'

export function printNode(node: Node): string {
  if (node.kind === 'scalar')
    return `${scalarText(node, { indent: 0, isInFlow: false, isKey: false })}\n`
  if (isInline(node)) return `${inline(node, 0)}\n`
  const lines: string[] = []
  if (node.kind === 'map') printMap(node, 0, '', lines)
  else printList(node, 0, '', lines)
  return `${lines.join('\n')}\n`
}

function isInline(node: Node): boolean {
  return node.kind !== 'scalar' && ((node.style & flow) !== 0 || node.content.length === 0)
}

function printMap(map: Node, indent: number, first: string, lines: string[]): void {
  let lead = first === '' ? ' '.repeat(indent) : first
  for (let i = 0; i < map.content.length; i += 2) {
    const [key, value] = [defined(map.content[i]), defined(map.content[i + 1])]
    printComment(key, indent, lines)
    const start = `${lead}${scalarText(key, { indent, isInFlow: false, isKey: true })}:`
    printValue(value, indent, start, lines, 'map')
    lead = ' '.repeat(indent)
  }
}

function printList(list: Node, indent: number, first: string, lines: string[]): void {
  let lead = first === '' ? ' '.repeat(indent) : first
  for (const item of list.content) {
    printComment(item, indent, lines)
    if (isInline(item) || item.kind === 'scalar')
      printValue(item, indent, `${lead}-`, lines, 'list')
    else if (item.kind === 'map') printMap(item, indent + 2, `${lead}- `, lines)
    else printList(item, indent + 2, `${lead}- `, lines)
    lead = ' '.repeat(indent)
  }
}

function printValue(
  value: Node,
  indent: number,
  start: string,
  lines: string[],
  holder: 'map' | 'list',
): void {
  const comment =
    value.comments === undefined || value.comments.line === '' ? '' : ` ${value.comments.line}`
  if (isInline(value)) {
    lines.push(`${start} ${inline(value, indent)}${comment}`)
  } else if (value.kind === 'scalar') {
    const text = scalarText(value, { indent, isInFlow: false, isKey: false })
    lines.push(text === '' ? `${start}${comment}` : `${start} ${text}${comment}`)
  } else if (value.kind === 'map') {
    lines.push(`${start}${comment}`)
    printMap(value, indent + 2, '', lines)
  } else {
    lines.push(`${start}${comment}`)
    printList(value, holder === 'map' ? indent : indent + 2, '', lines)
  }
}

function printComment(node: Node, indent: number, lines: string[]): void {
  const head = node.comments?.head ?? ''
  if (head === '') return
  for (const line of head.split('\n')) lines.push(`${' '.repeat(indent)}${line}`)
}

function inline(node: Node, indent: number): string {
  if (node.kind === 'scalar') return scalarText(node, { indent, isInFlow: true, isKey: false })
  if (node.kind === 'list')
    return `[${node.content.map((item) => inline(item, indent)).join(', ')}]`
  const pairs: string[] = []
  for (let i = 0; i < node.content.length; i += 2) {
    const key = scalarText(defined(node.content[i]), { indent, isInFlow: true, isKey: true })
    pairs.push(`${key}: ${inline(defined(node.content[i + 1]), indent)}`)
  }
  return `{${pairs.join(', ')}}`
}

type Spot = { readonly indent: number; readonly isInFlow: boolean; readonly isKey: boolean }

function scalarText(node: Node, spot: Spot): string {
  const { value, style, tag } = node
  const found = resolve(value)[0]
  const isTextual = (style & textual) !== 0
  const isDropped = (style & tagged) === 0 && (tag === '' || tag === textTag || tag === found)
  const mustQuote = (style & tagged) === 0 && tag === textTag && !isTextual && found !== textTag
  const prefix = isDropped ? '' : `${tag} `
  const open = choices(value, 'new')
  let wanted = style & textual
  if (wanted === 0 && value.includes('\n')) wanted = literal
  if (wanted === 0 && mustQuote) wanted = doubleQuoted
  if (spot.isKey && open.multiline) wanted = doubleQuoted
  if (wanted === 0) {
    const isOpen = spot.isInFlow ? open.plainInFlow : open.plain
    const isBlank = value === '' && (spot.isInFlow || spot.isKey)
    if (isOpen && !isBlank) return value === '' ? prefix.trimEnd() : `${prefix}${value}`
    wanted = singleQuoted
  }
  if ((wanted & singleQuoted) !== 0 && !open.single) wanted = doubleQuoted
  if ((wanted & (literal | folded)) !== 0 && (!open.block || spot.isInFlow || spot.isKey)) {
    wanted = doubleQuoted
  }
  if ((wanted & doubleQuoted) !== 0) return `${prefix}${inDoubleQuotes(value)}`
  if ((wanted & singleQuoted) !== 0) {
    return prefix + brokenLines(inSingleQuotes(value), spot.indent + 2)
  }
  if ((wanted & literal) !== 0) return `${prefix}${block(value, spot.indent + 2, '|')}`
  return `${prefix}${block(foldedLines(value), spot.indent + 2, '>')}`
}

/** In single quotes a line break takes an empty line, and what follows it the margin. */
function brokenLines(quoted: string, indent: number): string {
  const margin = ' '.repeat(indent)
  return quoted
    .replace(/(?<!\n)\n+(.)/g, (found, next: string, at: number) =>
      at + found.length === quoted.length
        ? `\n${found}`
        : `\n${found.slice(0, -1)}${margin}${next}`,
    )
    .replace(/(?<=[\u2028\u2029])[^\u2028\u2029]/g, `${margin}$&`)
}

/** A folded text needs an empty line for each of its own line breaks. */
function foldedLines(value: string): string {
  if (/\n[ \t]/.test(value)) fail('a folded text with indented lines is not supported here')
  return value.replace(/([^\n])\n(?=[^\n])/g, '$1\n\n')
}

function block(text: string, indent: number, sign: '|' | '>'): string {
  if (text.startsWith('\t')) fail('a text of several lines starts with a tab')
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomp = !text.endsWith('\n') ? '-' : /^\n$|\n\n$/.test(text) ? '+' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))
  return `${sign}${hint}${chomp}\n${lines.join('\n')}`
}
