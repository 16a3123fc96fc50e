/** The clusters table in SQLite. It may have been made by another program; it is written in transactions, and while a lease is held only by its holder. */
import { existsSync } from 'node:fs'
import type { Clusters, HostChecks, Made, NewCluster } from '#model/clusters.ts'
import { canonical } from '#model/json.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { Lease, Leases } from '#model/store.ts'
import { addRow } from './clusters-add.ts'
import { declareRows } from './clusters-declare.ts'
import { readNotes, readRows } from './clusters-read.ts'
import { columnsOf, isLaidOut, layOut } from './clusters-schema.ts'
import type { Cell, Database, Query } from './database.ts'
import { leasesOver, monotonic } from './leases.ts'
import { isGone, ownMark } from './process-mark.ts'
import { isDamage, openSqlite } from './sqlite.ts'

export type OpenClusters = {
  readonly file: string
  /** `make`: the file is made where it is missing. `write`: it must exist. `read`: it must exist, and is not changed. */
  readonly access: 'make' | 'write' | 'read'
  readonly now?: () => number
}

const beats = { heartbeat: 3000, expiry: 15_000 }

export async function openClusters(wanted: OpenClusters): Promise<Clusters> {
  const { file, access, now = Date.now } = wanted
  if (access !== 'make' && !existsSync(file)) throw missing(file)
  return inWords(file, async () => {
    const database = await openSqlite(file, access === 'read' ? 'read' : 'shared', now)
    try {
      const columns = await columnsOf(database, 'clusters')
      if (columns.size === 0 && access !== 'make') throw missing(file)
      const isOurs = columns.size === 0 || (columns.has('name') && columns.has('provider'))
      if (!isOurs) throw strange(file)
      if (access !== 'read' && !(await isLaidOut(database))) await layOut(database)
      return clustersOver(file, database)
    } catch (error) {
      await database.close()
      throw error
    }
  })
}

function clustersOver(file: string, database: Database): Clusters {
  let fence: { readonly key: string; readonly token: string } | undefined
  const inner = leasesOver(database, { monotonic, self: ownMark, isGone, ...beats })

  /** Refuses a write when the table holds another token than ours, or none: then the lease was lost. */
  function fenced(work: (inside: Query) => Promise<void>): Promise<void> {
    const held = fence
    return inWords(file, () =>
      database.transaction(async (inside) => {
        if (held !== undefined) await checkFence(inside, held.key, held.token)
        await work(inside)
      }),
    )
  }

  /** A lease that was lost goes on refusing writes, because calls of its run may still be under way. */
  async function letGo(lease: Lease): Promise<void> {
    await lease.release()
    if (!lease.lost.aborted) fence = undefined
  }

  const leases: Leases = {
    async take(key, holder) {
      const taken = await inWords(file, () => inner.take(key, holder))
      if (!('release' in taken)) return taken
      const [row] = await database.rows('select token from leases where key = ?', [key])
      fence = { key, token: String(row?.['token']) }
      return { ...taken, release: () => letGo(taken) }
    },
  }

  function change(sql: string, cells: readonly Cell[]): Promise<void> {
    return fenced(async (inside) => void (await inside.change(sql, cells)))
  }

  return {
    file,
    leases,
    rows: () => inWords(file, () => readRows(database)),
    notes: () => inWords(file, () => readNotes(database)),
    add: (cluster: NewCluster, host: HostChecks) =>
      inWords(file, () => database.transaction((inside) => addRow(inside, cluster, host))),
    declare: (declared, host) =>
      inWords(file, () => database.transaction((inside) => declareRows(inside, declared, host))),
    want: (name, desired) =>
      inWords(file, async () => {
        const sql = `update clusters set desired_state = ?, updated_at = current_timestamp where name = ?`
        return (await database.change(sql, [desired, name])) > 0
      }),
    mark: (name, { actual, status, error, serverIp }) =>
      change(
        `update clusters set actual_state = ?, status = ?, reconcile_error = ?,
         server_ip = case when ? then ? else server_ip end,
         last_reconciled_at = current_timestamp, updated_at = current_timestamp where name = ?`,
        [actual, status, error, Number(serverIp !== undefined), serverIp ?? null, name],
      ),
    noteMade: (name, made) =>
      fenced(async (inside) => {
        await inside.change(noteSql, [name, ...madeCells(made)])
        await inside.change(identitySql, [name, made?.identity ?? null])
      }),
    remove: (name, desired) =>
      fenced(async (inside) => {
        const sql = `delete from clusters where name = ? and coalesce(nullif(desired_state, ''), 'present') = ?`
        if ((await inside.change(sql, [name, desired])) === 0) return
        await inside.change('delete from tend_clusters where name = ?', [name])
        await inside.change('delete from tend_cluster_details where name = ?', [name])
      }),
    held: () =>
      inWords(file, async () => {
        if (fence !== undefined) await checkFence(database, fence.key, fence.token)
      }),
    touch: (names) =>
      fenced(async (inside) => {
        const sql = 'update clusters set last_reconciled_at = current_timestamp where name = ?'
        for (const name of names) await inside.change(sql, [name])
      }),
    close: () => database.close(),
  }
}

const noteSql = `insert into tend_clusters (name, made_phase, made_provider, made_spec) values (?, ?, ?, ?)
  on conflict (name) do update set made_phase = excluded.made_phase,
  made_provider = excluded.made_provider, made_spec = excluded.made_spec`

const identitySql = `insert into tend_cluster_details (name, identity) values (?, ?)
  on conflict (name) do update set identity = excluded.identity`

function madeCells(made: Made | undefined): readonly Cell[] {
  if (made === undefined) return [null, null, null]
  return [made.phase, made.provider, canonical(made.spec)]
}

async function checkFence(inside: Query, key: string, token: string): Promise<void> {
  const [row] = await inside.rows('select token from leases where key = ?', [key])
  if (row?.['token'] === token) return
  throw new Problem({
    type: 'runtime',
    code: 'held',
    message: 'another run has taken the fleet over: this one writes nothing more to the table',
    suggestion: 'see what the other run did, then run it again',
  })
}

function missing(file: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `there is no clusters table in ${file}`,
    suggestion: 'make it with tend fleet init, or name the right file with --db',
  })
}

/** The problem of a table that another program made for something else: it gets no schema of ours. */
function strange(file: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `there is no table of ours in ${file}: its table clusters is another program's`,
    suggestion: 'name another file with --db',
  })
}

/** Turns errors into problems. Unlike the history this table can't be begun anew, so a damaged file is not put aside. */
async function inWords<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'store_unusable') throw error
    if (error.message.startsWith('there is no')) throw error
    const suggestion = isDamage(error)
      ? `put a good copy in its place: ${file} is what declares the fleet, and nothing makes it up`
      : 'see that it can be read and written here, or name another file with --db'
    throw new Problem({ ...factsOf(error), suggestion, cause: error.cause })
  }
}
