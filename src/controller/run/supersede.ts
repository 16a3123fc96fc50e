/** Whoever is waiting for the health of a revision does not keep a newer one waiting. */
import { decideFor, type DecisionContext } from '../decide/app-status.ts'
import type { AppState } from '../state/app-state.ts'

/**
 * Ends the wait of the run under way, if its source has something else by now that would be applied at once, or has it no more and it
 * would be removed. Nothing is cut off: calls go on to their end, and what closed windows, suspension or a dependency hold back ends no
 * wait either.
 */
export function supersede(app: AppState, around: DecisionContext): void {
  const { applying, persisted, refresh, branch, isGone } = app
  if (applying === undefined || applying.superseded.signal.aborted) return
  const { hash } = persisted.desired ?? {}
  const isNewer = refresh === undefined && hash !== undefined && hash !== applying.hash
  if (!isGone && !isNewer) return
  const next = decideFor({ ...app, underWay: undefined }, around)
  if (next.run?.work !== (isGone ? 'removal' : 'desired')) return
  const newer = `revision ${branch?.status.revision ?? ''} is to be applied`
  applying.superseded.abort(isGone ? 'it is no longer in its source' : newer)
}
