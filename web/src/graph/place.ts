/** Where every node goes: what is connected as the layout has it, what stands alone in a grid below. */
import type { ShownEdge, ShownGraph } from './fold.ts'
import { askLayout, type LayoutAnswer, type Point } from './layout.ts'

export type Placed = {
  readonly nodes: LayoutAnswer['nodes']
  readonly edges: readonly (ShownEdge & { readonly points: readonly Point[] })[]
  readonly width: number
  readonly height: number
}

type Size = { readonly width: number; readonly height: number }

const gap = 14
const margin = 16
/** So far a line goes straight before it turns. */
const bend = 22

export async function placeGraph({ nodes, edges }: ShownGraph, size: Size): Promise<Placed> {
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const inLayout = nodes.filter(({ id }) => connected.has(id))
  const alone = nodes.filter(({ id }) => !connected.has(id))
  const answer = await askLayout({ nodes: inLayout.map(({ id }) => ({ id, ...size })), edges })
  const width = Math.max(0, ...answer.nodes.map(({ x }) => x + size.width))
  const height = Math.max(0, ...answer.nodes.map(({ y }) => y + size.height))
  const below = gridOf(alone, width, height === 0 ? margin : height + gap * 2, size)
  const places = new Map(answer.nodes.map((node) => [node.id, node]))
  const untils = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge.until]))
  return {
    nodes: [...answer.nodes, ...below],
    edges: answer.edges.map(({ from, to, points }) => ({
      from,
      to,
      until: untils.get(`${from} ${to}`) ?? '',
      points: sideways(points, places.get(from), places.get(to), size),
    })),
    width: Math.max(width, ...below.map(({ x }) => x + size.width)) + margin,
    height: Math.max(height, ...below.map(({ y }) => y + size.height)) + margin,
  }
}

/** A line leaves a node at the middle of its right side and comes in at the left. */
function sideways(
  points: readonly Point[],
  from: Point | undefined,
  to: Point | undefined,
  { width, height }: Size,
): readonly Point[] {
  if (from === undefined || to === undefined) return points
  const start = { x: from.x + width, y: from.y + height / 2 }
  const end = { x: to.x, y: to.y + height / 2 }
  const between = points.slice(1, -1).filter(({ x }) => x > start.x + bend && x < end.x - bend)
  return [start, { x: start.x + bend, y: start.y }, ...between, { x: end.x - bend, y: end.y }, end]
}

/** As wide as the rest, and about as wide as high where there is no rest. */
export function gridOf(
  nodes: readonly { readonly id: string }[],
  width: number,
  top: number,
  size: Size,
): readonly (Point & { readonly id: string })[] {
  const step = size.width + gap
  const square = Math.ceil(Math.sqrt((nodes.length * (size.height + gap) * 1.6) / step))
  const columns = Math.max(1, square, Math.floor(width / step))
  return nodes.map(({ id }, index) => ({
    id,
    x: margin + (index % columns) * step,
    y: top + Math.floor(index / columns) * (size.height + gap),
  }))
}
