/** What `!reset` and `!override` take out of the definitions that came before. */
import { map, type MapNode, type Node } from '../yaml/node.ts'
import type { Path } from './path-rules.ts'

export function withoutCleared(root: MapNode, cleared: readonly Path[]): MapNode {
  let result: Node = root
  for (const path of cleared) result = without(result, path, 0)
  return result.kind === 'map' ? result : root
}

/** Items of lists cannot be taken out one by one: their place in the other list says nothing. */
function without(node: Node, path: Path, depth: number): Node {
  const key = path[depth]
  if (node.kind !== 'map' || key === undefined) return node
  const inner = node.entries.get(key)
  if (inner === undefined) return node
  const entries = new Map(node.entries)
  if (depth === path.length - 1) entries.delete(key)
  else entries.set(key, without(inner, path, depth + 1))
  return map(entries, node.place)
}
