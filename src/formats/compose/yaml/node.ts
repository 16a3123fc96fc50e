/** The tree that all phases work on: values as YAML has them, each knowing where it was written. Nodes are never changed, only replaced. */
import { failure } from '../compose-error.ts'
import type { SourceLocation } from './source.ts'
import { jsonTime } from './timestamp.ts'
import { defined } from '#model/defined.ts'

export type TextNode = {
  readonly kind: 'text'
  readonly value: string
  readonly place: SourceLocation
}
export type IntNode = {
  readonly kind: 'int'
  readonly value: bigint
  readonly place: SourceLocation
}
export type FloatNode = {
  readonly kind: 'float'
  readonly value: number
  readonly place: SourceLocation
}
type FlagNode = {
  readonly kind: 'flag'
  readonly value: boolean
  readonly place: SourceLocation
}
type NullNode = { readonly kind: 'null'; readonly place: SourceLocation }
/** An unquoted date, which YAML takes for a point in time; `value` is its text. */
type TimeNode = {
  readonly kind: 'time'
  readonly value: string
  readonly place: SourceLocation
}
export type ListNode = {
  readonly kind: 'list'
  readonly items: readonly Node[]
  readonly place: SourceLocation
  /** in release 2 an empty list prints as null unless it was made so by a phase that gives lists: the reference does it thus */
  readonly isGiven?: true
}
export type MapNode = {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, Node>
  readonly place: SourceLocation
}
export type Node =
  | TextNode
  | IntNode
  | FloatNode
  | FlagNode
  | NullNode
  | TimeNode
  | ListNode
  | MapNode

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function text(value: string, place: SourceLocation): TextNode {
  return { kind: 'text', value, place }
}

export function flag(value: boolean, place: SourceLocation): FlagNode {
  return { kind: 'flag', value, place }
}

export function int(value: bigint, place: SourceLocation): IntNode {
  return { kind: 'int', value, place }
}

export function nothing(place: SourceLocation): NullNode {
  return { kind: 'null', place }
}

export function list(items: readonly Node[], place: SourceLocation): ListNode {
  return { kind: 'list', items, place }
}

export function map(entries: ReadonlyMap<string, Node>, place: SourceLocation): MapNode {
  return { kind: 'map', entries, place }
}

/** A map from what is known of it; absent entries are left out. */
export function mapOf(
  entries: Readonly<Record<string, Node | undefined>>,
  place: SourceLocation,
): MapNode {
  const filled = new Map<string, Node>()
  for (const [key, node] of Object.entries(entries)) if (node !== undefined) filled.set(key, node)
  return map(filled, place)
}

export function withEntry(node: MapNode, key: string, value: Node): MapNode {
  return { ...node, entries: new Map(node.entries).set(key, value) }
}

export function withoutEntry(node: MapNode, key: string): MapNode {
  if (!node.entries.has(key)) return node
  const entries = new Map(node.entries)
  entries.delete(key)
  return { ...node, entries }
}

/** The entry when it is a map; undefined when it is absent or something else. */
export function mapAt(node: MapNode, key: string): MapNode | undefined {
  const found = node.entries.get(key)
  return found?.kind === 'map' ? found : undefined
}

export function textAt(node: MapNode, key: string): string | undefined {
  const found = node.entries.get(key)
  return found?.kind === 'text' ? found.value : undefined
}

/** Equal in kind and value, wherever they were written. */
export function sameNode(a: Node, b: Node): boolean {
  if (a === b) return true
  if (a.kind === 'list' && b.kind === 'list') {
    return (
      a.items.length === b.items.length &&
      a.items.every((item, i) => sameNode(item, defined(b.items[i])))
    )
  }
  if (a.kind === 'map' && b.kind === 'map') {
    if (a.entries.size !== b.entries.size) return false
    for (const [key, value] of a.entries) {
      const other = b.entries.get(key)
      if (other === undefined || !sameNode(value, other)) return false
    }
    return true
  }
  if (a.kind === 'null' || b.kind === 'null') return a.kind === b.kind
  if (a.kind === 'list' || a.kind === 'map' || b.kind === 'list' || b.kind === 'map') return false
  return a.kind === b.kind && a.value === b.value
}

/** The tree as plain JSON. */
export function toJson(node: Node, release: 2 | 5 = 5): Json {
  if (node.kind === 'map') {
    const object: Record<string, Json> = {}
    for (const [key, value] of node.entries) put(object, key, toJson(value, release))
    return object
  }
  if (node.kind === 'list') {
    if (node.items.length === 0 && !node.isGiven && release === 2) return null
    return node.items.map((item) => toJson(item, release))
  }
  if (node.kind === 'null') return null
  if (node.kind === 'time') return jsonTime(node.value)
  if (node.kind === 'float' && !Number.isFinite(node.value)) {
    throw failure(node.place, `${node.value} cannot be written as JSON`, 'write it in quotes')
  }
  return node.kind === 'int' ? Number(node.value) : node.value
}

/** Sets a key that a user chose: `__proto__` must become a key like any other. */
export function put<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** How messages call what was found. */
export function describe(node: Node): string {
  const names = {
    text: 'text',
    int: 'a number',
    float: 'a number',
    flag: 'true or false',
    null: 'nothing',
    time: 'a date',
    list: 'a list',
    map: 'a mapping',
  } as const
  return names[node.kind]
}
