/** What was written to leases, runs and events, in the order in which the database took it: triggers keep it, the checker reads it. */
import { numberIn, textIn, type Database, type Row } from '#store/database.ts'

export type Write =
  | {
      readonly of: 'lease'
      readonly key: string
      /** Empty when it was released. */
      readonly token: string
      readonly generation: number
      /** ms, by the database's clock, as `at` is. */
      readonly expiresAt: number
      readonly at: number
    }
  | {
      readonly of: 'begin' | 'event' | 'end'
      readonly key: string
      readonly run: number
      /** The generation under which the run was begun. */
      readonly generation: number
      readonly at: number
      /** Of an end: what was applied, if it succeeded, and how many resources that changed. */
      readonly done?: { readonly hash: string; readonly changes: number } | undefined
    }

/** From now on every write is kept. The order is that of commits: who writes waits for the one before. */
export async function keepHistory(database: Database): Promise<void> {
  const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
  const columns = '(wrote, key, token, run, generation, expires_at, at, hash, changes)'
  const changed = ['created', 'updated', 'deleted'].map(
    (word) => `coalesce((new.summary::json->>'${word}')::integer, 0)`,
  )
  const statements = [
    `create table fault_history (number bigserial primary key, wrote text not null, key text not null,
     token text, run integer, generation bigint, expires_at bigint, at bigint not null, hash text,
     changes integer)`,
    `create function fault_history_lease() returns trigger language plpgsql as $$ begin
       insert into fault_history ${columns}
       values ('lease', new.key, new.token, null, new.generation, new.expires_at, ${now}, null, null);
       return null; end $$`,
    `create function fault_history_run() returns trigger language plpgsql as $$ begin
       if tg_op = 'INSERT' then
         insert into fault_history ${columns}
         values ('begin', new.application, null, new.number, new.generation, null, ${now}, null, null);
       elsif new.outcome is distinct from old.outcome then
         insert into fault_history ${columns}
         values ('end', new.application, null, new.number, new.generation, null, ${now},
         case when new.outcome = 'succeeded' then new.hash end, ${changed.join(' + ')});
       end if;
       return null; end $$`,
    `create function fault_history_event() returns trigger language plpgsql as $$ begin
       insert into fault_history ${columns}
       select 'event', new.application, null, new.run, runs.generation, null, ${now}, null, null
       from runs where runs.application = new.application and runs.number = new.run;
       return null; end $$`,
    `create trigger fault_history after insert or update on leases
     for each row execute function fault_history_lease()`,
    `create trigger fault_history after insert or update on runs
     for each row execute function fault_history_run()`,
    `create trigger fault_history after insert on events
     for each row execute function fault_history_event()`,
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

/** What may never be, each with the write that shows it. Empty: nothing of it was. `deaths`: when holders were killed, ms. */
export function faultsIn(
  history: readonly Write[],
  deaths: readonly number[] = [],
): readonly string[] {
  const faults: string[] = []
  const leases = new Map<string, Extract<Write, { readonly of: 'lease' }>>()
  const open = new Map<string, { readonly run: number; readonly generation: number }>()
  const applied = new Map<string, string>()
  for (const write of history) {
    const lease = leases.get(write.key)
    if (write.of === 'lease') {
      if (lease !== undefined) faults.push(...leaseFaults(lease, write, deaths))
      leases.set(write.key, write)
      continue
    }
    if (lease !== undefined && write.generation < lease.generation) {
      faults.push(
        `${write.key}: ${write.of} of run ${write.run} under generation ${write.generation}, though ${lease.generation} was taken before`,
      )
    }
    const other = open.get(write.key)
    if (write.of === 'begin') {
      if (other !== undefined && other.generation >= write.generation) {
        faults.push(`${write.key}: run ${write.run} began while run ${other.run} went on`)
      }
      if (other !== undefined && other.run >= write.run) {
        faults.push(`${write.key}: run ${write.run} began after run ${other.run}`)
      }
      open.set(write.key, write)
    } else if (write.of === 'end') {
      if (other?.run === write.run) open.delete(write.key)
      const { hash, changes } = write.done ?? {}
      if (hash !== undefined && changes === 0 && applied.get(write.key) === hash) {
        faults.push(`${write.key}: run ${write.run} did again what the run before it had done`)
      }
      if (hash !== undefined) applied.set(write.key, hash)
    }
  }
  return faults
}

function leaseFaults(
  before: Extract<Write, { readonly of: 'lease' }>,
  now: Extract<Write, { readonly of: 'lease' }>,
  deaths: readonly number[],
): readonly string[] {
  const faults: string[] = []
  if (now.generation < before.generation) {
    faults.push(`${now.key}: generation ${now.generation} after ${before.generation}`)
  }
  const isTaken = now.token !== '' && now.token !== before.token
  if (!isTaken) return faults
  if (now.generation === before.generation) {
    faults.push(`${now.key}: another holder under the same generation ${now.generation}`)
  }
  const isDead = deaths.some((at) => at >= before.at && at <= now.at)
  if (before.token !== '' && before.expiresAt > now.at && !isDead) {
    faults.push(
      `${now.key}: generation ${now.generation} was taken ${before.expiresAt - now.at} ms before ${before.generation} had ended`,
    )
  }
  return faults
}
