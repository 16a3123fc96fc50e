/** Images that only runs of long ago used: removed where the operator says how many are worth keeping. */
import { problemOf } from '#model/problem.ts'
import { livingRuns } from '#store/past.ts'
import { checkRight } from '../guards/check-right.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'

const patience = 60_000

/** After a run that went well. What any container uses, and what has other names too, stays: the engine itself refuses that. */
export async function pruneImages(service: ServiceState, app: AppState): Promise<void> {
  const { store, log } = service.dependencies
  const keep = app.declared?.policy.keepImages
  const connection = app.monitor?.connection()
  if (keep === undefined || connection?.removeImages === undefined) return
  try {
    const runs = await livingRuns(app.application, store)
    const good = runs.filter(({ outcome }) => outcome === 'succeeded')
    const used = setsOf(good.map(({ images = {} }) => Object.values(images).map(({ id }) => id)))
    const kept = new Set(used.slice(0, keep + 1).flat())
    const old = new Set(used.flat().filter((id) => !kept.has(id)))
    if (old.size === 0) return
    const signal = AbortSignal.any([service.stop, AbortSignal.timeout(patience)])
    checkRight(service, app.key)
    const removed = await connection.removeImages([...old], signal)
    if (removed > 0) log('info', 'old images were removed', { app: app.key, removed })
  } catch (thrown) {
    // the next run tries again
    const why = problemOf(thrown).message
    log('warning', 'old images could not be removed', { app: app.key, why })
  }
}

/** Runs that used the same images count as one. */
function setsOf(runs: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>()
  return runs.filter((ids) => {
    const text = ids.toSorted().join(' ')
    const isNew = text !== '' && !seen.has(text)
    seen.add(text)
    return isNew
  })
}
