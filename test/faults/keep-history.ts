/** Keeps what is written to leases, runs and events, in the order in which the database takes it: by triggers, in either database. */
import { numberIn, textIn, type Database, type Row } from '#store/database.ts'
import type { Write } from './history.ts'

type Words = {
  readonly number: string
  readonly now: string
  readonly count: (word: string) => string
  readonly trigger: (name: string, when: string, work: string) => readonly string[]
}

const postgres: Words = {
  number: 'bigserial primary key',
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  count: (word) => `coalesce((new.summary::json->>'${word}')::integer, 0)`,
  trigger: (name, when, work) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin
       ${work}; return null; end $$`,
    `create trigger ${name} after ${when} execute function ${name}()`,
  ],
}

const sqlite: Words = {
  number: 'integer primary key',
  now: "cast(unixepoch('subsec') * 1000 as integer)",
  count: (word) => `coalesce(json_extract(new.summary, '$.${word}'), 0)`,
  trigger: (name, when, work) => [`create trigger ${name} after ${when} begin ${work}; end`],
}

/** From now on every write is kept. The order is that of commits: who writes waits for the one before. */
export async function keepHistory(database: Database): Promise<void> {
  // one of the two locks rows
  const words = database.words.lockRead === '' ? sqlite : postgres
  const { now } = words
  const changes = ['created', 'updated', 'deleted'].map(words.count).join(' + ')
  const adding = `insert into fault_history
    (wrote, key, token, run, generation, expires_at, at, hash, changes)`
  const lease = `${adding}
    values ('lease', new.key, new.token, null, new.generation, new.expires_at, ${now}, null, null)`
  const begin = `${adding}
    values ('begin', new.application, null, new.number, new.generation, null, ${now}, null, null)`
  const end = `${adding}
    values ('end', new.application, null, new.number, new.generation, null, ${now},
    case when new.outcome = 'succeeded' then new.hash end, ${changes})`
  const event = `${adding}
    select 'event', new.application, null, new.run, runs.generation, null, ${now}, null, null
    from runs where runs.application = new.application and runs.number = new.run`
  const isEnd = 'when (new.outcome is distinct from old.outcome)'
  const statements = [
    `create table fault_history (number ${words.number}, wrote text not null, key text not null,
     token text, run integer, generation bigint, expires_at bigint, at bigint not null, hash text,
     changes integer)`,
    ...words.trigger('fault_history_taken', 'insert on leases for each row', lease),
    ...words.trigger('fault_history_lease', 'update on leases for each row', lease),
    ...words.trigger('fault_history_begin', 'insert on runs for each row', begin),
    ...words.trigger('fault_history_end', `update on runs for each row ${isEnd}`, end),
    ...words.trigger('fault_history_event', 'insert on events for each row', event),
  ]
  for (const sql of statements) await database.change(sql)
}

export async function readHistory(database: Database): Promise<readonly Write[]> {
  const rows = await database.rows('select * from fault_history order by number')
  return rows.map(writeIn)
}

function writeIn(row: Row): Write {
  const [wrote, key] = [textIn(row, 'wrote'), textIn(row, 'key')]
  const [generation, at] = [numberIn(row, 'generation'), numberIn(row, 'at')]
  if (wrote === 'lease') {
    const expiresAt = numberIn(row, 'expires_at')
    return { of: 'lease', key, token: textIn(row, 'token'), generation, expiresAt, at }
  }
  const of = wrote === 'begin' || wrote === 'end' ? wrote : 'event'
  const hash = textIn(row, 'hash')
  const done = hash === '' ? undefined : { hash, changes: numberIn(row, 'changes') }
  return { of, key, run: numberIn(row, 'run'), generation, at, done }
}
