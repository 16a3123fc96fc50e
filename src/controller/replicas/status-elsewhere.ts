/** What is told of an application that another replica looks after. */
import type { AppStatus } from '#model/service.ts'
import { decideFor, statusOf, type DecisionContext } from '../decide/app-status.ts'
import type { AppState } from '../state/app-state.ts'
import type { ServiceState } from '../state/service-state.ts'

/** As its holder told it last; before that, as it is known from notes. */
export function statusElsewhere(
  { dependencies }: ServiceState,
  app: AppState,
  around: DecisionContext,
): AppStatus {
  return app.status ?? statusOf(app, decideFor(app, around), dependencies.clock.now())
}

/** Its holder has read the commit that is known here: before that, what it says may be about the one before. */
export function isUpToDate({ status, branch }: AppState): boolean {
  return status?.desired?.revision === branch?.status.revision
}
