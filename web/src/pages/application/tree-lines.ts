/** The resources of a graph as the lines of a tree: by kind, and below each what it made. */
import type { Graph, GraphNode } from '#model/api.ts'
import { badness } from '../../graph/fold.ts'

export type TreeLine = {
  readonly id: string
  readonly level: number
  readonly node: GraphNode | undefined
  readonly title: string
  /** How many are below it; with none it can't be opened. */
  readonly children: number
  readonly isOpen: boolean
  readonly needs: readonly string[]
}

export function treeLines(graph: Graph, closed: ReadonlySet<string>): readonly TreeLine[] {
  const children = Map.groupBy(graph.nodes, ({ parent = '' }) => parent)
  const needs = Map.groupBy(graph.edges, ({ from }) => from)
  const lines: TreeLine[] = []

  function add(node: GraphNode, level: number): void {
    const below = children.get(node.id) ?? []
    const isOpen = !closed.has(node.id)
    lines.push({
      id: node.id,
      level,
      node,
      title: node.name,
      children: below.length,
      isOpen,
      needs: (needs.get(node.id) ?? []).map(({ to }) => to),
    })
    if (isOpen) for (const child of sorted(below)) add(child, level + 1)
  }

  const kinds = Map.groupBy(children.get('') ?? [], ({ kind, type }) =>
    type === 'app' ? 'application' : kind,
  )
  // its own resources first, then the applications that it needs
  for (const kind of [...kinds.keys()].toSorted(
    (a, b) => Number(a === 'application') - Number(b === 'application') || (a < b ? -1 : 1),
  )) {
    const nodes = kinds.get(kind) ?? []
    const id = `kind:${kind}`
    const isOpen = !closed.has(id)
    lines.push({
      id,
      level: 1,
      node: undefined,
      title: kind,
      children: nodes.length,
      isOpen,
      needs: [],
    })
    if (isOpen) for (const node of sorted(nodes)) add(node, 2)
  }
  return lines
}

/** web-2 before web-10. */
const names = new Intl.Collator(undefined, { numeric: true })

/** What is not well first, then by name. */
function sorted(nodes: readonly GraphNode[]): readonly GraphNode[] {
  return nodes.toSorted((a, b) => badness(b) - badness(a) || names.compare(a.name, b.name))
}
