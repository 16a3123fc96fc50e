/** Follows a path through a parsed document to the node it leads to. */
import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair } from 'yaml'

export type YamlPath = readonly (string | number)[]

type FoundNode = {
  readonly valueOffset: number | undefined
  readonly keyOffset: number | undefined
  readonly source: string | undefined
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

type Step = { readonly key: Node | undefined; readonly value: Node | undefined }

/** A path that leads nowhere gives the offsets of the last node on its way and no ranges. */
export function findNode(document: Document.Parsed, path: YamlPath): FoundNode {
  let here: Step = { key: undefined, value: document.contents ?? undefined }
  let last = offsetsOf(here)
  for (const part of path) {
    const next = stepInto(document, here.value, part)
    if (next === undefined) return { ...last, source: undefined, ranges: [] }
    here = next
    last = offsetsOf(here, last)
  }
  const target = resolve(document, here.value)
  return {
    ...last,
    source: isScalar(target) ? target.source : undefined,
    ranges: [here.value, target].flatMap((node, index) =>
      node?.range && (index === 0 || node !== here.value)
        ? [{ start: node.range[0], end: node.range[1] }]
        : [],
    ),
  }
}

function offsetsOf(
  step: Step,
  before?: Pick<FoundNode, 'valueOffset' | 'keyOffset'>,
): Pick<FoundNode, 'valueOffset' | 'keyOffset'> {
  const value = step.value?.range?.[0]
  const key = step.key?.range?.[0]
  return {
    valueOffset: value ?? key ?? before?.valueOffset,
    keyOffset: key ?? value ?? before?.keyOffset,
  }
}

function stepInto(
  document: Document.Parsed,
  node: Node | undefined,
  part: string | number,
): Step | undefined {
  const inside = resolve(document, node)
  if (isSeq<Node>(inside)) {
    const item = typeof part === 'number' ? inside.items[part] : undefined
    return item === undefined ? undefined : { key: undefined, value: item }
  }
  return isMap<Node, Node>(inside) ? entryOf(document, inside.items, String(part)) : undefined
}

/** Own entries first, then those that `<<` brings in. */
function entryOf(
  document: Document.Parsed,
  items: readonly Pair<Node, Node | null>[],
  name: string,
): Step | undefined {
  const own = items.find((pair) => keyText(pair.key) === name)
  if (own !== undefined) return { key: own.key, value: own.value ?? undefined }
  for (const pair of items) {
    if (keyText(pair.key) !== '<<') continue
    const merged = resolve(document, pair.value ?? undefined)
    const sources = isSeq<Node>(merged) ? merged.items : [merged]
    for (const source of sources) {
      const from = resolve(document, source)
      const found = isMap<Node, Node>(from) ? entryOf(document, from.items, name) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}

function keyText(key: Node): string | undefined {
  if (!isScalar(key)) return undefined
  const { value } = key
  if (typeof value === 'symbol') return '<<'
  return typeof value === 'string' ? value : (key.source ?? '')
}

function resolve(document: Document.Parsed, node: Node | undefined): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node
}
