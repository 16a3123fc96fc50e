/** PostgreSQL behind the store: the only file that knows it. */
import { isIP } from 'node:net'
import { Problem } from '#model/problem.ts'
import type { Client, Pool, PoolClient } from 'pg'
import type { Cell, Database, Query, Row, Dialect } from './database.ts'

/**
 * How long anything may take before the database counts as away, ms. A process that stands still in the middle of a transaction has locks
 * that others wait for: its connection is ended before these count as gone themselves, even if two of them stand still.
 */
const limits = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 20_000,
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 4_000,
}
/** Notices a connection on which nobody answers even while nothing is asked, ms. */
const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
const connections = 8

/** `address`: postgres://user@host/database; what it does not say comes from PGPASSWORD, PGPASSFILE and their like. */
export async function openPostgres(address: string): Promise<Database> {
  const { default: pg } = await import('pg')
  const shown = shownAddress(address)
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    application_name: 'tend',
    allowExitOnIdle: true,
    ...alive,
    ...limits,
  })
  // a connection that breaks while nobody uses it is replaced when the next is needed
  pool.on('error', () => {})
  // one that breaks while it is used fails the statement that is under way, and that tells
  pool.on('connect', (client) => client.on('error', () => {}))
  let isOpen = true

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw inWords(error, shown)
    }
  }
  const outside = queryOver(pool)
  async function transaction<Result>(work: (inside: Query) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(queryOver(client))
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      // a connection of which nobody knows how it stands is not used again, nor one to a server that takes no writes
      const [what] = wordsOf(codeOf(error), messageOf(error))
      if (what !== undefined) client.release(true)
      else {
        await client.query('rollback').then(
          () => client.release(),
          () => client.release(true),
        )
      }
      throw error
    }
  }

  return {
    words,
    rows: (sql, cells) => guarded(() => outside.rows(sql, cells)),
    change: (sql, cells) => guarded(() => outside.change(sql, cells)),
    transaction: (work) => guarded(() => transaction(work)),
    listen: (tell) => {
      const options = { connectionString: address, ...alive, ...limits }
      return listenOn(() => new pg.Client(options), tell)
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await pool.end()
    },
  }
}

/** The pause between two tries to listen again, ms. */
const redial = 2_000

/** Listens on a connection of its own. While it is broken nobody is woken up; whoever listens also looks from time to time. */
function listenOn(connect: () => Client, tell: () => void): () => void {
  let isOver = false
  let current: Client | undefined
  async function begin(): Promise<void> {
    const client = connect()
    current = client
    client.on('notification', tell)
    client.on('error', () => undefined)
    client.on('end', () => {
      if (!isOver) setTimeout(() => void begin(), redial).unref()
    })
    try {
      await client.connect()
      await client.query('listen tend_replicas')
      if (isOver) await client.end()
    } catch {
      // `end` was heard, or is heard now: it is tried again
      await client.end().catch(() => undefined)
    }
  }
  void begin()
  return () => {
    isOver = true
    // a connection that is broken already needs no end
    void current?.end().catch(() => undefined)
  }
}

function queryOver(connection: Pick<Pool | PoolClient, 'query'>): Query {
  return {
    async rows(sql, cells = []) {
      const { rows } = await connection.query<Row>(numbered(sql), cells.map(sent))
      return rows
    },
    async change(sql, cells = []) {
      const { rowCount } = await connection.query(numbered(sql), cells.map(sent))
      return rowCount ?? 0
    },
  }
}

const texts = new Map<string, string>()

/** Numbers the question marks of a statement. The store's own statements have none but those of values. */
function numbered(sql: string): string {
  const known = texts.get(sql)
  if (known !== undefined) return known
  let count = 0
  const text = sql.replaceAll('?', () => `$${(count += 1)}`)
  texts.set(sql, text)
  return text
}

/** Bytes may be a view of larger memory, of which nothing else must be sent. */
function sent(cell: Cell): unknown {
  if (!(cell instanceof Uint8Array)) return cell
  return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength)
}

const words: Dialect = {
  bytes: 'bytea',
  now: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  counter: 'bigint generated by default as identity primary key',
  nextNumber: () => 'default',
  countOn: (table) => [
    `select setval(pg_get_serial_sequence('${table}', 'number'),
     (select coalesce(max(number), 0) + 1 from ${table}), false)`,
  ],
  lockRead: 'for share',
  lockFree: 'for update skip locked',
  lockSchema: ["select pg_advisory_xact_lock(hashtext('tend_schema'))"],
  lockReplicas: ["select pg_advisory_xact_lock(hashtext('tend_replicas'))"],
  wakeReplicas: ['notify tend_replicas'],
  appendOnly,
}

function appendOnly(table: string, newest: number): readonly string[] {
  return [
    `create function ${table}_guard() returns trigger language plpgsql as $$
     begin
       if tg_op = 'UPDATE' then
         raise exception 'rows of ${table} are never changed';
       end if;
       if old.number > (select max(number) from ${table}) - ${newest} then
         raise exception 'the newest rows of ${table} are never removed';
       end if;
       return old;
     end $$`,
    `create trigger ${table}_guard before update or delete on ${table}
     for each row execute function ${table}_guard()`,
  ]
}

/** What the database itself refuses (a constraint, a trigger) is given on as it is, since it is about the statement. */
function inWords(error: unknown, shown: string): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const code = codeOf(error)
  const [what, suggestion] = wordsOf(code, error.message)
  if (what === undefined) return error
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the database ${shown} ${what}`,
    suggestion,
    recoverable: !refusals.has(code),
    cause: error,
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Refusals that waiting does not help against. */
const refusals: ReadonlySet<string> = new Set(['28P01', '28000', '3D000', '42501'])

function wordsOf(
  code: string,
  message: string,
): readonly [string, string] | readonly [undefined, ''] {
  switch (code) {
    case '28P01':
    case '28000':
      return ['refuses this user or password', 'Check the address, PGPASSWORD or PGPASSFILE.']
    case '3D000':
      return ['does not exist', 'Make it first: createdb NAME.']
    case '42501':
      return ['does not let this user make or use its tables', 'Make the user its owner.']
    case '53100':
      return ['has no room left on its disk', 'Free some space there.']
    case '25006':
      return [
        'takes no writes: it is a standby, or was set to read only',
        'Give the address of the primary; it is tried again by itself.',
      ]
    case '25P03':
      return [
        'ended a transaction in which this process stood still',
        'It is tried again by itself.',
      ]
    case '53300':
      return ['has no connection left', 'Raise its max_connections: a replica takes nine.']
    case '57P01':
    case '57P02':
    case '57P03':
      return ['is being shut down or started', 'It is tried again by itself.']
    default:
      break
  }
  const isAway =
    /^(ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EHOST|ENET|EAI_)/.test(code) ||
    code.startsWith('08') ||
    /Connection terminated|timeout|Query read timeout|Client has encountered/i.test(message)
  return isAway
    ? [`can't be reached: ${message}`, 'Check its address and whether it runs.']
    : [undefined, '']
}

/** Never with a password: it is for people to read. */
export function shownAddress(address: string): string {
  try {
    const { hostname, port, pathname } = new URL(address)
    const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
    return `postgres://${host}${port === '' ? '' : `:${port}`}${pathname}`
  } catch {
    // what is no address may hold anything, a password too
    return 'postgres://…'
  }
}
