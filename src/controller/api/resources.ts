/** Each resource of an application with both answers: sync from a preview, health as the service knows it at this moment. */
import { assess } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import type { ResourceStatus } from '#model/service.ts'
import type { Ref } from '#model/ref.ts'
import type { Look } from '#model/domain.ts'
import type { ServiceState } from '../state/service-state.ts'
import { previewFor } from '../monitor/detect-drift.ts'
import { renderInForce } from '../sources/desired-state.ts'
import type { AppState } from '../state/app-state.ts'
import { withSyncSince } from '../state/sync-since.ts'

/** None where nothing was applied yet. */
export async function resourcesOf(
  service: ServiceState,
  app: AppState,
  signal: AbortSignal,
): Promise<readonly ResourceStatus[]> {
  const { monitor, persisted, health } = app
  const rendered = await renderInForce(service, app)
  if (monitor === undefined || rendered === undefined) return []
  const { clock } = service.dependencies
  const { kind, target } = monitor.connection().ports(app.owner, app.declared)
  const seen = await previewFor(service, app, rendered, signal)
  // what is known live is not looked at a second time: two looks at two moments could contradict each other
  const live: ReadonlyMap<Ref, Look> = health?.each ?? new Map()
  const others = rendered.resources.filter(({ ref }) => !live.has(ref))
  const looks = await lookAtHealth({ resources: others }, seen, { kind, target, clock }, signal)
  const since = persisted.answers?.health.since ?? clock.now()
  const { resources } = assess(rendered, seen, new Map([...looks, ...live]), kind)
  return withSyncSince(app, resources, clock.now()).map((one) => ({
    ...one,
    health: one.health && { ...one.health, since: sinceOf(app, one.ref) ?? since },
  }))
}

/** Of one that does not change, since the application is as it is. */
function sinceOf({ monitor, seen }: AppState, ref: Ref): number | undefined {
  const id = seen?.listed?.find((one) => one.ref === ref)?.id
  return id === undefined ? undefined : monitor?.records.judgedSince(id)
}
