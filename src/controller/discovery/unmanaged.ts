/** What docker-cd started and Git has no word of: said once, and never touched. */
import { keyOf } from '#model/application.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'

export function reportUnmanaged(
  { declarations, apps: appStates, dependencies }: ServiceState,
  monitors: readonly TargetMonitor[],
): void {
  if (!declarations.isOrigin) return
  for (const monitor of monitors) {
    for (const name of monitor.listing()?.orphans.keys() ?? []) {
      if (appStates.has(keyOf({ kind: 'stack', namespace: null, name }))) continue
      const text = 'docker-cd started it and it is not in the repository: it is left as it is'
      dependencies.log('warning', text, { project: name })
    }
  }
}
