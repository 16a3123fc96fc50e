/** The order in which nodes of a dependency graph come, or the cycle that leaves no order. */
import type { Ref } from '#model/ref.ts'
import { defined } from '#model/defined.ts'

/** Each node with the nodes that come before it. Nodes that are named but not keys are ignored. */
export type Graph = ReadonlyMap<Ref, readonly Ref[]>

/** Every node after all it waits for; ties in the graph's own order. Undefined when there is a cycle. */
export function orderOf(graph: Graph): readonly Ref[] | undefined {
  const nodes = [...graph.keys()]
  const places = placesOf(nodes)
  const order = orderOfPlaces(nodes.map((node) => placesBefore(defined(graph.get(node)), places)))
  return order && Array.from(order, (place) => defined(nodes[place]))
}

export type Places = ReadonlyMap<Ref, number>

export function placesOf(nodes: readonly Ref[]): Places {
  const places = new Map<Ref, number>()
  for (let place = 0; place < nodes.length; place += 1) places.set(defined(nodes[place]), place)
  return places
}

function placesBefore(before: readonly Ref[], places: Places): readonly number[] {
  return before.flatMap((node) => places.get(node) ?? [])
}

/** The same over numbered nodes, each with those before it: for large graphs, whose names are looked up once. */
export function orderOfPlaces(befores: readonly (readonly number[])[]): Uint32Array | undefined {
  const size = befores.length
  const waits = new Uint32Array(size)
  // dependents of node n stand in `dependents` from starts[n] up to starts[n + 1]
  const starts = new Uint32Array(size + 1)
  for (const before of befores)
    for (const place of before) starts[place + 1] = defined(starts[place + 1]) + 1
  for (let place = 0; place < size; place += 1)
    starts[place + 1] = defined(starts[place + 1]) + defined(starts[place])
  const dependents = new Uint32Array(defined(starts[size]))
  const filled = starts.slice(0, size)
  const order = new Uint32Array(size)
  let length = 0
  for (let place = 0; place < size; place += 1) {
    const before = defined(befores[place])
    waits[place] = before.length
    if (before.length === 0) order[length++] = place
    for (const other of before) {
      const at = defined(filled[other])
      dependents[at] = place
      filled[other] = at + 1
    }
  }
  for (let next = 0; next < length; next += 1) {
    const place = defined(order[next])
    for (let at = defined(starts[place]); at < defined(starts[place + 1]); at += 1) {
      const dependent = defined(dependents[at])
      waits[dependent] = defined(waits[dependent]) - 1
      if (waits[dependent] === 0) order[length++] = dependent
    }
  }
  return length === size ? order : undefined
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
      const top = defined(stack.at(-1))
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
