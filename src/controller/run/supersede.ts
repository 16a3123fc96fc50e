/** Whoever is waiting for the health of a revision does not keep a newer one waiting. */
import { decideFor, type DecisionContext } from '../decide/app-status.ts'
import type { AppState } from '../state/app-state.ts'

/**
 * Ends the wait of the run under way, if its source has something else by now that would be applied at once. Nothing is cut off: calls go
 * on to their end, and what closed windows, suspension or a dependency hold back ends no wait either.
 */
export function supersede(app: AppState, around: DecisionContext): void {
  const { applying, persisted, refresh, branch } = app
  const { hash } = persisted.desired ?? {}
  if (applying === undefined || hash === undefined || refresh !== undefined) return
  if (hash === applying.hash || applying.superseded.signal.aborted) return
  const next = decideFor({ ...app, underWay: undefined }, around)
  if (next.run?.work !== 'desired') return
  applying.superseded.abort(`revision ${branch?.status.revision ?? ''} is to be applied`)
}
