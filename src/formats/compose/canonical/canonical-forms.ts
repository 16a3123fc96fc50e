/** The short syntaxes of Compose, each written out long. */
import { wrong, type Context, type Form } from './canonical-form.ts'
import { failure } from '../compose-error.ts'
import { formatValue } from './format-value.ts'
import { flag, list, map, mapOf, nothing, text, withEntry, type Node } from '../yaml/node.ts'
import type { Path } from '../merge/path-rules.ts'

export const textAsList: Form = (node) => (node.kind === 'text' ? list([node], node.place) : node)

export const extendsForm: Form = (node) =>
  node.kind === 'text' ? mapOf({ service: node }, node.place) : node

export function buildForm(node: Node, path: Path, { below }: Context): Node {
  if (node.kind === 'text') return mapOf({ context: node }, node.place)
  if (node.kind === 'map') return below(node)
  throw wrong(node, path, 'a path or a mapping')
}

export function asText(node: Node): Node {
  return node.kind === 'text' ? node : text(formatValue(node), node.place)
}

/** Empty entries of `dns` are dropped. */
export function dnsForm(node: Node): Node {
  const items = node.kind === 'list' ? node.items : [node]
  if (node.kind !== 'list' && node.kind !== 'text') return node
  const kept = items.filter(
    (item) => item.kind !== 'null' && !(item.kind === 'text' && item.value === ''),
  )
  return list(kept, node.place)
}

export function keyValues(node: Node, path: Path, { isLenient }: Context): Node {
  if (node.kind === 'map') return node
  if (node.kind !== 'list') throw wrong(node, path, 'a mapping or a list of key=value')
  const entries = new Map<string, Node>()
  for (const item of node.items) {
    const equals = item.kind === 'text' ? item.value.indexOf('=') : -1
    if (item.kind !== 'text' || equals === -1) {
      if (isLenient && item.kind === 'text') return node
      throw wrong(item, path, 'a list of key=value')
    }
    entries.set(item.value.slice(0, equals), text(item.value.slice(equals + 1), item.place))
  }
  return map(entries, node.place)
}

export function sshKeyForm(node: Node, path: Path): Node {
  if (node.kind === 'map') return node
  if (node.kind !== 'list') throw wrong(node, path, 'a list of ssh keys')
  const entries = new Map<string, Node>()
  for (const item of node.items) {
    if (item.kind !== 'text') throw wrong(item, path, 'a list of ssh keys')
    const equals = item.value.indexOf('=')
    if (equals === -1 && item.value !== 'default') {
      throw failure(item.place, `${path.join('.')}: "${item.value}" is neither default nor id=path`)
    }
    const id = equals === -1 ? item.value : item.value.slice(0, equals)
    entries.set(
      id,
      equals === -1 ? nothing(item.place) : text(item.value.slice(equals + 1), item.place),
    )
  }
  return map(entries, node.place)
}

export function ulimitForm(node: Node, path: Path): Node {
  if (node.kind === 'map' || node.kind === 'int') return node
  throw wrong(node, path, 'a whole number or soft and hard')
}

export function fileMountForm(node: Node, path: Path): Node {
  if (node.kind === 'map') return node
  if (node.kind === 'text') return mapOf({ source: node }, node.place)
  throw wrong(node, path, 'a name or a mapping')
}

export function dependenciesForm(node: Node, path: Path): Node {
  if (node.kind !== 'map' && node.kind !== 'list') throw wrong(node, path, 'a list or a mapping')
  const entries = new Map<string, Node>()
  for (const [key, item] of node.kind === 'map' ? node.entries : node.items.entries()) {
    const { place } = item
    const defaults = { condition: text('service_started', place), required: flag(true, place) }
    if (node.kind === 'list') {
      if (item.kind !== 'text') throw wrong(item, path, 'a list of service names')
      entries.set(item.value, mapOf(defaults, place))
    } else {
      if (item.kind !== 'map') throw wrong(item, [...path, String(key)], 'a mapping')
      entries.set(String(key), map(new Map([...Object.entries(defaults), ...item.entries]), place))
    }
  }
  return map(entries, node.place)
}

export function envFilesForm(node: Node, path: Path): Node {
  if (node.kind !== 'text' && node.kind !== 'list') throw wrong(node, path, 'a path or a list')
  const items = node.kind === 'list' ? node.items : [node]
  const files = items.map((item) => {
    const required = flag(true, item.place)
    if (item.kind === 'text') return mapOf({ path: item, required }, item.place)
    if (item.kind !== 'map') return nothing(item.place)
    return item.entries.has('required') ? item : withEntry(item, 'required', required)
  })
  return list(files, node.place)
}

export function gpusForm(node: Node, path: Path): Node {
  if (node.kind === 'list') return node
  if (node.kind !== 'text') throw wrong(node, path, '"all" or a list')
  return list([mapOf({ count: text('all', node.place) }, node.place)], node.place)
}

export function namesToMap(node: Node, path: Path): Node {
  if (node.kind !== 'list') return node
  const entries = new Map<string, Node>()
  for (const item of node.items) {
    if (item.kind !== 'text') throw wrong(item, path, 'a list of names')
    entries.set(item.value, nothing(item.place))
  }
  return map(entries, node.place)
}

/** `external: {name: x}` is the old way to write `external: true` and `name: x`. */
export function externalForm(node: Node, path: Path, { warn, below }: Context): Node {
  if (node.kind === 'null') return node
  if (node.kind !== 'map') throw wrong(node, path, 'a mapping')
  const resource = below(node)
  const given = node.entries.get('external')
  if (resource.kind !== 'map' || given?.kind !== 'map') return resource
  const marked = withEntry(resource, 'external', flag(true, given.place))
  const name = given.entries.get('name')
  if (name === undefined) return marked
  warn(`${path.join('.')}: external.name is deprecated. Please set name and external: true`)
  const own = node.entries.get('name')
  if (own === undefined) return withEntry(marked, 'name', name)
  if (own.kind === 'text' && name.kind === 'text' && own.value === name.value) return marked
  throw failure(name.place, `${path.join('.')}: name and external.name differ`, 'keep name only')
}
