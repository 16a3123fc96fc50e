/** What runs is well and as it was applied, and the newest of its source could not be applied, or must not be used. */
import type { AppRow } from '#model/api.ts'

/** Since when, ms; undefined: it is not so. */
export function notNewestSince({
  state,
  health,
  sync,
  refused,
  lastRun,
}: Pick<AppRow, 'state' | 'health' | 'sync' | 'refused' | 'lastRun'>): number | undefined {
  if (health.state !== 'healthy' || sync.state !== 'synced') return undefined
  if (refused !== undefined) return refused.since
  return state === 'failed' ? (lastRun?.at ?? sync.since) : undefined
}
