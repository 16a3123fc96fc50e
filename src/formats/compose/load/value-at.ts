/** What stands at a path of the files, as they are. */
import { toJson, type Json, type MapNode, type Node } from '../yaml/node.ts'
import type { Release } from '../canonical/release.ts'

export function valueAt(
  root: MapNode,
  path: readonly (string | number)[],
  release: Release,
): Json | undefined {
  let node: Node | undefined = root
  for (const step of path) {
    if (node?.kind === 'map') node = node.entries.get(String(step))
    else node = node?.kind === 'list' ? node.items[Number(step)] : undefined
  }
  return node && toJson(node, release)
}
