/** The schema, as the steps that lead to it. A step that was released is never changed; a new one is put below it. */
import { auditAlwaysKept } from '#model/audit.ts'
import { Problem } from '#model/problem.ts'
import { numberIn, type Database, type Query, type Dialect } from './database.ts'

type Migration = (words: Dialect) => readonly string[]

const migrations: readonly Migration[] = [
  runsAndLeases,
  notes,
  audit,
  runImages,
  generations,
  timeline,
  replicas,
]

/** The number of steps that this Tend knows. */
export const schemaVersion = migrations.length

/** Brings the database up to date, once for however many processes open it together. */
export async function migrate(database: Database, shown: string): Promise<void> {
  await makeVersionTable(database)
  if ((await versionOf(database, database.words, shown)) === migrations.length) return
  await database.transaction(async (inside) => {
    for (const sql of database.words.lockSchema) await inside.rows(sql)
    const version = await versionOf(inside, database.words, shown)
    for (const migration of migrations.slice(version)) {
      for (const sql of migration(database.words)) await inside.change(sql)
    }
    await inside.change('delete from tend_schema')
    await inside.change('insert into tend_schema (version) values (?)', [migrations.length])
  })
}

/** Makes the table of versions. PostgreSQL fails when two make the same table at once, even with `if not exists`. */
async function makeVersionTable(database: Database): Promise<void> {
  const sql = 'create table if not exists tend_schema (version integer not null)'
  const { lockSchema } = database.words
  if (lockSchema.length === 0) {
    await database.change(sql)
    return
  }
  await database.transaction(async (inside) => {
    for (const lock of lockSchema) await inside.rows(lock)
    await inside.change(sql)
  })
}

async function versionOf(query: Query, { lockSchema }: Dialect, shown: string): Promise<number> {
  const [row] = await query.rows('select version from tend_schema')
  const version = row === undefined ? 0 : numberIn(row, 'version')
  if (version <= migrations.length) return version
  throw new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the database ${shown} was written by a newer Tend (schema ${version}, this one knows ${migrations.length})`,
    suggestion: `Use that version of Tend, or ${
      // one of the two is a file in a folder
      lockSchema.length === 0 ? 'set TEND_HOME to another folder' : 'name another database'
    }.`,
  })
}

/**
 * Times are ms in 64 bits, truths 0 or 1. What a run was applied from and its secrets are with the run; the resources,
 * which are large and often the same, are in `snapshots`, once for each application.
 */
function runsAndLeases({ bytes }: Dialect): readonly string[] {
  return [
    `create table applications (
      key text primary key,
      kind text not null,
      namespace text,
      name text not null,
      since bigint not null,
      source text not null,
      last_run integer not null,
      is_uninstalled smallint not null
    )`,
    `create table snapshots (
      application text not null references applications (key),
      hash text not null,
      body ${bytes} not null,
      primary key (application, hash)
    )`,
    `create table runs (
      application text not null references applications (key),
      number integer not null,
      started_by text not null,
      version text not null,
      started_at bigint not null,
      ended_at bigint,
      outcome text,
      is_rolled_back smallint not null,
      is_uninstalled smallint not null,
      summary text,
      hash text not null,
      source text not null,
      snapshot text,
      secrets ${bytes},
      primary key (application, number),
      foreign key (application, snapshot) references snapshots (application, hash)
    )`,
    'create index runs_by_snapshot on runs (application, snapshot)',
    `create table events (
      application text not null,
      run integer not null,
      position integer not null,
      body text not null,
      primary key (application, run, position),
      foreign key (application, run) references runs (application, number)
    )`,
    `create table leases (
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
}

function notes(): readonly string[] {
  return [
    `create table notes (
      topic text not null,
      key text not null,
      body text not null,
      primary key (topic, key)
    )`,
  ]
}

function audit(words: Dialect): readonly string[] {
  return [
    `create table audit (
      number ${words.counter},
      at bigint not null,
      proof text not null,
      id text not null,
      who text not null,
      address text not null,
      action text not null,
      app text not null,
      status integer not null,
      detail text not null,
      times integer not null
    )`,
    'create index audit_by_app on audit (app, number)',
    ...words.appendOnly('audit', auditAlwaysKept),
  ]
}

/** Which images a run's containers ran, as JSON; null where a run recorded none. */
function runImages(): readonly string[] {
  return ['alter table runs add column images text']
}

/**
 * Each time a lease is taken its generation grows, and the row stays when it is released. A run keeps the generation
 * that it was begun under: when another one has taken the lease since, its writes are refused.
 */
function generations(): readonly string[] {
  return [
    'alter table leases add column generation bigint not null default 0',
    'alter table runs add column generation bigint',
  ]
}

/** What happened, for the dashboard's time-line. */
function timeline(words: Dialect): readonly string[] {
  return [
    `create table timeline (
      number ${words.counter},
      at bigint not null,
      app text not null,
      body text not null
    )`,
    'create index timeline_by_time on timeline (at)',
    'create index timeline_by_app on timeline (app, at)',
  ]
}

/**
 * Several services on one database (`replicas.ts`): who is alive, who looks after what, what is shown to those who come later, and
 * what each told the others, in the order in which it was committed.
 */
function replicas(words: Dialect): readonly string[] {
  return [
    `create table replicas (
      id text primary key,
      expires_at bigint not null,
      slots integer not null,
      facts text not null
    )`,
    `create table duties (
      key text primary key,
      target text not null,
      engine text not null,
      host text not null,
      holder text not null
    )`,
    'create table replica_views (key text primary key, body text not null)',
    `create table replica_messages (
      number ${words.counter},
      at bigint not null,
      replica text not null,
      body text not null
    )`,
  ]
}
