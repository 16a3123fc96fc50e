/** The rows of a list that the service filters and sorts: pages by place, kept fresh by events. */
import { signal, type Signal } from '@preact/signals'
import type { AppRow, Overview, OverviewQuery } from '#model/api.ts'
import { troubleIn, type Trouble } from '../../api/request.ts'
import type { StreamEvent } from '../../api/stream.ts'

export type Counts = Omit<Overview, 'apps' | 'next'>

export type Rows = {
  readonly counts: Signal<Counts | undefined>
  readonly trouble: Signal<Trouble | undefined>
  /** Grows whenever a row changed. */
  readonly version: Signal<number>
  readonly row: (index: number) => AppRow | undefined
  /** Other applications, or in another order. What is shown stays until the new ones are there. */
  readonly ask: (query: OverviewQuery) => void
  /** What is in sight now. */
  readonly show: (first: number, last: number) => void
  readonly take: (event: StreamEvent) => void
  readonly reload: () => void
  readonly stop: () => void
}

export const pageSize = 100
/** While events pour in, counts and order are asked for at most this often, ms. */
const calm = 1000

type Load = (query: OverviewQuery, signal: AbortSignal) => Promise<Overview>

export function rowsFrom(load: Load): Rows {
  const counts = signal<Counts | undefined>(undefined)
  const trouble = signal<Trouble | undefined>(undefined)
  const version = signal(0)
  let rows = new Map<number, AppRow>()
  let places = new Map<string, number>()
  let fresh = new Set<number>()
  let going = new Map<number, AbortController>()
  let query: OverviewQuery = {}
  let sight: readonly [first: number, last: number] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAsked = 0

  function pagesInSight(): readonly number[] {
    const [first, last] = sight
    const pages: number[] = []
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page += 1)
      pages.push(page)
    return pages
  }

  async function fetchPage(page: number): Promise<void> {
    const control = new AbortController()
    going.get(page)?.abort()
    going.set(page, control)
    lastAsked = Date.now()
    try {
      const asked = { ...query, offset: page * pageSize, limit: pageSize }
      const { apps, next: _, ...rest } = await load(asked, control.signal)
      if (control.signal.aborted) return
      put(page, apps)
      if (counts.value !== undefined && rest.total < counts.value.total) cut(rest.total)
      counts.value = rest
      trouble.value = undefined
      version.value += 1
    } catch (thrown) {
      if (!control.signal.aborted) trouble.value = troubleIn(thrown)
    } finally {
      if (going.get(page) === control) going.delete(page)
    }
  }

  function put(page: number, apps: readonly AppRow[]): void {
    for (const [index, app] of apps.entries()) {
      const place = page * pageSize + index
      const before = rows.get(place)
      if (before !== undefined && places.get(before.key) === place) places.delete(before.key)
      rows.set(place, app)
      places.set(app.key, place)
    }
    fresh.add(page)
  }

  function cut(total: number): void {
    for (const [place, { key }] of rows) {
      if (place < total) continue
      rows.delete(place)
      if (places.get(key) === place) places.delete(key)
    }
  }

  function fill(): void {
    for (const page of pagesInSight()) {
      if (!fresh.has(page) && !going.has(page)) void fetchPage(page)
    }
  }

  /** Everything has to be asked again; only what is in sight is, at once. */
  function stale(): void {
    fresh = new Set()
    for (const control of going.values()) control.abort()
    going = new Map()
    fill()
  }

  function staleSoon(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined
        stale()
      },
      Math.max(0, lastAsked + calm - Date.now()),
    )
  }

  return {
    counts,
    trouble,
    version,
    row: (index) => rows.get(index),
    ask(asked) {
      query = asked
      sight = [0, 0]
      rows = new Map(rows)
      stale()
    },
    show(first, last) {
      sight = [first, last]
      fill()
    },
    take(event) {
      if (event.type === 'app') {
        const place = places.get(event.status.key)
        const row = place === undefined ? undefined : rows.get(place)
        if (place !== undefined && row !== undefined) {
          rows.set(place, { ...row, ...event.status })
          version.value += 1
        }
        staleSoon()
      } else if (event.type === 'gone' || event.type === 'missed') staleSoon()
    },
    reload: stale,
    stop() {
      clearTimeout(timer)
      for (const control of going.values()) control.abort()
      places = new Map()
    },
  }
}
