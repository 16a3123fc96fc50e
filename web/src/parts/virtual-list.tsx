/** A list of any length in the page's own scrolling: only what is in sight is there. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { layoutOf, shownBetween, type ListGroup, type Measures } from './list-layout.ts'

/** How much is made beyond what is in sight, so that scrolling never shows a gap. */
const beyond = 600

export function VirtualList({
  label,
  total,
  groups,
  closed,
  measures,
  gap = 0,
  keyOf,
  renderItem,
  renderHead,
  onShown,
}: {
  readonly label: string
  readonly total: number
  readonly groups: readonly ListGroup[] | undefined
  readonly closed: ReadonlySet<string>
  readonly measures: Measures
  /** Between columns. */
  readonly gap?: number
  /** Of what stands there, so that focus and pointer stay with it when it moves. Undefined: not known yet. */
  readonly keyOf: (index: number) => string | undefined
  readonly renderItem: (index: number) => ComponentChildren
  readonly renderHead: (group: number) => ComponentChildren
  /** First and last item in sight. */
  readonly onShown: (first: number, last: number) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const sight = useSight(list)
  const layout = layoutOf(total, groups, closed, measures)
  const shown = shownBetween(layout, sight.from - beyond, sight.to + beyond, measures)
  const items = shown.flatMap((one) => (one.kind === 'item' ? [one.index] : []))
  const [first, last] = [items[0] ?? 0, items.at(-1) ?? 0]
  useEffect(() => {
    if (total > 0) onShown(first, last)
  }, [first, last, total, onShown])
  const width = `((100% - ${gap * (measures.columns - 1)}px) / ${measures.columns})`
  return (
    <div
      ref={list}
      class="virtual"
      role="list"
      aria-label={label}
      style={{ height: `${layout.height}px` }}
    >
      {shown.map((one) => {
        const transform = `translateY(${one.top}px)`
        if (one.kind === 'head') {
          const style = { transform, height: `${measures.head}px` }
          return (
            <div key={`#${one.group}`} class="virtual-item" role="listitem" style={style}>
              {renderHead(one.group)}
            </div>
          )
        }
        const place =
          measures.columns === 1
            ? {}
            : { width: `calc${width}`, left: `calc((${width} + ${gap}px) * ${one.column})` }
        return (
          <div
            key={keyOf(one.index) ?? one.index}
            class="virtual-item"
            role="listitem"
            aria-setsize={total}
            aria-posinset={one.index + 1}
            style={{ transform, height: `${measures.line - gap}px`, ...place }}
          >
            {renderItem(one.index)}
          </div>
        )
      })}
    </div>
  )
}

type Sight = { readonly from: number; readonly to: number }

/** Which part of an element the window shows; told at most once a frame. */
function useSight(element: { readonly current: HTMLElement | null }): Sight {
  const [sight, setSight] = useState<Sight>({ from: 0, to: 1200 })
  useLayoutEffect(() => {
    let frame = 0
    function look(): void {
      frame = 0
      const top = element.current?.getBoundingClientRect().top ?? 0
      // steps of a few lines: a small scroll renders nothing
      const from = Math.floor(-top / 100) * 100
      setSight((old) => (old.from === from ? old : { from, to: from + innerHeight + 100 }))
    }
    function soon(): void {
      frame ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
    }
  }, [])
  return sight
}
