/** Which nodes of a graph are shown: children of closed nodes are inside them, and many alike stand as one. */
import type { Graph, GraphNode } from '#model/api.ts'
import type { HealthState, SyncState } from '#model/assessment.ts'

export type ShownNode = {
  readonly id: string
  readonly node: GraphNode
  /** Those that it stands for, itself not counted. */
  readonly inside: readonly GraphNode[]
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

export function foldGraph(graph: Graph, toggled: ReadonlySet<string>): ShownGraph {
  const isLarge = graph.nodes.length > 200
  const children = Map.groupBy(
    graph.nodes.filter(({ parent }) => parent !== undefined),
    ({ parent }) => parent ?? '',
  )
  const byId = new Map(graph.nodes.map((one) => [one.id, one]))
  const isClosed = (id: string) => (isLarge ? !toggled.has(id) : toggled.has(id))
  /** Where each node is drawn. */
  const places = new Map<string, string>()
  const shown = new Map<string, ShownNode>()
  for (const folded of foldsOf(graph, children, toggled)) {
    for (const { id } of folded.inside) places.set(id, folded.id)
    shown.set(folded.id, folded)
    places.set(folded.node.id, folded.id)
  }
  for (const node of graph.nodes) {
    if (places.has(node.id)) continue
    const holder = holderOf(node, byId, isClosed)
    places.set(node.id, holder ?? node.id)
    if (holder !== undefined) continue
    const own = children.get(node.id)
    const closed = own === undefined ? undefined : isClosed(node.id)
    const inside = closed === true ? below(node.id, children) : []
    shown.set(node.id, { id: node.id, node, inside, isClosed: closed })
  }
  return { nodes: [...shown.values()], edges: edgesOf(graph, places) }
}

/** The closed node that this one is inside of, the outermost. */
function holderOf(
  node: GraphNode,
  byId: ReadonlyMap<string, GraphNode>,
  isClosed: (id: string) => boolean,
): string | undefined {
  let holder: string | undefined
  for (let at = node.parent; at !== undefined; at = byId.get(at)?.parent) {
    if (isClosed(at)) holder = at
    if (at === byId.get(at)?.parent) break
  }
  return holder
}

function below(
  id: string,
  children: ReadonlyMap<string, readonly GraphNode[]>,
): readonly GraphNode[] {
  return (children.get(id) ?? []).flatMap((child) => [child, ...below(child.id, children)])
}

/** Leaves of one kind with the same neighbours, where there are many and nobody opened them. */
function foldsOf(
  graph: Graph,
  children: ReadonlyMap<string, readonly GraphNode[]>,
  toggled: ReadonlySet<string>,
): readonly ShownNode[] {
  const neighbours = new Map<string, string[]>()
  for (const { from, to } of graph.edges) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), `>${to}`])
    neighbours.set(to, [...(neighbours.get(to) ?? []), `<${from}`])
  }
  const candidates = graph.nodes.filter(({ id, type }) => type === 'resource' && !children.has(id))
  const groups = Map.groupBy(candidates, ({ id, kind, parent = '' }) =>
    [kind, parent, ...(neighbours.get(id) ?? []).toSorted()].join(' '),
  )
  const folds: ShownNode[] = []
  for (const group of groups.values()) {
    const [first, ...rest] = group.toSorted((a, b) => badness(b) - badness(a))
    if (first === undefined || group.length < alike) continue
    const id = `fold:${first.kind}:${group[0]?.id ?? ''}`
    if (toggled.has(id)) continue
    folds.push({ id, node: first, inside: rest, isClosed: true })
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
