/** SQLite behind the store: the only file that knows it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { serialQueue } from '#engine/serial-queue.ts'
import { Problem } from '#model/problem.ts'
import type { Cell, Database, Query, Row, Dialect } from './database.ts'

/** How long a statement waits while another process writes, ms. */
const patience = 5000

/** `shared`: the database belongs to another program too, and keeps its settings. */
export type Access = 'own' | 'shared' | 'read'

/**
 * A commit is in the file when it returns; the disk is waited for only at checkpoints (`synchronous = normal`), so that
 * a journal entry costs microseconds. A killed process loses nothing, a power cut at most the last seconds.
 */
export async function openSqlite(
  file: string,
  access: Access = 'own',
  now: () => number = Date.now,
): Promise<Database> {
  const readOnly = access === 'read'
  const connection = guarded(file, () => new DatabaseSync(file, { timeout: patience, readOnly }))
  connection.function('tend_now', now)
  try {
    if (access === 'own') {
      await keepWriteAheadLog(file, connection)
      guarded(file, () => connection.exec('pragma synchronous = normal'))
    }
  } catch (error) {
    connection.close()
    throw error
  }
  const prepared = new Map<string, StatementSync>()

  function statement(sql: string): StatementSync {
    const found = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, found)
    return found
  }
  function rows(sql: string, cells: readonly Cell[] = []): readonly Row[] {
    return guarded(file, () => statement(sql).all(...cells))
  }
  function change(sql: string, cells: readonly Cell[] = []): number {
    return guarded(file, () => Number(statement(sql).run(...cells).changes))
  }
  /** There is one connection: whoever is outside a transaction waits until it is over. */
  const inTurn = serialQueue()
  const inside: Query = {
    rows: async (sql, cells) => rows(sql, cells),
    change: async (sql, cells) => change(sql, cells),
  }
  async function transaction<Result>(work: (inside: Query) => Promise<Result>): Promise<Result> {
    change('begin immediate')
    try {
      const result = await work(inside)
      change('commit')
      return result
    } catch (error) {
      if (connection.isTransaction) change('rollback')
      throw error
    }
  }

  return {
    words,
    rows: (sql, cells) => inTurn(() => rows(sql, cells)),
    change: (sql, cells) => inTurn(() => change(sql, cells)),
    transaction: (work) => inTurn(() => transaction(work)),
    close: () =>
      inTurn(() => {
        if (connection.isOpen) connection.close()
      }),
  }
}

/** A transaction locks the whole file, so that no further locks are needed. */
const words: Dialect = {
  bytes: 'blob',
  now: 'tend_now()',
  counter: 'bigint primary key',
  nextNumber: (table) => `(select coalesce(max(number), 0) + 1 from ${table})`,
  countOn: () => [],
  lockRead: '',
  lockFree: '',
  lockSchema: [],
  lockReplicas: [],
  wakeReplicas: [],
  appendOnly,
}

function appendOnly(table: string, newest: number): readonly string[] {
  return [
    `create trigger ${table}_no_change before update on ${table}
     begin select raise(abort, 'rows of ${table} are never changed'); end`,
    `create trigger ${table}_no_removal before delete on ${table}
     when old.number > (select max(number) from ${table}) - ${newest}
     begin select raise(abort, 'the newest rows of ${table} are never removed'); end`,
  ]
}

/** Whether this problem came from a file that is no database, or no longer one. */
export function isDamage(error: unknown): boolean {
  return error instanceof Problem && damaged.has(resultOf(error.cause))
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged: ReadonlySet<number> = new Set([11, 26])
const busy = 5
const constraint = 19

/** The first switch needs the file for itself, which SQLite does not wait for. */
async function keepWriteAheadLog(file: string, connection: DatabaseSync): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    try {
      guarded(file, () => connection.exec('pragma journal_mode = wal'))
      return
    } catch (error) {
      const isBusy = error instanceof Problem && resultOf(error.cause) === busy
      if (!isBusy || waited >= patience) throw error
    }
    await setTimeout(20)
  }
}

function guarded<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const result = resultOf(error)
    if (result === 0 || result === constraint) throw error
    throw unusable(file, result, error)
  }
}

/** SQLite's result code without its extension; 0 for any other error. */
function resultOf(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error)) return 0
  return typeof error.errcode === 'number' ? error.errcode & 0xff : 0
}

function unusable(file: string, result: number, cause: unknown): Problem {
  const [what, suggestion] = wordsOf(file, result)
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the database ${file} ${what}`,
    suggestion,
    recoverable: result === busy,
    cause,
  })
}

function wordsOf(file: string, result: number): readonly [string, string] {
  switch (result) {
    case busy:
      return ['is kept busy by another process', 'Try again when that one is done.']
    case 8:
      return [
        'may not be written to',
        'Change its mode or owner, or set TEND_HOME to a folder of yours.',
      ]
    case 11:
    case 26:
      return [
        'is damaged',
        'Run it again: it is moved aside and a new one started. Only history is lost.',
      ]
    case 13:
      return ['has no room left on its disk', 'Free some space and try again.']
    case 14:
      return ["can't be opened", 'Check its mode and owner, or set TEND_HOME to a folder of yours.']
    default:
      return ["can't be used", `Move ${file} aside if this stays so: only history is lost.`]
  }
}
