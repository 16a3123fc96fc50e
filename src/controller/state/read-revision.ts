/** Up to which revision of its source it is known what an application is to be. */
import type { AppState } from './app-state.ts'

const known = new WeakMap<AppState, string>()
const announced = new WeakMap<AppState, string>()

/** Its files were looked at as they are in this revision. */
export function noteReadRevision(app: AppState, revision: string): void {
  known.set(app, revision)
}

/** The source is further than that: whether the newest revision changes anything of this application nobody knows yet. */
export function isBehindSource(app: AppState): boolean {
  const newest = app.branch?.snapshot?.revision
  return newest !== undefined && known.get(app) !== newest
}

/** Its declaration is that of this revision: from now on its files can be looked at as they are there. */
export function noteAnnounced(app: AppState): void {
  const revision = app.branch?.snapshot?.revision
  if (revision !== undefined) announced.set(app, revision)
}

/** It is time to look at its files, and nobody does: whoever was to do so had no right to, or never came to it. */
export function isOverlooked(app: AppState): boolean {
  if (app.refresh !== undefined || app.isGone || !isBehindSource(app)) return false
  return announced.get(app) === app.branch?.snapshot?.revision
}
