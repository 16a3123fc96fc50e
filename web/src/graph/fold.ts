/** Which nodes of a graph are shown: children of closed nodes are inside them, and many alike stand as one. */
import type { Graph, GraphNode } from '#model/api.ts'
import type { HealthState, SyncState } from '#model/assessment.ts'

export type ShownNode = {
  readonly id: string
  readonly node: GraphNode
  /** Those that it stands for, itself not counted. */
  readonly inside: readonly GraphNode[]
  /** So many of one kind it stands for, itself counted. */
  readonly alike?: number
  /** It can be opened or closed. */
  readonly isClosed: boolean | undefined
}

export type ShownEdge = { readonly from: string; readonly to: string; readonly until: string }

export type ShownGraph = {
  readonly nodes: readonly ShownNode[]
  readonly edges: readonly ShownEdge[]
}

/** As many alike as this are folded into one. */
const alike = 6
/** With more nodes than this what belongs to one other alone starts inside it. */
const many = 30

type Parents = ReadonlyMap<string, string>
type Children = ReadonlyMap<string, readonly GraphNode[]>

export function foldGraph(graph: Graph, toggled: ReadonlySet<string>): ShownGraph {
  const isLarge = graph.nodes.length > many
  const parents = parentsOf(graph, isLarge)
  const children = Map.groupBy(
    graph.nodes.filter(({ id }) => parents.has(id)),
    ({ id }) => parents.get(id) ?? '',
  )
  const isClosed = (id: string) => (isLarge ? !toggled.has(id) : toggled.has(id))
  /** Where each node is drawn. */
  const places = new Map<string, string>()
  const shown = new Map<string, ShownNode>()
  for (const folded of foldsOf(graph, parents, children, isClosed, toggled)) {
    for (const { id } of folded.inside) places.set(id, folded.id)
    shown.set(folded.id, folded)
    places.set(folded.node.id, folded.id)
  }
  for (const node of graph.nodes) {
    if (places.has(node.id)) continue
    const holder = holderOf(node.id, parents, isClosed)
    places.set(node.id, holder ?? node.id)
    if (holder !== undefined) continue
    const own = children.get(node.id)
    const closed = own === undefined ? undefined : isClosed(node.id)
    const inside = closed === true ? below(node.id, children) : []
    shown.set(node.id, { id: node.id, node, inside, isClosed: closed })
  }
  return { nodes: [...shown.values()], edges: edgesOf(graph, places) }
}

/** What made each node; in a large graph also the only one that needs it, where it is no worse than all are and needs nothing itself. */
function parentsOf({ nodes, edges }: Graph, isLarge: boolean): Parents {
  const parents = new Map(nodes.flatMap(({ id, parent }) => (parent ? [[id, parent]] : [])))
  if (!isLarge) return parents
  const needing = Map.groupBy(edges, ({ to }) => to)
  const needs = new Set(edges.map(({ from }) => from))
  // before the first run nothing is there: that tells none of them apart
  const usual = Math.min(...nodes.filter(({ type }) => type === 'resource').map(badness))
  for (const node of nodes) {
    const [only, ...others] = needing.get(node.id) ?? []
    const isAside = only !== undefined && others.length === 0 && !needs.has(node.id)
    if (isAside && node.type === 'resource' && badness(node) === usual && !parents.has(node.id)) {
      parents.set(node.id, only.from)
    }
  }
  return parents
}

/** The closed node that this one is inside of, the outermost. */
function holderOf(
  id: string,
  parents: Parents,
  isClosed: (id: string) => boolean,
): string | undefined {
  let holder: string | undefined
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
    if (isClosed(at)) holder = at
    if (at === parents.get(at)) break
  }
  return holder
}

function below(id: string, children: Children): readonly GraphNode[] {
  return (children.get(id) ?? []).flatMap((child) => [child, ...below(child.id, children)])
}

/** Closed ones of one kind with the same neighbours, where there are many and nobody opened them. */
function foldsOf(
  graph: Graph,
  parents: Parents,
  children: Children,
  isClosed: (id: string) => boolean,
  toggled: ReadonlySet<string>,
): readonly ShownNode[] {
  const neighbours = new Map<string, string[]>()
  for (const { from, to } of graph.edges) {
    if (parents.get(to) === from || parents.get(from) === to) continue
    neighbours.set(from, [...(neighbours.get(from) ?? []), `>${to}`])
    neighbours.set(to, [...(neighbours.get(to) ?? []), `<${from}`])
  }
  const candidates = graph.nodes.filter(
    ({ id, type }) =>
      type === 'resource' &&
      (!children.has(id) || isClosed(id)) &&
      holderOf(id, parents, isClosed) === undefined,
  )
  const groups = Map.groupBy(candidates, ({ id, kind }) =>
    [kind, parents.get(id) ?? '', ...(neighbours.get(id) ?? []).toSorted()].join(' '),
  )
  const folds: ShownNode[] = []
  for (const group of groups.values()) {
    const [first, ...rest] = group.toSorted((a, b) => badness(b) - badness(a))
    if (first === undefined || group.length < alike) continue
    const id = `fold:${first.kind}:${group[0]?.id ?? ''}`
    if (toggled.has(id)) continue
    const inside = [first, ...rest].flatMap((one) => below(one.id, children))
    folds.push({
      id,
      node: first,
      inside: [...rest, ...inside],
      alike: group.length,
      isClosed: true,
    })
  }
  return folds
}

function edgesOf(
  { nodes, edges }: Graph,
  places: ReadonlyMap<string, string>,
): readonly ShownEdge[] {
  const shown = new Map<string, ShownEdge>()
  function add(from: string, to: string, until: string): void {
    const [start, end] = [places.get(from), places.get(to)]
    if (start === undefined || end === undefined || start === end) return
    shown.set(`${start} ${end}`, { from: start, to: end, until })
  }
  // what is needed stands before what needs it, what was made behind what made it
  for (const { from, to, until } of edges) add(to, from, until)
  for (const { id, parent } of nodes) if (parent !== undefined) add(parent, id, 'made')
  return [...shown.values()]
}

const healthRank: Readonly<Record<HealthState, number>> = {
  failed: 9,
  degraded: 7,
  progressing: 4,
  unknown: 3,
  healthy: 0,
}
const syncRank: Readonly<Record<SyncState, number>> = {
  missing: 8,
  drifted: 6,
  syncing: 5,
  unknown: 2,
  synced: 0,
}

/** What stands for many is the one that needs eyes most. */
export function badness({ health, sync }: Pick<GraphNode, 'health' | 'sync'>): number {
  return Math.max(health === undefined ? 0 : healthRank[health], syncRank[sync])
}
