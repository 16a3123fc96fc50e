/** The other applications of an engine, and which of two comes first when both would call something by one name. */
import { keyOf } from '#model/application.ts'
import type { Neighbour } from '#model/application-kind.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { TargetMonitor } from './target-monitor.ts'
import type { TargetMonitors } from './target-monitors.ts'

/** What the operator declared by itself comes before what was found, and that in the order of the discoveries. */
export function neighbourOf(
  { apps, declarations }: Pick<ServiceState, 'apps' | 'declarations'>,
  monitor: TargetMonitor,
  monitorFor: TargetMonitors['for'],
  [key, other]: readonly [string, string],
): Neighbour | undefined {
  if (other === key) return undefined
  const [own, found] = [apps.get(key), apps.get(other)]
  const order = declarations.discoveries.map(({ name }) => name)
  const rank = own === undefined ? order.length : order.indexOf(own.persisted.from)
  if (found !== undefined) {
    const isThere = found.monitor === monitor && !found.persisted.isRemoved
    return isThere ? comingAt(order.indexOf(found.persisted.from) - rank) : undefined
  }
  // one that is declared is known by its name before its source was read
  const declared = declarations.apps.find(({ application }) => keyOf(application) === other)
  if (declared === undefined) return undefined
  const isThere = monitorFor(declared.application.kind, declared.target) === monitor
  return isThere ? comingAt(-1 - rank) : undefined
}

function comingAt(distance: number): Neighbour {
  return { comes: distance < 0 ? 'first' : distance === 0 ? 'beside' : 'later' }
}
