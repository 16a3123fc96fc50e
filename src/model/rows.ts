/** Rows of a table that declare an application, for kinds that have them: shown, put and removed one by one. */
import type { ClusterRow } from './api-fleets.ts'
import type { JsonRecord } from './json.ts'

export type RowRemoval = {
  readonly name: string
  /** `marked`: what it declares is taken away by the next run, and the row after it. */
  readonly result: 'marked' | 'removed'
  /** What follows, in a sentence. */
  readonly message: string
}

/** Nobody is asked who could keep one waiting: the table is read, and the rest is what was seen last. */
export type Rows = {
  /** Secrets are hidden. */
  list(): Promise<readonly ClusterRow[]>
  /** A new one, or other values for one that is there: columns that are left out stay as they are. Throws a problem. */
  put(name: string, columns: JsonRecord): Promise<ClusterRow>
  remove(name: string): Promise<RowRemoval>
}

/** The rows of one application. */
export type RowsShown = {
  readonly rows: readonly ClusterRow[]
  /** Why they can't be changed here, in a sentence; absent: they can. */
  readonly refusal?: string
}
