/** Which applications a list or a stream tells of: the query as a test of rows. */
import type { AppFilter, AppRow } from '#model/api.ts'
import { syncShown } from '#engine/attention.ts'
import { needsAttention } from './attention.ts'

export type Filtered = { readonly row: AppRow; readonly text: string }

/** Undefined: all of them. */
export type RowTest = ((one: Filtered) => boolean) | undefined

/** Where a search looks, in lower case. */
export function searchText(row: AppRow): string {
  const { key, source, target, reason, sync, health, synced, desired, commit, labels } = row
  const parts = [
    key,
    source.shown,
    source.ref,
    source.path,
    target,
    synced?.revision,
    synced?.message,
    desired?.revision,
    desired?.message,
    commit?.author,
    reason,
    sync.reason,
    health.reason,
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ]
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
    .toLowerCase()
}

export function rowTest(filter: AppFilter): RowTest {
  const tests: ((one: Filtered) => boolean)[] = []
  const words = (filter.search ?? '').toLowerCase().split(/\s+/).filter(isSaid)
  if (words.length > 0) tests.push(({ text }) => words.every((word) => text.includes(word)))
  among(filter.kind, ({ application }) => [application.kind])
  among(filter.sync, (row) => [syncShown(row)])
  among(filter.health, ({ health }) => [health.state])
  among(filter.target, ({ target }) => [target])
  among(filter.source, ({ source: { shown, ref } }) => [shown, `${shown}@${ref}`])
  among(filter.label, ({ labels }) =>
    Object.entries(labels).flatMap(([name, value]) => [name, `${name}=${value}`]),
  )
  const { only } = filter
  if (only === 'suspended') tests.push(({ row }) => row.isSuspended)
  if (only === 'waiting') tests.push(({ row }) => row.needsAcknowledgement)
  if (only === 'attention') tests.push(({ row }) => needsAttention(row))
  return tests.length === 0 ? undefined : (one) => tests.every((fits) => fits(one))

  function among(wanted: string | undefined, values: (row: AppRow) => readonly string[]): void {
    const choices = new Set((wanted ?? '').split(',').filter(isSaid))
    if (choices.size > 0) tests.push(({ row }) => values(row).some((one) => choices.has(one)))
  }
}

function isSaid(text: string): boolean {
  return text !== ''
}
