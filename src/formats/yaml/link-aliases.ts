/** Tells every alias its anchor in one walk, and finds what can't be plain data: the parser's own ways take the square of that. */
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml'
import type { Alias, Document, Node } from 'yaml'

type Anchored = { count: number; aliasCount: number; res?: unknown }

/** What `toJS` hands down; of it only this counts here. */
type Context = { readonly anchors: Map<Node, Anchored>; readonly maxAliasCount: number }

type Targets = Map<Alias, Node>

export type Linked = {
  /** The first alias whose anchor is nowhere before it. */
  readonly unresolved: { readonly name: string; readonly offset: number } | undefined
  /** Where a key begins that its map has already. */
  readonly duplicates: readonly number[]
  /** Where a map or a list begins that is a key. */
  readonly collectionKeys: readonly number[]
  /** Where the first `<<` stands that is given something which is no map, no list of maps and no alias of one. */
  readonly badMerge: number | undefined
  /** The first alias that stands inside of what it means: such a value never ends. */
  readonly endless: { readonly name: string; readonly offset: number } | undefined
}

export function linkAliases(document: Document.Parsed): Linked {
  const anchors = new Map<string, Node>()
  const targets: Targets = new Map()
  const duplicates: number[] = []
  const collectionKeys: number[] = []
  let unresolved: Linked['unresolved']
  let endless: Linked['endless']
  let badMerge: number | undefined
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.source !== '<<' || key.type !== 'PLAIN') return
      const sources = isSeq(value) ? value.items : [value]
      const meant = sources.map((one) => (isAlias(one) ? anchors.get(one.source) : one))
      if (!meant.every((one) => one === undefined || isMap(one))) badMerge ??= key.range?.[0] ?? 0
    },
    Node(key, node, path) {
      if (isAlias(node)) {
        const found = anchors.get(node.source)
        const here = { name: node.source, offset: node.range?.[0] ?? 0 }
        if (found === undefined) unresolved ??= here
        else if (path.includes(found)) endless ??= here
        else targets.set(node, found)
        link(node, targets)
        return
      }
      if (key === 'key' && isCollection(node)) collectionKeys.push(node.range?.[0] ?? 0)
      if (isMap(node)) duplicates.push(...duplicatesIn(node.items))
      if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node)
    },
  })
  return { unresolved, duplicates, collectionKeys, badMerge, endless }
}

function duplicatesIn(items: readonly { readonly key: unknown }[]): readonly number[] {
  const seen = new Set<unknown>()
  const found: number[] = []
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (seen.has(key.value)) found.push(key.range?.[0] ?? 0)
    seen.add(key.value)
  }
  return found
}

/** As the parser's own, which looks through all aliases and anchors each time. */
function link(alias: Alias, targets: Targets): void {
  Object.defineProperty(alias, 'resolve', {
    value: (_: Document, context?: Context) => {
      const found = targets.get(alias)
      if (found !== undefined && context !== undefined) countUse(found, context, targets)
      return found
    },
  })
}

function countUse(found: Node, { anchors, maxAliasCount }: Context, targets: Targets): void {
  const data = anchors.get(found)
  if (data === undefined || data.res === undefined) throw new ReferenceError('it holds itself')
  data.count += 1
  if (data.aliasCount === 0) data.aliasCount = aliasCount(found, anchors, targets)
  if (data.count * data.aliasCount > maxAliasCount) throw new ReferenceError('too many')
}

/** How often at most an alias inside is multiplied already; 1 for what holds none. */
function aliasCount(node: unknown, anchors: Context['anchors'], targets: Targets): number {
  const inside = (one: unknown): number => aliasCount(one, anchors, targets)
  if (isAlias(node)) {
    const target = targets.get(node)
    const data = target && anchors.get(target)
    return data === undefined ? 0 : data.count * data.aliasCount
  }
  if (isCollection(node)) {
    return node.items.reduce<number>((most, item) => Math.max(most, inside(item)), 0)
  }
  return isPair(node) ? Math.max(inside(node.key), inside(node.value)) : 1
}
