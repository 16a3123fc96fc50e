/** The fields that a path with wildcards and patterns leads to; they can be made on the way. */
import { fail } from '../error.ts'
import {
  get,
  isElement,
  isIndexNumber,
  kindFor,
  requireKind,
  setField,
  splitElement,
} from '../yaml/fields.ts'
import { goRegExp } from './go-regexp.ts'
import { type Kind, type Node, emptyNode, push, scalar } from '../yaml/node.ts'
import { parseOne } from '../yaml/parse.ts'
import { printNode } from '../print/print-node.ts'

/** Undefined: the path leads nowhere. */
export function matches(
  node: Node,
  path: readonly string[],
  create: Kind | undefined,
): Node[] | undefined {
  const [part, ...rest] = path
  if (part === undefined) return [node]
  if (isIndexNumber(part)) return atIndex(node, Number(part), rest, create)
  if (isElement(part)) return atElements(node, part, rest, create)
  if (part === '*') {
    requireKind(node, 'list')
    const found = node.content.flatMap((item) => matches(item, rest, create) ?? [])
    return found.length === 0 ? undefined : found
  }
  return atField(node, part, rest, create)
}

function atField(
  node: Node,
  name: string,
  rest: readonly string[],
  create: Kind | undefined,
): Node[] | undefined {
  let found = get(node, name)
  if (found === undefined) {
    if (create === undefined) return undefined
    found = emptyNode(kindFor(rest[0] ?? '', create))
    setField(node, name, found)
  }
  if (found.kind === 'scalar' && rest.length > 0) {
    const inner = parseOne(found.value, '', 'new')
    return inner === undefined ? undefined : matches(inner, rest, create)
  }
  return matches(found, rest, create)
}

function atIndex(
  node: Node,
  index: number,
  rest: readonly string[],
  create: Kind | undefined,
): Node[] | undefined {
  requireKind(node, 'list')
  if (node.content.length === index && create !== undefined) {
    push(node, emptyNode(kindFor(rest[0] ?? '', create)))
  }
  const item = node.content[index]
  if (item === undefined) return fail(`there is no item ${index}, only ${node.content.length}`)
  return matches(item, rest, create)
}

function atElements(
  node: Node,
  part: string,
  rest: readonly string[],
  create: Kind | undefined,
): Node[] | undefined {
  const [name, pattern] = splitElement(part)
  requireKind(node, 'list')
  const expression = goRegExp(pattern)
  const fitting = node.content.flatMap((item) => {
    if (name === '') return expression.test(written(item)) ? [item] : []
    const value = item.kind === 'map' ? get(item, name) : undefined
    if (value === undefined || !expression.test(written(value))) return []
    return matches(item, rest, create) ?? []
  })
  if (fitting.length > 0 || create === undefined) return fitting.length === 0 ? undefined : fitting
  const made = scalar(pattern)
  push(node, name === '' ? made : { ...emptyNode('map'), content: [scalar(name), made] })
  return atElements(node, part, rest, create)
}

function written(node: Node): string {
  return printNode(node).trim()
}
