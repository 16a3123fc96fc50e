/** How high lines are and how many cards stand side by side, for the width that there is. */
import { useEffect, useState } from 'preact/hooks'
import type { Measures } from '../../parts/list-layout.ts'

/** As the style sheet has them. */
const narrow = 820
const heights = { row: 54, narrowRow: 92, card: 204, head: 38 } as const
const cardWidth = 300

export function useMeasures(list: HTMLElement | null, isCards: boolean): Measures {
  const [width, setWidth] = useState(innerWidth > narrow ? innerWidth - 260 : innerWidth)
  useEffect(() => {
    if (list === null) return undefined
    const observer = new ResizeObserver(([entry]) =>
      setWidth(entry?.contentRect.width ?? innerWidth),
    )
    observer.observe(list)
    return () => observer.disconnect()
  }, [list])
  if (isCards) {
    return {
      line: heights.card,
      head: heights.head,
      columns: Math.max(1, Math.floor(width / cardWidth)),
    }
  }
  return {
    line: innerWidth <= narrow ? heights.narrowRow : heights.row,
    head: heights.head,
    columns: 1,
  }
}
