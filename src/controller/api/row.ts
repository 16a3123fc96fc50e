/** An application as a row of a list: its status and what only lists show. */
import type { AppRow } from '#model/api.ts'
import type { AppStatus } from '#model/service.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { Scheduler } from '../run/scheduler.ts'

export function rowOf(service: ServiceState, schedule: Scheduler, status: AppStatus): AppRow {
  const app = service.apps.get(status.key)
  const revision = status.synced?.revision ?? status.desired?.revision
  const commit = revision === undefined ? undefined : service.commits.get(revision)
  return {
    ...status,
    ...(commit === undefined ? {} : { commit }),
    blockedBy: app === undefined ? [] : schedule.blockers(app),
    isUpdateAvailable: isUpdateAvailable(status),
    labels: status.labels ?? {},
  }
}

/** The source wants something else than what is in force, and no run is under way that would bring it. */
export function isUpdateAvailable({ desired, synced, state }: AppStatus): boolean {
  if (desired === undefined || synced === undefined) return false
  return desired.hash !== synced.hash && state !== 'syncing' && state !== 'deleting'
}
