/** Reading and writing fields of nodes, with kustomize's rules on what is created, kept and quoted. */
import { fail } from '../error.ts'
import { looksTyped } from './scalar.ts'
import {
  type Kind,
  type Node,
  doubleQuoted,
  emptyNode,
  isNull,
  isText,
  nullTag,
  overwrite,
  push,
  pushPair,
  scalar,
} from './node.ts'
import { defined } from '#model/defined.ts'

const names = { map: 'a map', list: 'a list', scalar: 'a single value' }

export function requireKind(node: Node | undefined, kind: Kind): void {
  if (node === undefined || isNull(node) || node.kind === kind) return
  fail(`expected ${names[kind]} but found ${names[node.kind]}`)
}

/** The value of a field; undefined also for what is no map. */
export function field(node: Node | undefined, name: string): Node | undefined {
  if (node === undefined || node.kind !== 'map') return undefined
  const { content } = node
  for (let i = 0; i < content.length; i += 2) {
    if (defined(content[i]).value === name) return content[i + 1]
  }
  return undefined
}

/** As `field`, but a list or a single value is a mistake. */
export function get(node: Node | undefined, name: string): Node | undefined {
  if (isNull(node)) return undefined
  requireKind(node, 'map')
  return field(node, name)
}

export function isIndexNumber(part: string): boolean {
  return /^\+?\d+$/.test(part)
}

export function isElement(part: string): boolean {
  return part.startsWith('[') && part.endsWith(']') && part.length > 1
}

/** `[name=value]` in two. */
export function splitElement(part: string): readonly [name: string, value: string] {
  const inner = part.slice(1, -1)
  const at = inner.indexOf('=')
  if (at < 0) fail(`${part} must have the form [field=value]`)
  return [inner.slice(0, at), inner.slice(at + 1)]
}

/** Follows a path of fields, numbers, `-` for the last item and `[field=value]`. */
export function lookup(node: Node, path: readonly string[]): Node | undefined {
  return follow(node, path, undefined)
}

/** As `lookup`; what is missing is made, the last part as `kind`. */
export function lookupCreate(node: Node, kind: Kind, path: readonly string[]): Node {
  return follow(node, path, kind) ?? fail(`${path.join('.')} can't be created`)
}

function follow(start: Node, path: readonly string[], create: Kind | undefined): Node | undefined {
  let node: Node | undefined = start
  for (let i = 0; i < path.length; i++) {
    const part = defined(path[i]).trim()
    if (part === '') continue
    node = step(node, part, create === undefined ? '' : partFrom(path, i + 1), create)
    if (node === undefined) return undefined
  }
  return node
}

/** The next part that is not blank; empty if there is none. */
function partFrom(path: readonly string[], start: number): string {
  for (let i = start; i < path.length; i++) {
    const part = defined(path[i]).trim()
    if (part !== '') return part
  }
  return ''
}

/** It is the name of a field for sure. */
function startsWithLetter(part: string): boolean {
  const code = part.charCodeAt(0) | 32
  return code >= 97 && code <= 122
}

function step(node: Node, part: string, next: string, create: Kind | undefined): Node | undefined {
  if (startsWithLetter(part)) return fieldOf(node, part, next, create)
  if (/^-\d+$/.test(part) && part !== '-0') fail(`the index ${part} is negative`)
  if (isIndexNumber(part) || part === '-0' || part === '-') {
    requireKind(node, 'list')
    if (part !== '-') return node.content[Number(part)]
    return node.content.at(-1) ?? fail('the list is empty')
  }
  if (part === '*') fail('* is not possible here')
  return isElement(part) ? elementOf(node, part, create) : fieldOf(node, part, next, create)
}

function fieldOf(
  node: Node,
  part: string,
  next: string,
  create: Kind | undefined,
): Node | undefined {
  const found = get(node, part)
  if (found !== undefined || create === undefined || isNull(node)) return found
  const made = emptyNode(kindFor(next, create))
  return setField(node, part, made)
}

