/** The schema of the clusters table: exactly its original columns, and beside it the tables that are ours. */
import type { Database, Query } from './database.ts'

const clusters = `create table if not exists clusters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE NOT NULL,
  provider TEXT NOT NULL,
  subnet TEXT,
  node_port INTEGER,
  pf_port INTEGER,
  http_port INTEGER,
  https_port INTEGER,
  server_ip TEXT,
  status TEXT DEFAULT 'unknown',
  desired_state TEXT DEFAULT 'present',
  actual_state TEXT DEFAULT 'unknown',
  last_reconciled_at TIMESTAMP,
  reconcile_error TEXT,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
)`

/** Columns that the oldest databases lack, added as the original program added them. */
const later: readonly (readonly [string, string])[] = [
  ['server_ip', 'TEXT'],
  ['desired_state', "TEXT DEFAULT 'present'"],
  ['actual_state', "TEXT DEFAULT 'unknown'"],
  ['last_reconciled_at', 'TIMESTAMP'],
  ['reconcile_error', 'TEXT'],
]

const beside = [
  `create table if not exists tend_clusters (
    name text primary key,
    route smallint not null default 1,
    portainer smallint not null default 1,
    argocd smallint not null default 1,
    git smallint not null default 1,
    made_phase text,
    made_provider text,
    made_spec text
  )`,
  `create table if not exists tend_cluster_details (
    name text primary key,
    identity text,
    settings text
  )`,
  `create table if not exists leases (
    key text primary key,
    token text not null,
    holder text not null,
    since bigint not null,
    expires_at bigint not null,
    machine text,
    pid integer,
    process_start text
  )`,
]

/** Databases of earlier versions have leases without this column. */
const leaseGeneration = 'alter table leases add column generation bigint not null default 0'

/** The names of a table's columns; empty when there is no such table. */
export async function columnsOf(query: Query, table: string): Promise<ReadonlySet<string>> {
  const rows = await query.rows(`select name from pragma_table_info('${table}')`)
  return new Set(rows.map(({ name }) => String(name)))
}

/** Makes what is missing and leaves alone what is there. */
export async function layOut(database: Database): Promise<void> {
  await database.transaction(async (inside) => {
    await inside.change(clusters)
    const known = await columnsOf(inside, 'clusters')
    for (const [name, type] of later) {
      if (!known.has(name)) await inside.change(`alter table clusters add column ${name} ${type}`)
    }
    await inside.change('create index if not exists idx_clusters_name on clusters (name)')
    for (const sql of beside) await inside.change(sql)
    if (!(await columnsOf(inside, 'leases')).has('generation')) await inside.change(leaseGeneration)
  })
}

/** Whether everything is there, so that opening the database writes nothing. */
export async function isLaidOut(database: Database): Promise<boolean> {
  const known = await columnsOf(database, 'clusters')
  if (later.some(([name]) => !known.has(name))) return false
  for (const table of ['tend_clusters', 'tend_cluster_details']) {
    if ((await columnsOf(database, table)).size === 0) return false
  }
  return (await columnsOf(database, 'leases')).has('generation')
}
