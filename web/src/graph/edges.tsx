/** The lines between nodes. */
import { useMemo } from 'preact/hooks'
import type { Point } from './layout.ts'
import type { Placed } from './place.ts'

export function GraphEdges({
  placed,
  many,
}: {
  readonly placed: Placed
  /** So many of them are drawn by now. */
  readonly many: number
}) {
  const { edges, width, height } = placed
  const lines = useMemo(
    () =>
      edges.map(({ from, to, until, points }) => (
        <path
          key={`${from} ${to}`}
          d={curve(points)}
          class={`graph-edge until-${until}`}
          marker-end="url(#arrow)"
        />
      )),
    [placed],
  )
  return (
    <svg class="graph-edges" width={width} height={height} aria-hidden="true">
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0.500 7.500 4 0 7.500z" class="graph-arrow" />
        </marker>
      </defs>
      {lines.slice(0, many)}
    </svg>
  )
}

/** Through the middle of each pair of points, so that there is no corner. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let path = `M${first.x} ${first.y}`
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1]
    if (next === undefined) path += ` L${point.x} ${point.y}`
    else path += ` Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`
  }
  return path
}
