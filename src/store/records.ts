/** Rows as the records that the model speaks of. */
import type { Outcome, Summary, Trigger } from '#model/event.ts'
import type { Images } from '#model/image.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { ApplicationRecord, RunRecord } from '#model/store.ts'
import { numberIn, textIn, type Row } from './database.ts'

/** What `runRecordOf` reads: not the secrets, which may be large. */
export const runColumns = `runs.number, runs.started_by, runs.version, runs.started_at, runs.ended_at,
  runs.outcome, runs.is_rolled_back, runs.summary, runs.hash, runs.snapshot, runs.images, runs.source as run_source`

/** The columns that `applicationRecordOf` reads: those of an application and of its last run, if there was one. */
export const applicationColumns = `applications.kind, applications.namespace, applications.name,
  applications.since, applications.source, applications.is_uninstalled, ${runColumns}
  from applications left join runs
  on runs.application = applications.key and runs.number = applications.last_run`

export function applicationRecordOf(row: Row): ApplicationRecord {
  const source: Json = JSON.parse(textIn(row, 'source'))
  return {
    application: {
      kind: textIn(row, 'kind'),
      namespace: row['namespace'] === null ? null : textIn(row, 'namespace'),
      name: textIn(row, 'name'),
    },
    since: numberIn(row, 'since'),
    source,
    lastRun: row['number'] === null ? undefined : runRecordOf(row),
    isUninstalled: numberIn(row, 'is_uninstalled') === 1,
  }
}

export function runRecordOf(row: Row): RunRecord {
  const summary: Summary | null = JSON.parse(textIn(row, 'summary') || 'null')
  const images: Images | null = JSON.parse(textIn(row, 'images') || 'null')
  return {
    number: numberIn(row, 'number'),
    trigger: oneOf(triggers, textIn(row, 'started_by')),
    version: textIn(row, 'version'),
    startedAt: numberIn(row, 'started_at'),
    endedAt: row['ended_at'] === null ? undefined : numberIn(row, 'ended_at'),
    outcome: row['outcome'] === null ? undefined : oneOf(outcomes, textIn(row, 'outcome')),
    isRolledBack: numberIn(row, 'is_rolled_back') === 1,
    summary: summary ?? undefined,
    hash: textIn(row, 'hash'),
    hasSnapshot: row['snapshot'] !== null,
    ...(images === null ? {} : { images }),
    ...sourceFacts(JSON.parse(textIn(row, 'run_source') || 'null')),
  }
}

/** What front ends keep with a run beside its path: the revision, and who asked for it. */
export function sourceFacts(source: Json): Pick<RunRecord, 'revision' | 'by'> {
  const { revision, by } = isRecord<Json>(source) ? source : {}
  return {
    ...(typeof revision === 'string' && revision !== '' ? { revision } : {}),
    ...(typeof by === 'string' ? { by } : {}),
  }
}

/** Tables, so that a word which the model gains and this file lacks is an error of types. */
const triggers: Dialect<Trigger> = {
  manual: 'manual',
  rollback: 'rollback',
  reinit: 'reinit',
  health: 'health',
  drift: 'drift',
  refresh: 'refresh',
  webhook: 'webhook',
  'start-up': 'start-up',
}
const outcomes: Dialect<Outcome> = {
  succeeded: 'succeeded',
  failed: 'failed',
  interrupted: 'interrupted',
  refused: 'refused',
}

type Dialect<Word extends string> = { readonly [Each in Word]: Each }

function oneOf<Word extends string>(words: Dialect<Word>, text: string): Word {
  const found = Object.values<Word>(words).find((word) => word === text)
  if (found === undefined) throw new TypeError(`not a word of the store: ${text}`)
  return found
}
