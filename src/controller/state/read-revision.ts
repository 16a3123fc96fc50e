/** Up to which revision of its source it is known what an application is to be. */
import type { AppState } from './app-state.ts'

const known = new WeakMap<AppState, string>()

/** Its files were looked at as they are in this revision. */
export function noteReadRevision(app: AppState, revision: string): void {
  known.set(app, revision)
}

/** The source is further than that: whether the newest revision changes anything of this application nobody knows yet. */
export function isBehindSource(app: AppState): boolean {
  const newest = app.branch?.snapshot?.revision
  return newest !== undefined && known.get(app) !== newest
}
