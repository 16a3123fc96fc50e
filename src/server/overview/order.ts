/** In which order rows come, and how a page says where it ended. */
import type { AppRow, AppSort, OverviewQuery } from '#model/api.ts'
import * as z from 'zod/mini'
import { cursorText, readCursor } from '../cursor.ts'
import type { Row } from './rows.ts'

export const sorts = [
  'name',
  'attention',
  'changed',
  'kind',
  'target',
  'source',
] as const satisfies readonly AppSort[]

/** Group, value and key: no two rows have the same place, so a page can begin after any of them. */
type RowSortKey = readonly [group: string, value: string | number, key: string]
export type Placed = { readonly row: AppRow; readonly urgency: number; readonly place: RowSortKey }

export type Order = {
  placeOf(row: Row): RowSortKey
  compare(one: RowSortKey, other: RowSortKey): number
}

export function orderOf({
  sort = 'attention',
  group,
}: Pick<OverviewQuery, 'sort' | 'group'>): Order {
  const isTurned = sort.startsWith('-')
  const name = isTurned ? sort.slice(1) : sort
  const sign = isTurned ? -1 : 1
  return {
    placeOf: (row) => [groupOf(row.row, group), valueOf(row, name), row.row.key],
    compare([groupA, valueA, keyA], [groupB, valueB, keyB]) {
      if (groupA !== groupB) return groupA < groupB ? -1 : 1
      if (valueA !== valueB) return valueA < valueB ? -sign : sign
      if (keyA === keyB) return 0
      return keyA < keyB ? -sign : sign
    },
  }
}

/** What is without the label, or comes from nowhere, is in a group without a name. */
export function groupOf(row: AppRow, group: OverviewQuery['group']): string {
  if (group === undefined) return ''
  if (group === 'target') return row.target
  if (group === 'kind') return row.application.kind
  if (group === 'source') return row.source.shown
  return row.labels[group.slice('label:'.length)] ?? ''
}

function valueOf({ row, urgency }: Row, sort: string): string | number {
  switch (sort) {
    case 'attention':
      return urgency
    case 'changed':
      // the newest first
      return -Math.max(row.lastRun?.at ?? 0, row.sync.since, row.health.since)
    case 'kind':
      return row.application.kind
    case 'target':
      return row.target
    case 'source':
      return `${row.source.shown} ${row.source.path}`
    default:
      return row.application.name
  }
}

const placeSchema = z.tuple([z.string(), z.union([z.string(), z.number()]), z.string()])

export function cursorOf(place: RowSortKey): string {
  return cursorText(place)
}

export function placeIn(cursor: string): RowSortKey {
  return readCursor(placeSchema, cursor)
}
