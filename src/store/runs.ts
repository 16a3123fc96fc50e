/** The store over a database: applications, their runs, and the events and snapshots of these. */
import { serialQueue } from '#engine/serial-queue.ts'
import { keyOf } from '#model/application.ts'
import type { Event } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { NewRun, Store } from '#model/store.ts'
import { bytesIn, numberIn, textIn, type Database, type Query } from './database.ts'
import { jsonText } from './json-text.ts'
import { applicationColumns, applicationRecordOf, runColumns, runRecordOf } from './records.ts'
import { forgetOld } from './retention.ts'
import { sealed, unsealed } from './seal.ts'
import { packed, unpacked } from './snapshot-body.ts'
import { defined } from '#model/defined.ts'

export function storeOver(database: Database, key: Uint8Array): Store {
  const { lockRead } = database.words
  const newest = newestGeneration(lockRead)
  /** One queue for each application: over several connections the second of two appends may arrive first. */
  const lines = new Map<string, ReturnType<typeof serialQueue>>()

  function lineOf(application: string): ReturnType<typeof serialQueue> {
    const line = lines.get(application) ?? serialQueue()
    lines.set(application, line)
    return line
  }

  return {
    async applications() {
      const rows = await database.rows(`select ${applicationColumns} order by applications.key`)
      return rows.map(applicationRecordOf)
    },
    async application(application) {
      const sql = `select ${applicationColumns} where applications.key = ?`
      const [row] = await database.rows(sql, [keyOf(application)])
      return row && applicationRecordOf(row)
    },
    async begin(run) {
      const { hash, body } = packed(run.snapshot)
      return database.transaction(async (inside) => {
        const application = keyOf(run.application)
        await checkGeneration(inside, application, run.generation, lockRead)
        const number = await numbered(inside, run)
        await inside.change(
          `insert into snapshots (application, hash, body) values (?, ?, ?)
           on conflict (application, hash) do nothing`,
          [application, hash, body],
        )
        await open(inside, run, number, hash, key)
        await forgetOld(inside, application, number)
        return number
      })
    },
    async append(application, run, event) {
      if (event.type === 'progress') return
      const name = keyOf(application)
      const cells = [name, jsonText(event), name, run]
      const added = await lineOf(name)(() => database.change(`${newest} ${appending}`, cells))
      if (added !== 1) throw takenOver(name, run)
    },
    async end(application, run, result) {
      const { endedAt, outcome, isRolledBack, summary, isUninstalled, images } = result
      const [name, isGone] = [keyOf(application), Number(isUninstalled)]
      await database.transaction(async (inside) => {
        const ended = await inside.change(
          `${newest} update runs set ended_at = ?, outcome = ?, is_rolled_back = ?, summary = ?,
           is_uninstalled = ?, images = ? where application = ? and number = ? and ${isInForce}`,
          [
            name,
            endedAt,
            outcome,
            Number(isRolledBack),
            jsonText(summary),
            isGone,
            images === undefined ? null : jsonText(images),
            name,
            run,
          ],
        )
        if (ended !== 1) throw takenOver(name, run)
        const sql = 'update applications set is_uninstalled = ? where key = ?'
        await inside.change(sql, [isGone, name])
      })
      lines.delete(name)
    },
    async recent(most, after) {
      const behind =
        after === undefined
          ? ''
          : `where runs.started_at < ? or (runs.started_at = ? and (runs.application > ?
             or (runs.application = ? and runs.number < ?)))`
      const { startedAt = 0, key: name = '', number = 0 } = after ?? {}
      const place = after === undefined ? [] : [startedAt, startedAt, name, name, number]
      const sql = `select runs.application, ${runColumns} from runs ${behind}
        order by runs.started_at desc, runs.application, runs.number desc limit ?`
      const rows = await database.rows(sql, [...place, most])
      return rows.map((row) => ({ key: textIn(row, 'application'), run: runRecordOf(row) }))
    },
    async runs(application) {
      const sql = `select ${runColumns} from runs where application = ? order by number desc`
      return (await database.rows(sql, [keyOf(application)])).map(runRecordOf)
    },
    async events(application, run) {
      const sql = 'select body from events where application = ? and run = ? order by position'
      const rows = await database.rows(sql, [keyOf(application), run])
      return rows.map((row): Event => JSON.parse(textIn(row, 'body')))
    },
    async snapshot(application, run) {
      const name = keyOf(application)
      const [row] = await database.rows(
        `select snapshots.body, runs.source, runs.secrets from runs join snapshots
         on snapshots.application = runs.application and snapshots.hash = runs.snapshot
         where runs.application = ? and runs.number = ?`,
        [name, run],
      )
      const body = row && bytesIn(row, 'body')
      if (body === undefined) return undefined
      const source: Json = JSON.parse(textIn(defined(row), 'source'))
      const secrets = bytesIn(defined(row), 'secrets')
      const place = { application: name, run }
      const opened = secrets === undefined ? new Map() : unsealed(secrets, key, place)
      return { ...unpacked(body), secrets: opened, source }
    },
    close: () => database.close(),
  }
}

