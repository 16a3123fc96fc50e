/** Text to resources: checks that each document is a Kubernetes object, and takes lists apart. */
import { KustomizeError, type FileLine } from '../error.ts'
import { field } from '../yaml/fields.ts'
import { type Node, doubleQuoted, flow, isNullOrEmpty, none } from '../yaml/node.ts'
import { parseDocuments } from '../yaml/parse.ts'
import { type Plain, jsonOf, plainOf } from '../yaml/plain.ts'
import { type Resource, apiVersionIn, kindOf, nameIn } from './resource.ts'
import { resolve } from '../yaml/scalar.ts'
import type { Schemas } from './schemas.ts'
import { defined } from '#model/defined.ts'

export function readResources(text: string, file: string, schemas: Schemas): Resource[] {
  const documents = parseDocuments(text, file)
  const nodes = isWrapped(documents) ? itemsOf(defined(documents[0])) : documents
  return expanded(valid(nodes, file), file).map((node) => resourceOf(node, file, schemas))
}

export function resourceOf(node: Node, file: string, schemas: Schemas): Resource {
  return { node, place: { file, line: Math.max(node.line, 1) }, schemas, varNames: [] }
}

/** A file of one List is its items. */
function isWrapped(documents: readonly Node[]): boolean {
  const [only, ...others] = documents
  if (only === undefined || others.length > 0) return false
  const kind = kindOf(only)
  if (kind !== 'List' && kind !== 'ResourceList') return false
  return field(only, 'items') !== undefined || field(only, 'functionConfig') !== undefined
}

function itemsOf(list: Node): Node[] {
  return field(list, 'items')?.content ?? []
}

function valid(nodes: readonly Node[], file: string): Node[] {
  const kept = nodes.filter((node) => !isNullOrEmpty(node))
  for (const node of kept) checkMetadata(node, { file, line: Math.max(node.line, 1) })
  return kept
}

/** A kind, and unless it is a list, a name. */
export function checkMetadata(node: Node, place: FileLine): void {
  const isObject = kindOf(node) !== '' || apiVersionIn(node) !== '' || nameIn(node) !== ''
  if (node.kind !== 'map' || !isObject) {
    throw new KustomizeError('this is no Kubernetes object: it has no kind and no name', place)
  }
  const kind = valueOfField(node, 'kind')
  if (kind === '') throw new KustomizeError('the object has no kind', place)
  if (kind.endsWith('List')) return
  if (nameIn(node) === '') throw new KustomizeError(`the ${kind} has no metadata.name`, place)
}

function valueOfField(node: Node, name: string): string {
  const found = field(node, name)
  return isNullOrEmpty(found) ? '' : defined(found).value
}

/** Items of a FooList come after everything else, as if each were a file of JSON. */
function expanded(nodes: readonly Node[], file: string): Node[] {
  const queue = [...nodes]
  const result: Node[] = []
  for (let i = 0; i < queue.length; i++) {
    const node = defined(queue[i])
    const items = kindOf(node).endsWith('List') ? field(node, 'items') : undefined
    if (items === undefined) {
      result.push(node)
      continue
    }
    if (items.tag === '!!null') continue
    const place = { file, line: Math.max(node.line, 1) }
    if (items.kind !== 'list') throw new KustomizeError('items is no list', place)
    for (const item of items.content) {
      const written = jsonNode(plainOf(item), item.line)
      queue.push(...valid([written], file))
    }
  }
  return result
}

/** A node as it would be read from JSON text. */
export function jsonNode(value: Plain, line: number): Node {
  if (Array.isArray(value)) {
    const content = value.map((item) => jsonNode(item, line))
    return { kind: 'list', tag: '!!seq', value: '', style: flow, content, line }
  }
  if (value instanceof Map) {
    const content = [...value].flatMap(([key, item]) => [jsonNode(key, line), jsonNode(item, line)])
    return { kind: 'map', tag: '!!map', value: '', style: flow, content, line }
  }
  const node: Node = { kind: 'scalar', tag: '!!str', value: '', style: 0, content: none, line }
  if (typeof value === 'string') return { ...node, value, style: doubleQuoted }
  const text = jsonOf(value)
  return { ...node, value: text, tag: resolve(text)[0] }
}
