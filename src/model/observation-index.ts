/** Indexes over what is seen, made once for a plan: every step may ask, and none goes through the whole world again. */
import type { Observation } from './resource.ts'

export function indexedOnce<Index>(
  build: (world: Observation) => Index,
): (world: Observation) => Index {
  const made = new WeakMap<Observation, Index>()
  return (world) => {
    const known = made.get(world)
    if (known !== undefined) return known
    const index = build(world)
    made.set(world, index)
    return index
  }
}

/** Adds to the list under a key. */
export function addToList<Key, Item>(index: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = index.get(key)
  if (list === undefined) index.set(key, [item])
  else list.push(item)
}
