/** What a failed run left and others may have put their things into is not removed by itself: only what went well once is. */
import type { Rendered } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import { lastGood } from '#store/past.ts'
import type { ServiceState } from '../state/service-state.ts'
import { kindFor } from '../sources/desired-state.ts'
import { setProven, type AppState } from '../state/app-state.ts'

export async function keepUnproven(
  service: ServiceState,
  app: AppState,
  rendered: Rendered,
): Promise<Rendered> {
  const kind = kindFor(service, app)
  if (kind.keepsUnproven === undefined) return rendered
  const proven = await provenOf(service, app)
  if (proven === undefined) return rendered
  const known = new Set([...proven, ...rendered.resources.map(({ ref }) => ref)])
  return {
    ...rendered,
    leaves: (ref) =>
      rendered.leaves?.(ref) ?? (known.has(ref) ? undefined : kind.keepsUnproven?.(ref)),
  }
}

/** Undefined when it never ran here: whoever looked after it before knew what was to go. */
async function provenOf(
  service: ServiceState,
  app: AppState,
): Promise<ReadonlySet<Ref> | undefined> {
  const { application, persisted } = app
  if (persisted.lastRun === undefined) return undefined
  const at = persisted.synced?.at ?? 0
  if (app.proven?.at === at) return app.proven.refs
  const past = await lastGood(application, service.dependencies.store)
  const resources = past?.run.outcome === 'succeeded' ? past.snapshot.resources : []
  const kind = kindFor(service, app)
  const all = resources.map(({ ref }) => ref)
  const refs = new Set(all.filter((ref) => kind.keepsUnproven?.(ref) !== undefined))
  setProven(app, { at, refs })
  return refs
}
