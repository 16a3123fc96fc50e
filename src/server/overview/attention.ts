/** What lists are sorted by, and what tiles count. */
import { troubleOf } from '#engine/attention.ts'
import type { AppRow } from '#model/api.ts'

/** Lower is worse. */
export function urgencyOf(row: AppRow): number {
  const trouble = troubleOf(row)
  if (trouble !== undefined) return trouble
  if (row.blockedBy.length > 0) return 7
  if (row.sync.state === 'syncing' || row.health.state === 'progressing') return 8
  return row.isUpdateAvailable || row.isSuspended ? 9 : 10
}

/** An application that is not healthy, not as declared, or waits for a person. */
export function needsAttention(row: AppRow): boolean {
  return troubleOf(row) !== undefined
}
