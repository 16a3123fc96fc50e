/** Joins two lists by the values of key fields: what the patch brings stands first, the rest keeps its order. */
import { field, requireKind, setField, setScalar } from '../yaml/fields.ts'
import {
  type Node,
  emptyNode,
  isEmptyMap,
  isNull,
  isNullOrEmpty,
  push,
  scalar,
} from '../yaml/node.ts'
import type { Schema } from '../load/schemas.ts'
import { defined } from '#model/defined.ts'

type Walk = (
  ours: Node | undefined,
  theirs: Node | undefined,
  items: Schema | undefined,
) => Node | undefined

export function joinLists(
  dest: Node,
  patch: Node | undefined,
  schema: Schema,
  walk: Walk,
): Node | undefined {
  const keys = schema.mergeKeys ?? []
  const sources = [dest, patch]
  if (keys.length === 0) return joinValues(dest, sources, walk, schema)
  const all = distinctValues([patch, dest], keys)
  return joinItems(dest, sources, keys, keys.length > 1 ? completed(all) : all, walk, schema)
}

/** The key values of all items, those of the patch first, each combination once. */
function distinctValues(lists: readonly (Node | undefined)[], keys: readonly string[]): string[][] {
  const seen = new Set<string>()
  const found: string[][] = []
  for (const list of lists) {
    for (const item of list?.content ?? []) {
      const values = keys.map((key) => valueIn(item, key))
      const together = JSON.stringify(values)
      if (seen.has(together)) continue
      seen.add(together)
      found.push(values)
    }
  }
  return found
}

function valueIn(item: Node, key: string): string {
  const found = field(item, key)
  return isNullOrEmpty(found) ? '' : defined(found).value
}

/** An item that leaves out a key is taken for one that has it, when all else agrees. */
function completed(all: string[][]): string[][] {
  for (let i = 0; i < all.length; i++) {
    const asItWas = defined(all[i])
    for (let j = 0; j < all.length; j++) {
      const both = agreeing(asItWas, defined(all[j]))
      if (both === undefined) continue
      all[i] = both
      all[j] = both
    }
  }
  return all
}

function agreeing(one: readonly string[], other: readonly string[]): string[] | undefined {
  let hasCommon = false
  const both: string[] = []
  for (const [i, value] of one.entries()) {
    const theirs = defined(other[i])
    if (value === theirs) hasCommon = true
    else if (value !== '' && theirs !== '') return undefined
    both.push(value === '' ? theirs : value)
  }
  return hasCommon ? both : undefined
}

/** Keys that no item has do not count, unless none counts then. */
function validKeys(
  all: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): readonly [keys: readonly string[], values: readonly string[]] {
  const used = new Set<string>()
  for (const one of all)
    for (const [i, value] of one.entries()) if (value !== '') used.add(defined(keys[i]))
  if (used.size === 0) return [keys, values]
  return [
    keys.filter((key) => used.has(key)),
    values.filter((value, i) => value !== '' || used.has(defined(keys[i]))),
  ]
}

function joinItems(
  dest: Node,
  sources: readonly (Node | undefined)[],
  keys: readonly string[],
  all: readonly (readonly string[])[],
  walk: Walk,
  schema: Schema,
): Node | undefined {
  const added = emptyNode('list')
  let lastKeys: readonly string[] = []
  for (const values of all) {
    const [valid, wanted] = validKeys(all, values, keys)
    lastKeys = valid
    const [ours, theirs] = sources.map((source) => itemIn(source, valid, wanted))
    const item = walk(ours, theirs, schema.items())
    if (isEmptyMap(item)) {
      setItem(dest, undefined, valid, wanted)
      continue
    }
    for (const [i, key] of valid.entries()) {
      if (field(item, key) !== undefined || wanted[i] === '') continue
      if (key === '') setScalar(defined(item), defined(wanted[i]))
      else setField(defined(item), key, scalar(defined(wanted[i])))
    }
    setItem(added, item, valid, wanted)
  }
  if (all.length === 0) return dest
  return append(added, dest, lastKeys)
}

function itemIn(
  list: Node | undefined,
  keys: readonly string[],
  values: readonly string[],
): Node | undefined {
  if (list === undefined || list.kind !== 'list') return undefined
  const [valid, wanted] = validKeys([values], values, keys)
  if ((valid[0] ?? '') === '') return list.content.find((item) => item.value === (wanted[0] ?? ''))
  if (valid.length !== wanted.length) return undefined
  return list.content.find(
    (item) => item.kind === 'map' && valid.every((key, i) => field(item, key)?.value === wanted[i]),
  )
}

/** Items of single values: each once. */
function joinValues(
  dest: Node,
  sources: readonly (Node | undefined)[],
  walk: Walk,
  schema: Schema,
): Node | undefined {
  const [, patch] = sources
  const all = new Set([...(patch?.content ?? []), ...dest.content].map((item) => item.value))
  return joinItems(
    dest,
    sources,
    [''],
    [...all].map((value) => [value]),
    walk,
    schema,
  )
}

function append(target: Node, from: Node, keys: readonly string[]): Node {
  for (const item of from.content) {
    if (keys[0] === '') {
      setItem(target, item, [''], [item.value])
      continue
    }
    const values: string[] = []
    for (const key of keys) {
      if (!isNull(item)) requireKind(item, 'map')
      const value = field(item, key)
      if (value === undefined) push(target, item)
      else values.push(value.value)
    }
    if (keys.length > 1) setItem(target, undefined, keys, values)
    setItem(target, item, keys, values)
  }
  return target
}

/** Puts an item in the place of those that have these values, or at the end; no item takes them away. */
function setItem(
  list: Node,
  item: Node | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  let isThere = false
  const isMapWanted = (keys[0] ?? '') !== '' && (values[0] ?? '') !== ''
  const kept: Node[] = []
  for (const one of list.content) {
    if (isEmptyMap(one)) continue
    if (one.kind !== 'map' && isMapWanted) {
      kept.push(one)
      continue
    }
    if (!fits(one, keys, values)) {
      if (values.length > 0) kept.push(one)
      continue
    }
    isThere = true
    if (item !== undefined) kept.push(item)
  }
  list.content = kept
  if (item === undefined || isNull(item)) return
  if (!isThere) push(list, item)
}

/** An empty wanted value fits any value, and a key without one is fitted by whatever fitted the key before. */
function fits(item: Node, keys: readonly string[], values: readonly string[]): boolean {
  let found: Node | undefined
  for (const [i, key] of (keys.length === 0 ? [''] : keys).entries()) {
    if (i < values.length) found = match(item, key, defined(values[i]))
    if (found === undefined) return false
  }
  return true
}

function match(item: Node, key: string, value: string): Node | undefined {
  if (key === '') {
    requireKind(item, 'scalar')
    return item.value === value ? item : undefined
  }
  requireKind(item, 'map')
  const found = field(item, key)
  return found !== undefined && (value === '' || found.value === value) ? found : undefined
}
