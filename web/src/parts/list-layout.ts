/** Where the lines of a long list are: arithmetic over groups, so that a list of any length costs the same. */

export type ListGroup = { readonly name: string; readonly total: number }

export type Segment = {
  readonly kind: 'head' | 'items'
  readonly group: number
  /** Of the first item, in the whole list. */
  readonly from: number
  readonly items: number
  readonly top: number
  readonly height: number
}

export type ListLayout = { readonly segments: readonly Segment[]; readonly height: number }

export type Measures = {
  readonly line: number
  readonly head: number
  readonly columns: number
}

/** Without groups it is one group without a head. */
export function layoutOf(
  total: number,
  groups: readonly ListGroup[] | undefined,
  closed: ReadonlySet<string>,
  { line, head, columns }: Measures,
): ListLayout {
  const segments: Segment[] = []
  let top = 0
  let from = 0
  for (const [index, { name, total: items }] of (groups ?? [{ name: '', total }]).entries()) {
    if (groups !== undefined) {
      segments.push({ kind: 'head', group: index, from, items, top, height: head })
      top += head
    }
    if (!closed.has(name) && items > 0) {
      const height = Math.ceil(items / columns) * line
      segments.push({ kind: 'items', group: index, from, items, top, height })
      top += height
    }
    from += items
  }
  return { segments, height: top }
}

export type Shown =
  | { readonly kind: 'head'; readonly group: number; readonly top: number }
  | { readonly kind: 'item'; readonly index: number; readonly top: number; readonly column: number }

/** What is seen between two heights. */
export function shownBetween(
  { segments }: ListLayout,
  from: number,
  to: number,
  { line, columns }: Measures,
): readonly Shown[] {
  const shown: Shown[] = []
  for (const segment of segments) {
    if (segment.top > to) break
    if (segment.top + segment.height < from) continue
    if (segment.kind === 'head') {
      shown.push({ kind: 'head', group: segment.group, top: segment.top })
      continue
    }
    const first = Math.max(0, Math.floor((from - segment.top) / line)) * columns
    const end = Math.min(segment.items, (Math.floor((to - segment.top) / line) + 1) * columns)
    for (let place = first; place < end; place += 1) {
      const top = segment.top + Math.floor(place / columns) * line
      shown.push({ kind: 'item', index: segment.from + place, top, column: place % columns })
    }
  }
  return shown
}
