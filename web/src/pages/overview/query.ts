/** What the overview's address says: a filter, an order, groups, rows or cards. */
import type { AppFilter, AppSort, OverviewQuery } from '#model/api.ts'
import type { Address } from '../../state/address.ts'

const parts = ['search', 'kind', 'sync', 'health', 'target', 'source', 'label'] as const

export const sorts: readonly (readonly [AppSort, string])[] = [
  ['attention', 'Attention first'],
  ['name', 'Name'],
  ['changed', 'Last change'],
  ['kind', 'Kind'],
  ['target', 'Target'],
  ['source', 'Source'],
]

/** The same order from its other end. */
export function turned(sort = ''): string | undefined {
  if (sort.startsWith('-')) return sort === '-attention' ? undefined : sort.slice(1)
  return `-${sort === '' ? 'attention' : sort}`
}

export function filterOf({ query }: Address): AppFilter {
  const filter: Record<string, string> = {}
  for (const part of parts) {
    // whoever is about to type another word has a space at the end
    const value = query[part]?.trim()
    if (value) filter[part] = value
  }
  const only = onlyOf(query['only'])
  return { ...filter, ...(only === undefined ? {} : { only }) }
}

export function overviewQuery(address: Address): OverviewQuery {
  const { sort, group } = address.query
  const order = sorts.find(([name]) => name === sort?.replace(/^-/, ''))?.[0]
  const grouping = groupOf(group)
  return {
    ...filterOf(address),
    ...(order === undefined ? {} : { sort: sort?.startsWith('-') === true ? `-${order}` : order }),
    ...(grouping === undefined ? {} : { group: grouping }),
  }
}

export function groupOf(text: string | undefined): OverviewQuery['group'] {
  if (text === 'target' || text === 'kind' || text === 'source') return text
  return text?.startsWith('label:') === true ? `label:${text.slice('label:'.length)}` : undefined
}

function onlyOf(text: string | undefined): AppFilter['only'] {
  return text === 'suspended' || text === 'waiting' || text === 'attention' ? text : undefined
}

/** A value is added to those of a part, or taken away. */
export function toggled(values: string | undefined, value: string): string | undefined {
  const all = values === undefined || values === '' ? [] : values.split(',')
  const left = all.includes(value) ? all.filter((one) => one !== value) : [...all, value]
  return left.length === 0 ? undefined : left.join(',')
}

/** What a click on the head of a group filters by. */
export function groupFilter(group: string, name: string): Readonly<Record<string, string>> {
  return group.startsWith('label:')
    ? { label: `${group.slice('label:'.length)}=${name}` }
    : { [group]: name }
}

/** What is filtered by, beside search and states: each can be taken away again. */
export function chipsOf({ query }: Address): readonly (readonly [part: string, value: string])[] {
  return ['kind', 'target', 'source', 'label'].flatMap((part): [string, string][] => {
    const value = query[part]
    return value === undefined ? [] : [[part, value]]
  })
}

/** Groups that are shut, as the address has them. A dot before each name: one may be empty. */
export function closedIn({ query }: Address): ReadonlySet<string> {
  const names = (query['closed'] ?? '').split(',').filter((text) => text.startsWith('.'))
  return new Set(names.map((text) => text.slice(1).replaceAll('%2C', ',').replaceAll('%25', '%')))
}

export function toggledClosed({ query }: Address, name: string): string | undefined {
  const written = name.replaceAll('%', '%25').replaceAll(',', '%2C')
  return toggled(query['closed'], `.${written}`)
}
