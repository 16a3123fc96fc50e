/** The little that the store asks of a database: SQL that SQLite and PostgreSQL both read, `?` for each value. */

export type Cell = null | number | bigint | string | Uint8Array

export type Row = Readonly<Record<string, Cell>>

export type Query = {
  rows(sql: string, cells?: readonly Cell[]): Promise<readonly Row[]>
  /** Gives how many rows were changed. */
  change(sql: string, cells?: readonly Cell[]): Promise<number>
}

/** Texts of SQL in which the two databases differ. */
export type Dialect = {
  readonly bytes: string
  /** The time by the database's own clock, ms: callers' clocks may be minutes apart. */
  readonly now: string
  /** The column of a number that counts up by itself, and what is written to it when a row is added. */
  readonly counter: string
  nextNumber(table: string): string
  /** Statements to run after rows with numbers of their own were added. */
  countOn(table: string): readonly string[]
  /** Goes behind a select: until the transaction is over nobody changes the rows that it read. */
  readonly lockRead: string
  /** Goes behind a select of rows that are to be changed: those that somebody else has locked are passed over. */
  readonly lockFree: string
  /** Inside a transaction: others who run the same statements wait until it is over. */
  readonly lockSchema: readonly string[]
  /** The same lock for replicas that send messages, so that messages are read in the order of their numbers. */
  readonly lockReplicas: readonly string[]
  /** Wakes up everybody who listens, once the transaction is over. */
  readonly wakeReplicas: readonly string[]
  /** Statements by which the database itself refuses to change rows of a table, or to remove one of the newest by `number`. */
  appendOnly(table: string, newest: number): readonly string[]
}

export type Database = Query & {
  readonly words: Dialect
  /** All or nothing: nobody else writes in between. */
  transaction<Result>(work: (inside: Query) => Promise<Result>): Promise<Result>
  /** Calls `tell` when another process runs `wakeReplicas`, until the function that it returns is called. */
  listen?(tell: () => void): () => void
  close(): Promise<void>
}

export function textIn(row: Row, column: string): string {
  return String(row[column] ?? '')
}

/** PostgreSQL gives 64-bit numbers as text. */
export function numberIn(row: Row, column: string): number {
  return Number(row[column])
}

export function bytesIn(row: Row, column: string): Uint8Array | undefined {
  const cell = row[column]
  return cell instanceof Uint8Array ? cell : undefined
}