/** What a path goes on with tells what has to be made for it. */
export function kindFor(next: string, last: Kind): Kind {
  if (next === '') return last
  return isElement(next) || isIndexNumber(next) ? 'list' : 'map'
}

function elementOf(node: Node, part: string, create: Kind | undefined): Node | undefined {
  const [name, value] = splitElement(part)
  const found = findElement(node, [name], [value])
  if (found !== undefined || create === undefined) return found
  const made = scalar(value)
  const element = name === '' ? made : { ...emptyNode('map'), content: [scalar(name), made] }
  push(node, element)
  return element
}

/** The first item whose fields have these values; with an empty name, the item that is the value. */
function findElement(
  list: Node,
  keys: readonly string[],
  values: readonly string[],
): Node | undefined {
  requireKind(list, 'list')
  if ((keys[0] ?? '') === '') return list.content.find((item) => item.value === (values[0] ?? ''))
  return list.content.find(
    (item) =>
      item.kind === 'map' && keys.every((key, i) => field(item, key)?.value === (values[i] ?? '')),
  )
}

/** Sets a field of a map; null or nothing removes it. The style of a value that is replaced stays. */
export function setField(
  map: Node,
  name: string,
  value: Node | undefined,
  keyStyle = 0,
): Node | undefined {
  if (value === undefined || (value.tag === nullTag && !keptNulls.has(value))) {
    return clearField(map, name)
  }
  quoteIfNeeded(value)
  const found = get(map, name)
  if (found !== undefined) {
    value.style = found.style
    overwrite(found, value)
    return found
  }
  pushPair(map, scalar(name, '', keyStyle), value)
  return value
}

/** Nulls that were there before a patch, and stay. */
export const keptNulls = new WeakSet<Node>()

/** Replaces a single value by another, in the style of the old one. */
export function setScalar(node: Node, value: string, tag = ''): void {
  requireKind(node, 'scalar')
  if (tag === nullTag) return
  overwrite(node, scalar(value, tag, node.style))
}

/** A text that an old reader would take for a number gets quotes. */
function quoteIfNeeded(value: Node): void {
  if (isText(value) && value.style === 0 && looksTyped(value.value)) value.style = doubleQuoted
}

export function clearField(map: Node | undefined, name: string): undefined {
  if (map === undefined) return undefined
  requireKind(map, 'map')
  for (let i = 0; i < map.content.length; i += 2) {
    if (defined(map.content[i]).value !== name) continue
    map.content.splice(i, 2)
    return undefined
  }
  return undefined
}

/** The names of a map's fields, in order. */
export function fieldNames(node: Node | undefined): string[] {
  if (node === undefined || isNull(node)) return []
  requireKind(node, 'map')
  const found: string[] = []
  for (let i = 0; i < node.content.length; i += 2) found.push(defined(node.content[i]).value)
  return found
}

/** Splits at a separator that no backslash precedes. */
export function splitPath(path: string, separator: string): string[] {
  let parts = path.split(separator)
  if (parts.length > 1 && parts[0] === '') parts = parts.slice(1)
  const result = [defined(parts[0])]
  for (const part of parts.slice(1)) {
    const last = defined(result.at(-1))
    if (last.endsWith('\\')) result[result.length - 1] = last.slice(0, -1) + separator + part
    else result.push(part)
  }
  return result
}

/** As `splitPath`, but what stands in brackets stays together. */
export function splitFieldPath(path: string): string[] {
  const result: string[] = []
  const parts = splitPath(path, '.')
  for (let i = 0; i < parts.length; i++) {
    let part = defined(parts[i])
    if (!part.startsWith('[') || part.endsWith(']')) {
      result.push(part)
      continue
    }
    while (i < parts.length - 1 && !(part.endsWith(']') && part.includes('.'))) {
      i++
      part += `.${defined(parts[i])}`
    }
    result.push(part.includes('=') ? part : part.replace(/^[[\]]+|[[\]]+$/g, ''))
  }
  return result
}
