/** Rows of a table that declare an application, for kinds that have them: shown, put and removed one by one. */
import type { ClusterRow } from './api-fleets.ts'
import type { JsonRecord } from './json.ts'

export type RowRemoval = {
  readonly name: string
  /** `marked`: the next run takes away what the row declares, and then the row. */
  readonly result: 'marked' | 'removed'
  /** What happens next, in a sentence. */
  readonly message: string
}

export type RowPut = {
  /** A row that is there already is refused with `conflict`, and stays as it is. */
  readonly isNew: boolean
  readonly by?: string
}

/** No call waits for a cluster: the table is read, and everything else is what was seen last. */
export type Rows = {
  /** The rows, with secrets hidden. */
  list(): Promise<readonly ClusterRow[]>
  /** Adds a row or changes the columns that are given; the other columns stay as they are. Throws a problem. */
  put(name: string, columns: JsonRecord, how: RowPut): Promise<ClusterRow>
  remove(name: string): Promise<RowRemoval>
}

/** The rows of one application. */
export type RowsShown = {
  readonly rows: readonly ClusterRow[]
  /** Why they can't be changed here, in a sentence; absent: they can. */
  readonly refusal?: string
}
