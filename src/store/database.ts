/** The little that the store asks of a database: SQL that SQLite and PostgreSQL both read, `?` for each value. */

export type Cell = null | number | bigint | string | Uint8Array

export type Row = Readonly<Record<string, Cell>>

export type Query = {
  rows(sql: string, cells?: readonly Cell[]): Promise<readonly Row[]>
  /** How many rows it changed. */
  change(sql: string, cells?: readonly Cell[]): Promise<number>
}

/** Where the dialects have no word in common. */
export type Dialect = {
  readonly bytes: string
  /** The time by the database's own clock, ms: callers' clocks may be minutes apart. */
  readonly now: string
  /** The column of a number that counts up by itself, and what is written to it when a row is added. */
  readonly counter: string
  nextNumber(table: string): string
  /** After rows with numbers of their own were added. */
  countOn(table: string): readonly string[]
  /** After a select: until the transaction is over nobody changes the rows that it read. */
  readonly lockRead: string
  /** Inside a transaction: others who say the same wait until it is over. */
  readonly lockSchema: readonly string[]
  /** The same for those who tell other replicas something: what they say is read in the order of its numbers. */
  readonly lockReplicas: readonly string[]
  /** Wakes up all who listen, once the transaction is over. */
  readonly wakeReplicas: readonly string[]
  /** What makes the database itself refuse to change rows of a table, or to remove one of the newest by `number`. */
  appendOnly(table: string, newest: number): readonly string[]
}

export type Database = Query & {
  readonly words: Dialect
  /** All or nothing, and nobody else writes in between. */
  transaction<Result>(work: (inside: Query) => Promise<Result>): Promise<Result>
  /** Hears of `wakeReplicas` of others, where they may be in other processes; the function ends it. */
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
