/** Since when each resource of an application is in sync, or not: from the moment it was first seen so. */
import type { ResourceAssessment, Since, SyncState } from '#model/assessment.ts'
import type { Ref } from '#model/ref.ts'
import type { AppState } from './app-state.ts'

type SyncSeen = Since & { readonly state: SyncState }

/** By applications as the service has them in memory. What was before this process began is told of the application as a whole. */
const seen = new WeakMap<AppState, Map<Ref, SyncSeen>>()

/** Called with what each comparison finds. */
export function withSyncSince<One extends Pick<ResourceAssessment, 'ref' | 'sync'>>(
  app: AppState,
  resources: readonly One[],
  now: number,
): readonly (One & { readonly sync: One['sync'] & Since })[] {
  const before = seen.get(app)
  const after = new Map<Ref, SyncSeen>()
  const whole = app.persisted.answers?.sync
  const told = resources.map((one) => {
    const { state } = one.sync
    const known = before?.get(one.ref) ?? whole
    const since = known?.state === state ? known.since : now
    after.set(one.ref, { state, since })
    return { ...one, sync: { ...one.sync, since } }
  })
  seen.set(app, after)
  return told
}

/** It was seen that nothing of it drifts any more. */
export function markAllSynced(app: AppState, now: number): void {
  const known = seen.get(app)
  for (const [ref, { state }] of known ?? []) {
    if (state !== 'synced') known?.set(ref, { state: 'synced', since: now })
  }
}
