/** What metrics tell of this moment, of the applications that this service looks after. */
import type { Scheduler } from '../run/scheduler.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { Gauge } from './metrics.ts'

export function gaugesOf(
  service: ServiceState,
  schedule: Pick<Scheduler, 'waiting' | 'running'>,
): readonly Gauge[] {
  const states = new Map<string, number>()
  const healths: Gauge[] = []
  for (const { status } of service.apps.values()) {
    if (status === undefined || !service.isOurs(status.key)) continue
    states.set(status.state, (states.get(status.state) ?? 0) + 1)
    const labels = { app: status.key, state: status.health.state }
    healths.push({ name: 'tend_app_health', labels, value: 1 })
  }
  return [
    ...[...states].map(([state, value]) => ({ name: 'tend_apps', labels: { state }, value })),
    ...healths,
    { name: 'tend_config_ok', labels: {}, value: service.refused === undefined ? 1 : 0 },
    { name: 'tend_queue_length', labels: {}, value: schedule.waiting() },
    { name: 'tend_runs_under_way', labels: {}, value: schedule.running() },
  ]
}
