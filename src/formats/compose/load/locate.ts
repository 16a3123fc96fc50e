/** From a path in the resolved model back to where it was written. */
import type { Node } from '../yaml/node.ts'
import type { SourceLocation } from '../yaml/source.ts'

export type PlaceOf = (path: readonly (string | number)[]) => SourceLocation | undefined

/** The nearest thing on the way that was written: a default has the place of what it belongs to. */
export function placesIn(root: Node): PlaceOf {
  return (path) => {
    let node = root
    let isFound = path.length === 0
    for (const key of path) {
      const next = child(node, key)
      if (next === undefined) break
      node = next
      isFound = true
    }
    return isFound ? node.place : undefined
  }
}

/** A list of `key=value` is a mapping in the resolved model. */
function child(node: Node, key: string | number): Node | undefined {
  if (node.kind === 'map') return node.entries.get(String(key))
  if (node.kind !== 'list') return undefined
  if (typeof key === 'number') return node.items[key]
  return node.items.find(
    (item) => item.kind === 'text' && (item.value === key || item.value.startsWith(`${key}=`)),
  )
}
