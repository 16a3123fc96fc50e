/** Who waits for whom: order, and the cycle when there is none. */
import type { Ref } from '#model/ref.ts'

/** Each node with the nodes that come before it. Nodes that are named but not keys are ignored. */
export type Graph = ReadonlyMap<Ref, readonly Ref[]>

/** Every node after all it waits for; ties in the graph's own order. Undefined when there is a cycle. */
export function orderOf(graph: Graph): readonly Ref[] | undefined {
  const waits = new Map<Ref, number>()
  const dependents = new Map<Ref, Ref[]>()
  const order: Ref[] = []
  for (const [node, before] of graph) {
    let count = 0
    for (const other of before) {
      if (!graph.has(other)) continue
      count += 1
      const list = dependents.get(other)
      if (list === undefined) dependents.set(other, [node])
      else list.push(node)
    }
    if (count === 0) order.push(node)
    else waits.set(node, count)
  }
  for (const node of order) {
    for (const dependent of dependents.get(node) ?? []) {
      const left = waits.get(dependent)! - 1
      waits.set(dependent, left)
      if (left === 0) order.push(dependent)
    }
  }
  return order.length === graph.size ? order : undefined
}

/** The nodes of one cycle in order, the first not repeated; undefined when there is none. Without recursion: charts may be deep. */
export function cycleOf(graph: Graph): readonly Ref[] | undefined {
  const done = new Set<Ref>()
  for (const start of graph.keys()) {
    if (done.has(start)) continue
    const path: Ref[] = []
    const places = new Map<Ref, number>()
    const stack: { readonly node: Ref; next: number }[] = [{ node: start, next: 0 }]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      if (top.next === 0) {
        places.set(top.node, path.length)
        path.push(top.node)
      }
      const other = graph.get(top.node)?.[top.next]
      top.next += 1
      if (other === undefined) {
        stack.pop()
        path.pop()
        places.delete(top.node)
        done.add(top.node)
      } else if (places.has(other)) {
        return path.slice(places.get(other))
      } else if (graph.has(other) && !done.has(other)) {
        stack.push({ node: other, next: 0 })
      }
    }
  }
  return undefined
}

/** `web → db → cache → web` */
export function cycleText(cycle: readonly Ref[]): string {
  return [...cycle, cycle[0]].join(' → ')
}
