/** How much an application needs somebody to look: what lists are sorted by, and what tiles count. */
import type { AppRow } from '#model/api.ts'

/** Lower is worse. */
export function urgencyOf(row: AppRow): number {
  const { health, sync, state } = row
  if (health.state === 'failed') return 0
  if (health.state === 'degraded') return 1
  // somebody wants it so, and there is nothing that could be wrong
  if (row.isSuspended && row.synced === undefined && row.lastRun === undefined) return 9
  if (state === 'failed') return 2
  if (row.needsAcknowledgement) return 3
  if (sync.state === 'missing') return 4
  if (sync.state === 'drifted') return 5
  if (sync.state === 'unknown' || health.state === 'unknown') return 6
  if (row.blockedBy.length > 0) return 7
  if (sync.state === 'syncing' || health.state === 'progressing') return 8
  return row.isUpdateAvailable || row.isSuspended ? 9 : 10
}

/** It is neither well nor as declared, or waits for somebody. */
export function needsAttention(row: AppRow): boolean {
  return urgencyOf(row) <= 6
}