/**
 * The generation of the application's lease, in front of a statement that writes for a run. The row is locked as it is read:
 * whoever takes the lease meanwhile waits until the write is over, and a write that came second finds the new generation.
 */
function newestGeneration(lockRead: string): string {
  return `with newest as (select generation from leases where key = ? ${lockRead})`
}

/** A condition of SQL: nobody took the lease of the application since the run began. */
const isInForce = 'not exists (select 1 from newest where newest.generation > runs.generation)'

const appending = `insert into events (application, run, position, body)
  select runs.application, runs.number,
  (select coalesce(max(events.position), 0) + 1 from events
   where events.application = runs.application and events.run = runs.number),
  cast(? as text) from runs where runs.application = ? and runs.number = ? and ${isInForce}`

async function checkGeneration(
  inside: Query,
  application: string,
  generation: number | undefined,
  lockRead: string,
): Promise<void> {
  if (generation === undefined) return
  const sql = `select generation from leases where key = ? ${lockRead}`
  const [row] = await inside.rows(sql, [application])
  if (row !== undefined && numberIn(row, 'generation') > generation) throw takenOver(application)
}

function takenOver(application: string, run?: number): Problem {
  const which = run === undefined ? 'a run' : `run ${run}`
  return new Problem({
    type: 'runtime',
    code: 'held',
    message: `${which} of ${application} was taken over: another process holds its lease by now`,
    suggestion: 'nothing is to be done: the one that took over brings it to its end',
  })
}

/** Gives the run its number. Counting up in the application's own row makes the second of two processes wait for the first. */
async function numbered(inside: Query, run: NewRun): Promise<number> {
  const { kind, namespace, name } = run.application
  const [row] = await inside.rows(
    `insert into applications (key, kind, namespace, name, since, source, last_run, is_uninstalled)
     values (?, ?, ?, ?, ?, ?, 1, 0)
     on conflict (key) do update set since = excluded.since, source = excluded.source,
     last_run = applications.last_run + 1, is_uninstalled = 0
     returning last_run`,
    [keyOf(run.application), kind, namespace, name, run.since, JSON.stringify(run.snapshot.source)],
  )
  return numberIn(defined(row), 'last_run')
}

async function open(
  inside: Query,
  run: NewRun,
  number: number,
  snapshot: string,
  key: Uint8Array,
): Promise<void> {
  const application = keyOf(run.application)
  const { secrets, source } = run.snapshot
  await inside.change(
    `insert into runs (application, number, started_by, version, started_at, is_rolled_back,
     is_uninstalled, hash, source, snapshot, secrets, generation)
     values (?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)`,
    [
      application,
      number,
      run.trigger,
      run.version,
      run.startedAt,
      run.hash,
      JSON.stringify(source),
      snapshot,
      secrets.size === 0 ? null : sealed(secrets, key, { application, run: number }),
      run.generation ?? null,
    ],
  )
}
