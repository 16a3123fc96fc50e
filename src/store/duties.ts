/** The rows of duties: who looks after which application or repository. */
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Duty, DutyChange } from '#model/replicas.ts'
import { textIn, type Database, type Query, type Row } from './database.ts'

/** How many rows one statement changes. */
const atOnce = 200

/**
 * Changes each duty only if it is still held as its change says, and passes over one of which somebody writes at this moment: nobody
 * waits for that, the next exchange tries again. Gives those that were changed.
 */
export async function changeDuties(
  inside: Query,
  changes: readonly DutyChange[],
  lockFree: string,
): Promise<readonly Duty[]> {
  const made: Duty[] = []
  for (const some of parts(changes.filter(({ from }) => from === undefined))) {
    const places = some.map(() => '(?, ?, ?, ?, ?)').join(', ')
    const rows = await inside.rows(
      `insert into duties (key, target, engine, host, holder) values ${places}
       on conflict (key) do nothing returning key, target, engine, host, holder`,
      some.flatMap((one) => [one.key, one.target, one.engine, one.host, one.holder]),
    )
    made.push(...rows.map(dutyIn))
  }
  for (const some of parts(changes.filter(({ from }) => from !== undefined))) {
    const places = some.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')
    const keys = some.map(() => '?').join(', ')
    const rows = await inside.rows(
      `with free as (select key from duties where key in (${keys}) ${lockFree})
       update duties set target = v.column2, engine = v.column3, host = v.column4,
       holder = v.column5 from (values ${places}) as v
       where duties.key = v.column1 and duties.holder = v.column6
       and duties.key in (select key from free)
       returning duties.key, duties.target, duties.engine, duties.host, duties.holder`,
      [
        ...some.map(({ key }) => key),
        ...some.flatMap((one) => [
          one.key,
          one.target,
          one.engine,
          one.host,
          one.holder,
          one.from ?? '',
        ]),
      ],
    )
    made.push(...rows.map(dutyIn))
  }
  return made
}

export async function endDuties(
  inside: Query,
  keys: readonly string[],
): Promise<readonly string[]> {
  for (const some of parts(keys)) {
    const places = some.map(() => '?').join(', ')
    await inside.change(`delete from duties where key in (${places})`, some)
  }
  return keys
}

type DutyNote = {
  readonly duty: string
  readonly holder: string
  readonly topic: string
  readonly note: Json | undefined
}

/**
 * The check and the write are one: the row of the duty is locked while its note is written, so that whoever has it next reads what
 * was written before, and nothing comes after.
 */
export async function keepNote(
  database: Database,
  { duty, holder, topic, note }: DutyNote,
): Promise<void> {
  const { lockRead } = database.words
  const held = `with held as (select key from duties where key = ? and holder = ? ${lockRead})`
  if (note === undefined) {
    const sql = `${held} delete from notes where topic = ? and key in (select key from held)`
    await database.change(sql, [duty, holder, topic])
    return
  }
  const written = await database.change(
    `${held} insert into notes (topic, key, body)
     select cast(? as text), held.key, cast(? as text) from held where true
     on conflict (topic, key) do update set body = excluded.body`,
    [duty, holder, topic, JSON.stringify(note)],
  )
  if (written === 1) return
  const message = `another replica looks after ${duty} by now`
  throw new Problem({ type: 'runtime', code: 'held', message, recoverable: true })
}

export function dutyIn(row: Row): Duty {
  return {
    key: textIn(row, 'key'),
    target: textIn(row, 'target'),
    engine: textIn(row, 'engine'),
    host: textIn(row, 'host'),
    holder: textIn(row, 'holder'),
  }
}

export function parts<One>(all: readonly One[]): readonly (readonly One[])[] {
  const found: (readonly One[])[] = []
  for (let from = 0; from < all.length; from += atOnce) found.push(all.slice(from, from + atOnce))
  return found
}
