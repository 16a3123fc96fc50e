/** Each resource of an application with both answers: sync from a preview, health as the service knows it at this moment. */
import { assess } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import type { ResourceStatus } from '#model/service.ts'
import type { Ref } from '#model/ref.ts'
import type { Look } from '#model/domain.ts'
import type { ServiceState } from '../state/service-state.ts'
import { previewFor } from '../monitor/detect-drift.ts'
import { renderTried } from './looked.ts'
import type { AppState } from '../state/app-state.ts'
import { withSince } from '../state/since.ts'

/** None where nothing was tried yet. */
export async function resourcesOf(
  service: ServiceState,
  app: AppState,
  signal: AbortSignal,
): Promise<readonly ResourceStatus[]> {
  const { monitor, health } = app
  const rendered = await renderTried(service, app)
  if (monitor === undefined || rendered === undefined) return []
  const { clock } = service.dependencies
  const { kind, target } = monitor.connection().ports(app.owner, app.declared)
  const seen = await previewFor(service, app, rendered, signal)
  // what is known live is not looked at a second time: two looks at two moments could contradict each other
  const live: ReadonlyMap<Ref, Look> = health?.each ?? new Map()
  const others = rendered.resources.filter(({ ref }) => !live.has(ref))
  const looks = await lookAtHealth({ resources: others }, seen, { kind, target, clock }, signal)
  const { resources } = assess(rendered, seen, new Map([...looks, ...live]), kind)
  return withSince(app, resources, clock.now())
}
