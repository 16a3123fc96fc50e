/** One page of applications with the counts of all that the filter lets through. */
import type { AppRow, Overview, OverviewQuery } from '#model/api.ts'
import type { HealthState, SyncShown } from '#model/assessment.ts'
import { isLeftAlone, syncShown } from '#engine/attention.ts'
import { needsAttention } from './attention.ts'
import { rowTest } from './filter.ts'
import { cursorOf, groupOf, orderOf, placeIn, type Placed } from './order.ts'
import type { Row } from './rows.ts'
import { defined } from '#model/defined.ts'

const [usualRows, mostRows] = [100, 500]

export function overviewOf(
  rows: Iterable<Row>,
  query: OverviewQuery,
  mayUse: (key: string) => boolean,
): Overview {
  const fits = rowTest(query)
  const order = orderOf(query)
  const sync = {
    synced: 0,
    drifted: 0,
    behind: 0,
    missing: 0,
    syncing: 0,
    unknown: 0,
  } satisfies Counts<SyncShown>
  const health = {
    healthy: 0,
    progressing: 0,
    degraded: 0,
    failed: 0,
    unknown: 0,
  } satisfies Counts<HealthState>
  const placed: Placed[] = []
  const labels = new Set<string>()
  let [attention, leftAlone, outdated] = [0, 0, 0]
  let worst: Row | undefined
  for (const one of rows) {
    const { row, urgency } = one
    if (!mayUse(row.key) || fits?.(one) === false) continue
    sync[syncShown(row)] += 1
    health[row.health.state] += 1
    if (needsAttention(row)) {
      attention += 1
      if (isWorse(one, worst)) worst = one
    } else if (isLeftAlone(row)) leftAlone += 1
    else if (row.isUpdateAvailable && row.sync.state === 'synced') outdated += 1
    for (const name in row.labels) labels.add(name)
    placed.push({ row, urgency, place: order.placeOf(one) })
  }
  placed.sort((one, other) => order.compare(one.place, other.place))
  const first = query.cursor === undefined ? (query.offset ?? 0) : after(query.cursor)
  const limit = Math.min(query.limit ?? usualRows, mostRows)
  const page = placed.slice(first, first + limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && first + limit < placed.length
  return {
    total: placed.length,
    sync,
    health,
    attention,
    leftAlone,
    outdated,
    ...(worst === undefined ? {} : { worst: worst.row }),
    labels: [...labels].toSorted(),
    ...(query.group === undefined ? {} : { groups: groupsOf(placed, query.group) }),
    apps: page.map(({ row }) => row),
    ...(hasMore ? { next: cursorOf(last.place) } : {}),
  }

  /** The first row behind the place, whether or not a row is there still. */
  function after(cursor: string): number {
    const place = placeIn(cursor)
    let [low, high] = [0, placed.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (order.compare(defined(placed[middle]).place, place) > 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Of two that are equally bad the first by its key, as in the order of attention. */
function isWorse(one: Row, other: Row | undefined): boolean {
  if (other === undefined || one.urgency !== other.urgency) {
    return other === undefined || one.urgency < other.urgency
  }
  return one.row.key < other.row.key
}

type Counts<State extends string> = Record<State, number>

function groupsOf(
  placed: readonly { readonly row: AppRow }[],
  group: OverviewQuery['group'],
): NonNullable<Overview['groups']> {
  const groups = new Map<string, { name: string; total: number; attention: number }>()
  for (const { row } of placed) {
    const name = groupOf(row, group)
    const found = groups.get(name) ?? { name, total: 0, attention: 0 }
    groups.set(name, found)
    found.total += 1
    if (needsAttention(row)) found.attention += 1
  }
  return [...groups.values()]
}
