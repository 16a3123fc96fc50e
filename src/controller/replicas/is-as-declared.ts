/** Whether an application is as its source declares it, whoever looks after it: those that depend on it may begin. */
import type { AppState } from '../state/app-state.ts'
import type { ServiceState } from '../state/service-state.ts'
import { isUpToDate } from './status-elsewhere.ts'

export function isAsDeclared(service: ServiceState, app: AppState | undefined): boolean {
  if (app !== undefined && !service.isOurs(app.key) && !isUpToDate(app)) return false
  if (app?.refresh !== undefined) return false
  if (app === undefined || app.underWay !== undefined || app.fault !== undefined) return false
  const { desired, synced, begun } = app.persisted
  return desired !== undefined && desired.hash === synced?.hash && begun === undefined
}
