/** The order of the output: as read, or kinds that others need first. */
import { fail } from '../error.ts'
import { type Id, apiVersionOf, gvkSortText, legacyOrder, ranksOf } from '../names/id.ts'
import { byBytes } from '../yaml/plain.ts'
import { type Resource, currentId } from '../load/resource.ts'
import type { SortOptions } from '../load/settings.ts'

export function sortResources(
  resources: readonly Resource[],
  options: SortOptions,
): readonly Resource[] {
  const order = options.order ?? ''
  if (order !== 'fifo' && order !== 'legacy') fail('sortOptions.order must be fifo or legacy')
  if (order === 'fifo') {
    if (options.legacySortOptions !== undefined) {
      fail('sortOptions.legacySortOptions is given, but the order is fifo')
    }
    return resources
  }
  const lists = options.legacySortOptions
  const kinds =
    lists === undefined
      ? legacyOrder
      : { first: lists.orderFirst ?? [], last: lists.orderLast ?? [] }
  const ranks = ranksOf(kinds)
  return resources
    .map((resource) => ({ resource, id: currentId(resource) }))
    .toSorted((a, b) => compare(a.id, b.id, ranks))
    .map(({ resource }) => resource)
}

function compare(a: Id, b: Id, ranks: ReadonlyMap<string, number>): number {
  const isSameType = a.kind === b.kind && apiVersionOf(a) === apiVersionOf(b)
  if (isSameType) return byBytes(sortText(a), sortText(b))
  const difference = (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0)
  if (difference !== 0) return difference
  const inOrder = byBytes(gvkSortText(a), gvkSortText(b))
  const areNamespaces = a.kind === 'Namespace' && b.kind === 'Namespace'
  return areNamespaces && (a.group === '' || b.group === '') ? -inOrder : inOrder
}

function sortText(id: Id): string {
  return `${id.namespace || '~X'}|${id.name || '~N'}`
}
