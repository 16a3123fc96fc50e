/** Whether an application needs somebody, and how much: one answer for lists, tiles, groups and targets. */
import type { SyncShown } from '#model/assessment.ts'
import type { AppStatus } from '#model/service.ts'

/** Lower is worse. Undefined: the application is well and as declared, on its way there, or meant to be as it is. */
export function troubleOf(app: AppStatus): number | undefined {
  const { health, sync, state } = app
  if (health.state === 'failed') return 0
  if (health.state === 'degraded') return 1
  if (isLeftAlone(app)) return undefined
  // what runs is well, and the newest of its source could not be applied
  if (state === 'failed' || app.refused !== undefined) return 2
  if (app.needsAcknowledgement) return 3
  if (sync.state === 'missing') return 4
  if (sync.state === 'drifted') return 5
  return sync.state === 'unknown' || health.state === 'unknown' ? 6 : undefined
}

/** What is behind was not changed by hand: its source has something newer. */
export function syncShown({ sync }: Pick<AppStatus, 'sync'>): SyncShown {
  return sync.isBehind === true ? 'behind' : sync.state
}

/** Suspended before it ever ran: somebody wants it so, and there is nothing that could be wrong. */
export function isLeftAlone({ isSuspended, synced, lastRun }: AppStatus): boolean {
  return isSuspended && synced === undefined && lastRun === undefined
}
