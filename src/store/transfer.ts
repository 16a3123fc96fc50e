/** Writes everything that a database holds as lines of JSON, and reads it back: between SQLite and PostgreSQL, or as a backup. */
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { numberIn, type Cell, type Database, type Query, type Row } from './database.ts'
import { schemaVersion } from './migrations.ts'
import { isSealedWith } from './seal.ts'

/** The tables, each after those that it refers to. Leases are left out: nobody holds anything in a new database. */
export const tables = [
  { name: 'applications', key: ['key'] },
  { name: 'snapshots', key: ['application', 'hash'] },
  { name: 'runs', key: ['application', 'number'] },
  { name: 'events', key: ['application', 'run', 'position'] },
  { name: 'notes', key: ['topic', 'key'] },
  { name: 'audit', key: ['number'] },
  { name: 'timeline', key: ['number'] },
] as const

/** Notes that belong to one place alone: its key, and its replicas. */
const placeTopics: readonly unknown[] = ['key', 'replicas']

/** How many rows are read or written by one statement. */
const page = 500

export type Counts = Readonly<Record<string, number>>

/** The first line says what the file is; each further line is a row. */
export async function* exported(database: Database): AsyncGenerator<string, Counts> {
  const counts: Record<string, number> = {}
  yield line({ tend: 'export', schema: schemaVersion })
  for (const { name, key } of tables) {
    counts[name] = 0
    const [columns, places] = [key.join(', '), key.map(() => '?').join(', ')]
    // after the last row of the page before: the millionth page takes no longer than the first
    for (let after: readonly Cell[] | undefined = []; after !== undefined;) {
      const where = after.length === 0 ? '' : `where (${columns}) > (${places})`
      const sql = `select * from ${name} ${where} order by ${columns} limit ?`
      const rows: readonly Row[] = await database.rows(sql, [...after, page])
      const kept = rows.filter(({ topic }) => name !== 'notes' || !placeTopics.includes(topic))
      for (const row of kept) yield line({ table: name, row: written(row) })
      counts[name] += kept.length
      const last = rows.length < page ? undefined : rows.at(-1)
      after = last && key.map((column) => last[column] ?? null)
    }
  }
  return counts
}

/** All or nothing, and only into an empty database. `key` is the key that the secrets must have been encrypted with. */
export async function imported(
  database: Database,
  lines: AsyncIterable<string>,
  shown: string,
  key?: Uint8Array,
): Promise<Counts> {
  return database.transaction(async (inside) => {
    await checkEmpty(inside, shown)
    const counts: Record<string, number> = {}
    let number = 0
    let waiting: Line[] = []
    let size = 0
    async function flush(): Promise<void> {
      await insert(inside, waiting)
      waiting = []
      size = 0
    }
    for await (const text of lines) {
      number += 1
      if (text.trim() === '') continue
      if (number === 1) {
        checkHead(text)
        continue
      }
      const { table, row } = readLine(text, number)
      if (table === 'notes' && placeTopics.includes(row['topic'])) continue
      if (key !== undefined) checkKey(row['secrets'], key, number)
      const isFull = waiting.length >= page / 5 || size > 1_000_000
      if (isFull || !isAlike(waiting[0], { table, row })) await flush()
      waiting.push({ table, row })
      size += text.length
      counts[table] = (counts[table] ?? 0) + 1
    }
    await flush()
    if (number === 0) throw unreadable('it is empty', 1)
    const counted = ['audit', 'timeline'].flatMap((table) => database.words.countOn(table))
    for (const sql of counted) await inside.rows(sql)
    return counts
  })
}

async function checkEmpty(inside: Query, shown: string): Promise<void> {
  const [row] = await inside.rows('select count(*) as n from applications')
  if (row === undefined || numberIn(row, 'n') === 0) {
    // a service that was only started leaves notes; what is imported says more
    await inside.change("delete from notes where topic <> 'key'")
    return
  }
  throw new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the database ${shown} holds ${numberIn(row, 'n')} applications already`,
    suggestion: 'Import into a new one: nothing is ever merged.',
  })
}

function checkHead(text: string): void {
  const head = parsed(text, 1)
  if (!isRecord<Json>(head) || head['tend'] !== 'export') {
    throw unreadable('its first line is not that of an export', 1)
  }
  const schema = Number(head['schema'])
  if (schema > schemaVersion) {
    throw unreadable(`it was written by a newer Tend (schema ${schema})`, 1)
  }
}

function readLine(text: string, number: number): Line {
  const found = parsed(text, number)
  if (isRecord<Json>(found) && isRecord<Json>(found['row'])) {
    const table = tables.find(({ name }) => name === found['table'])?.name
    if (table !== undefined) return { table, row: read(found['row'], number) }
  }
  throw unreadable('this is no row of a known table', number)
}

function parsed(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('this is not JSON', number)
  }
}

type Line = { readonly table: string; readonly row: Row }

function isAlike(one: Line | undefined, other: Line): boolean {
  if (one?.table !== other.table) return false
  return Object.keys(one.row).join() === Object.keys(other.row).join()
}

/** All lines are of one table, with the same columns. */
async function insert(inside: Query, lines: readonly Line[]): Promise<void> {
  const [first] = lines
  if (first === undefined) return
  const columns = Object.keys(first.row)
  const places = `(${columns.map(() => '?').join(', ')})`
  await inside.change(
    `insert into ${first.table} (${columns.join(', ')}) values ${lines.map(() => places).join(', ')}`,
    lines.flatMap(({ row }) => columns.map((column) => row[column] ?? null)),
  )
}

function checkKey(secrets: Cell | undefined, key: Uint8Array, number: number): void {
  if (!(secrets instanceof Uint8Array) || isSealedWith(secrets, key)) return
  throw new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `line ${number} can't be imported: its secrets were encrypted with another key`,
    suggestion:
      'Name the key that belongs to it: TEND_KEY_FILE=FILE ($TEND_HOME/key of the service that wrote it). If it is lost, add --yes: going back to those runs fails then.',
  })
}

/** Bytes are `{ "base64": … }`; PostgreSQL's large numbers come as text and stay so. */
function written(row: Row): Readonly<Record<string, Json>> {
  const entries = Object.entries(row).map(([column, cell]): [string, Json] => {
    if (cell instanceof Uint8Array)
      return [column, { base64: Buffer.from(cell).toString('base64') }]
    return [column, typeof cell === 'bigint' ? String(cell) : cell]
  })
  return Object.fromEntries(entries)
}

function read(row: Readonly<Record<string, Json>>, number: number): Row {
  const cells: Record<string, Cell> = {}
  for (const [column, cell] of Object.entries(row)) {
    // columns become part of a statement
    if (!/^[a-z_]{1,40}$/.test(column)) throw unreadable('a column has an impossible name', number)
    cells[column] = cellOf(cell, number)
  }
  return cells
}

function cellOf(cell: Json, number: number): Cell {
  if (cell === null || typeof cell === 'string' || typeof cell === 'number') return cell
  if (isRecord<Json>(cell) && typeof cell['base64'] === 'string') {
    return Buffer.from(cell['base64'], 'base64')
  }
  throw unreadable('a value is neither text, number nor bytes', number)
}

function line(value: Json): string {
  return `${JSON.stringify(value)}\n`
}

function unreadable(why: string, number: number): Problem {
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `line ${number} can't be imported: ${why}`,
    suggestion: 'Give a file that tend db export wrote. Nothing was changed.',
  })
}
