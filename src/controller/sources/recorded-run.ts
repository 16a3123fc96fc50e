/** What an application is kept as that comes from no source: its last run, as the store has it at this moment. */
import { hashOf, isRecord, type Json } from '#model/json.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import { lastGood, type Past } from '#store/past.ts'

export type RecordedRun = Past & {
  /** Where it was last applied from, as the front end put it there: it is kept with a repair too. */
  readonly source: Json
  /** Asked under the lease, which another run may have had before: what is in force then may not be what was read here. */
  isStill(): Promise<boolean>
}

/** Undefined: it was uninstalled, or is applied elsewhere now, or nothing is kept of it. */
export async function recordedRun(
  record: ApplicationRecord,
  store: Store,
): Promise<RecordedRun | undefined> {
  const { application } = record
  const now = await store.application(application)
  if (now === undefined || now.isUninstalled || hasMoved(record, now)) return undefined
  const past = await lastGood(application, store)
  if (past === undefined) return undefined
  async function isStill(): Promise<boolean> {
    return (await recordedRun(record, store))?.run.number === past?.run.number
  }
  return { ...past, source: now.source, isStill }
}

/** It runs on another engine than before. */
export function hasMoved(
  before: Pick<ApplicationRecord, 'source'>,
  now: Pick<ApplicationRecord, 'source'>,
): boolean {
  return hashOf(engineIn(before.source)) !== hashOf(engineIn(now.source))
}

function engineIn(source: Json): Json {
  return (isRecord<Json>(source) ? source['engine'] : undefined) ?? null
}
