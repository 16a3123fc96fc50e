/** The order of the output: as read, or kinds that others need first. */
import { fail } from '../error.ts'
import { type Id, gvkSortText, legacyOrder, ranksOf } from '../names/id.ts'
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
    .map((resource) => placed(resource, ranks))
    .toSorted(compare)
    .map(({ resource }) => resource)
}

/** What the order goes by, worked out once for each resource and not for each comparison. */
type Placed = {
  readonly resource: Resource
  readonly id: Id
  readonly rank: number
  readonly text: string
}

function placed(resource: Resource, ranks: ReadonlyMap<string, number>): Placed {
  const id = currentId(resource)
  return { resource, id, rank: ranks.get(id.kind) ?? 0, text: sortText(id) }
}

function compare(one: Placed, other: Placed): number {
  const a = one.id
  const b = other.id
  if (a.kind === b.kind && a.version === b.version && a.group === b.group) {
    return byBytes(one.text, other.text)
  }
  if (one.rank !== other.rank) return one.rank - other.rank
  const inOrder = byBytes(gvkSortText(a), gvkSortText(b))
  const areNamespaces = a.kind === 'Namespace' && b.kind === 'Namespace'
  return areNamespaces && (a.group === '' || b.group === '') ? -inOrder : inOrder
}

function sortText(id: Id): string {
  return `${id.namespace || '~X'}|${id.name || '~N'}`
}
