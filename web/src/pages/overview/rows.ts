/** The rows of a list that the service filters and sorts: pages by place, kept fresh by events, in an order that can be held. */
import { signal, type Signal } from '@preact/signals'
import type { AppRow, Overview, OverviewQuery } from '#model/api.ts'
import { troubleIn, type Trouble } from '../../api/request.ts'
import type { StreamEvent } from '../../api/stream.ts'

export type Counts = Omit<Overview, 'apps' | 'next'>

/** What the list is laid out by. While the order is held it stays, and the counts go on. */
export type Listed = Pick<Counts, 'total' | 'groups'>

export type Rows = {
  readonly counts: Signal<Counts | undefined>
  readonly listed: Signal<Listed>
  /** The order is held, and the service has another one by now. */
  readonly isOrderOld: Signal<boolean>
  readonly trouble: Signal<Trouble | undefined>
  /** Grows whenever a row changed. */
  readonly version: Signal<number>
  readonly row: (index: number) => AppRow | undefined
  /** Undefined: nothing is known to be there, or it is shown at another place too. */
  readonly keyAt: (index: number) => string | undefined
  /** Other applications, or in another order. What is shown stays until the new ones are there. */
  readonly ask: (query: OverviewQuery) => void
  /** What is in sight now. */
  readonly show: (first: number, last: number) => void
  readonly take: (event: StreamEvent) => void
  /** While it is held no row moves, comes or goes; what each of them says is as fresh as ever. */
  readonly hold: (isHeld: boolean) => void
  /** Everything anew, in the order of the service. */
  readonly reload: () => void
  readonly stop: () => void
}

export const pageSize = 100
/** While events pour in, counts and order are asked for at most this often, ms. */
const calm = 1000
/** What is on its way is waited for this long, ms, before something newer is asked for in its place. */
const patience = 10_000

type Load = (query: OverviewQuery, signal: AbortSignal) => Promise<Overview>

export function rowsFrom(load: Load): Rows {
  const counts = signal<Counts | undefined>(undefined)
  const listed = signal<Listed>({ total: 0 })
  const isOrderOld = signal(false)
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
  let isHeld = false
  /** Something happened while an answer was on its way: it is asked for once more when that is there. */
  let isOld = false
  /** What is fetched now was asked for by somebody: another list, or the order of now. */
  let isAsked = false

  function pagesInSight(): readonly number[] {
    const [first, last] = sight
    const pages: number[] = []
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page += 1)
      pages.push(page)
    return pages
  }

  async function fetchPage(page: number): Promise<void> {
    const control = new AbortController()
    const isWanted = isAsked
    going.get(page)?.abort()
    going.set(page, control)
    lastAsked = Date.now()
    try {
      const asked = { ...query, offset: page * pageSize, limit: pageSize }
      const { apps, next: _, ...rest } = await load(asked, control.signal)
      if (control.signal.aborted) return
      if (isWanted) forgetOthers()
      if (isHeld && !isWanted) refresh(page, apps, rest)
      else arrange(page, apps, rest)
      counts.value = rest
      trouble.value = undefined
      version.value += 1
    } catch (thrown) {
      if (!control.signal.aborted) trouble.value = troubleIn(thrown)
    } finally {
      if (going.get(page) === control) going.delete(page)
      if (going.size === 0 && isOld) {
        isOld = false
        staleSoon()
      }
    }
  }

  function arrange(page: number, apps: readonly AppRow[], rest: Counts): void {
    isOrderOld.value = false
    put(page, apps)
    if (rest.total < listed.value.total) cut(rest.total)
    listed.value = rest
  }

  /** Every row stays where it is. Only places that were never filled are. */
  function refresh(page: number, apps: readonly AppRow[], { total }: Counts): void {
    for (const [index, app] of apps.entries()) {
      const place = page * pageSize + index
      const own = places.get(app.key)
      if (own !== undefined) rows.set(own, app)
      const there = rows.get(place)
      if (there === undefined && place < listed.value.total) {
        rows.set(place, app)
        if (own === undefined) places.set(app.key, place)
      } else if (there?.key !== app.key) isOrderOld.value = true
    }
    if (total !== listed.value.total) isOrderOld.value = true
    fresh.add(page)
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

  /** Rows of another list or order. */
  function forgetOthers(): void {
    for (const place of rows.keys()) {
      if (!fresh.has(Math.floor(place / pageSize))) rows.delete(place)
    }
    places = new Map([...rows].map(([place, { key }]) => [key, place]))
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
    isOld = false
    for (const control of going.values()) control.abort()
    going = new Map()
    fill()
  }

  function staleSoon(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined
        // events that come faster than the service answers must not keep the list empty
        if (going.size > 0 && Date.now() - lastAsked < patience) isOld = true
        else stale()
      },
      Math.max(0, lastAsked + calm - Date.now()),
    )
  }

  function reload(): void {
    isAsked = true
    stale()
    isAsked = false
  }

  return {
    counts,
    listed,
    isOrderOld,
    trouble,
    version,
    row: (index) => rows.get(index),
    keyAt(index) {
      const key = rows.get(index)?.key
      return key !== undefined && places.get(key) === index ? key : undefined
    },
    ask(asked) {
      query = asked
      sight = [0, 0]
      rows = new Map(rows)
      reload()
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
        const worst = counts.value?.worst
        if (counts.value !== undefined && worst?.key === event.status.key) {
          counts.value = { ...counts.value, worst: { ...worst, ...event.status } }
        }
        staleSoon()
      } else if (event.type === 'gone' || event.type === 'missed') staleSoon()
    },
    hold(held) {
      isHeld = held
      if (!held && isOrderOld.value) reload()
    },
    reload,
    stop() {
      clearTimeout(timer)
      isOld = false
      for (const control of going.values()) control.abort()
      places = new Map()
    },
  }
}
