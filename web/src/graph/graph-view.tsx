/** The graph of resources: what is needed at the left of what needs it; moved and zoomed with pointer, wheel and buttons. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Graph } from '#model/api.ts'
import { Icon } from '../parts/icon.tsx'
import type { LiveRun } from '../state/live-run.ts'
import { GraphEdges } from './edges.tsx'
import { foldGraph, type ShownGraph } from './fold.ts'
import { GraphCard, nodeSize } from './graph-card.tsx'
import { placeGraph, type Placed } from './place.ts'
import { usePanZoom } from './pan-zoom.ts'

/** So many nodes are put into the page in one frame: a large graph grows, and nothing waits for it. */
const perFrame = 20

export function GraphView({
  graph,
  run,
  chosen,
}: {
  readonly graph: Graph
  readonly run: LiveRun | undefined
  readonly chosen: string | undefined
}) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => foldGraph(graph, toggled), [graph, toggled])
  const placed = usePlaced(shown)
  const many = useGrowing(placed?.nodes.length ?? 0)
  const frame = useRef<HTMLDivElement>(null)
  const view = usePanZoom(frame, placed)
  const toggle = useCallback(
    (id: string) =>
      setToggled((old) =>
        old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set([...old, id]),
      ),
    [],
  )
  const steps = run?.ended === undefined ? run?.steps : undefined
  // made once: what is already in the page is not looked at again while the rest is put in
  const cards = useMemo(() => {
    const byId = new Map(shown.nodes.map((node) => [node.id, node]))
    return (placed?.nodes ?? []).flatMap(({ id, x, y }) => {
      const node = byId.get(id)
      if (node === undefined) return []
      const { id: ref } = node.node
      return (
        <GraphCard
          key={id}
          shown={node}
          x={x}
          y={y}
          step={steps?.get(ref)}
          isChosen={chosen === ref}
          toggle={toggle}
        />
      )
    })
  }, [placed, shown, steps, chosen])

  return (
    <div class="graph panel">
      <div
        class="graph-frame"
        ref={frame}
        role="group"
        aria-label="Graph of resources"
        style={{ height: `min(66vh, ${Math.max(280, (placed?.height ?? 0) + 16)}px)` }}
        {...view.handlers}
      >
        <div class="graph-world" style={{ transform: view.transform }}>
          {placed !== undefined && (
            <>
              <GraphEdges placed={placed} many={many} />
              {cards.slice(0, many)}
            </>
          )}
        </div>
      </div>
      <div class="graph-tools" role="group" aria-label="Zoom">
        <button
          type="button"
          class="button square"
          aria-label="Zoom in"
          onClick={() => view.zoom(1.25)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Zoom out"
          onClick={() => view.zoom(0.8)}
        >
          <Icon name="minus" />
        </button>
        <button type="button" class="button" onClick={view.fit}>
          Fit
        </button>
      </div>
      <p class="graph-foot muted small">
        {countText(graph)}
        {shown.nodes.length < graph.nodes.length &&
          `, ${shown.nodes.length} shown: open a folded one with its number`}
        <span class="graph-hint">Drag to move, Ctrl and wheel to zoom</span>
      </p>
    </div>
  )
}

/** Other applications stand in the graph too, and are none of its resources. */
function countText({ nodes }: Graph): string {
  const others = nodes.filter(({ type }) => type === 'app').length
  const own = nodes.length - others
  const all = `${own} ${own === 1 ? 'resource' : 'resources'}`
  return others === 0 ? all : `${all}, ${others} ${others === 1 ? 'application' : 'applications'}`
}

/** Laid out in a worker; the old picture stays until the new one is there. */
function usePlaced(shown: ShownGraph): Placed | undefined {
  const [placed, setPlaced] = useState<Placed>()
  const shape = JSON.stringify([shown.nodes.map(({ id }) => id), shown.edges])
  useEffect(() => {
    let isCurrent = true
    void placeGraph(shown, nodeSize).then((answer) => {
      if (isCurrent) setPlaced(answer)
    })
    return () => {
      isCurrent = false
    }
  }, [shape])
  return placed
}

function useGrowing(total: number): number {
  const [many, setMany] = useState(perFrame)
  useEffect(() => {
    if (many >= total) return undefined
    const frame = requestAnimationFrame(() => setMany((old) => old + perFrame))
    return () => cancelAnimationFrame(frame)
  }, [many, total])
  return many
}
