/** Addresses of pages. */
import { queryText, type Query } from '../api/query.ts'

export type AppTab = '' | 'plan' | 'drift' | 'history' | 'logs' | 'timeline'

/** A key holds `:` and perhaps `/`: both may stand in a path as they are, but `/` would part it. */
export function appLink(key: string, tab: AppTab = '', query: Query = {}): string {
  const name = encodeURIComponent(key).replaceAll('%3A', ':')
  return `/apps/${name}${tab === '' ? '' : `/${tab}`}${queryText(query)}`
}

export function runLink(key: string, run: number): string {
  return appLink(key, 'history', { run })
}

export function planLink(id: string): string {
  return `/plans/${encodeURIComponent(id)}`
}

export function overviewLink(query: Query): string {
  return `/${queryText(query)}`
}
