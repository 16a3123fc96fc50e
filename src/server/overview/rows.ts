/** All applications as rows, kept up to date by what the service tells: a list never asks anybody. */
import type { AppRow } from '#model/api.ts'
import type { AppStatus, Service } from '#model/service.ts'
import { searchText, type Filtered } from './filter.ts'
import { urgencyOf } from './attention.ts'

export type Row = Filtered & { readonly urgency: number }

export type Rows = {
  get(key: string): Row | undefined
  all(): IterableIterator<Row>
  /** Another one after each change. */
  version(): number
  put(status: AppStatus): AppRow
  remove(key: string): void
}

export function rowsOf(service: Pick<Service, 'apps' | 'row'>): Rows {
  const rows = new Map<string, Row>()
  let version = 0

  function put(status: AppStatus): AppRow {
    const row = service.row(status)
    rows.set(row.key, { row, text: searchText(row), urgency: urgencyOf(row) })
    version += 1
    return row
  }

  /** The service listens before it knows its applications, and tells each when it has looked at it: until then it is listed as unknown, and never left out. */
  let isWhole = false
  function complete(): void {
    if (isWhole) return
    for (const status of service.apps()) {
      if (!rows.has(status.key)) put(status)
      isWhole = true
    }
  }
  complete()
  return {
    get: (key) => rows.get(key),
    all() {
      complete()
      return rows.values()
    },
    version() {
      complete()
      return version
    },
    put,
    remove(key) {
      rows.delete(key)
      version += 1
    },
  }
}
