/** Everything that a database holds as lines of JSON, and back: between SQLite and PostgreSQL, or into a drawer. */
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { numberIn, type Cell, type Database, type Query, type Row } from './database.ts'
import { schemaVersion } from './migrations.ts'

/** Each after those that it refers to. Leases are not taken along: nobody holds anything in a new place. */
export const tables = [
  { name: 'applications', key: 'key' },
  { name: 'snapshots', key: 'application, hash' },
  { name: 'runs', key: 'application, number' },
  { name: 'events', key: 'application, run, position' },
  { name: 'notes', key: 'topic, key' },
  { name: 'audit', key: 'number' },
  { name: 'timeline', key: 'number' },
] as const

const page = 500

export type Counts = Readonly<Record<string, number>>

/** The first line says what it is; each further one is a row. */
export async function* exported(database: Database): AsyncGenerator<string, Counts> {
  const counts: Record<string, number> = {}
  yield line({ tend: 'export', schema: schemaVersion })
  for (const { name, key } of tables) {
    counts[name] = 0
    for (let offset = 0; ; offset += page) {
      const sql = `select * from ${name} order by ${key} limit ? offset ?`
      const rows = await database.rows(sql, [page, offset])
      for (const row of rows) yield line({ table: name, row: written(row) })
      counts[name] += rows.length
      if (rows.length < page) break
    }
  }
  return counts
}

/** All or nothing, and only into a database in which nothing is yet. */
export async function imported(
  database: Database,
  lines: AsyncIterable<string>,
  shown: string,
): Promise<Counts> {
  return database.transaction(async (inside) => {
    await checkEmpty(inside, shown)
    const counts: Record<string, number> = {}
    let number = 0
    for await (const text of lines) {
      number += 1
      if (text.trim() === '') continue
      if (number === 1) {
        checkHead(text)
        continue
      }
      const { table, row } = readLine(text, number)
      await insert(inside, table, row)
      counts[table] = (counts[table] ?? 0) + 1
    }
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
    await inside.change('delete from notes')
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

function readLine(text: string, number: number): { readonly table: string; readonly row: Row } {
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

async function insert(inside: Query, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map(() => '?').join(', ')
  const sql = `insert into ${table} (${columns.join(', ')}) values (${places})`
  await inside.change(
    sql,
    columns.map((column) => row[column] ?? null),
  )
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
