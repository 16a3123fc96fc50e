/** Applications of a discovery that only their marks tell of: a lost database does not know them. */
import { keyOf } from '#model/application.ts'
import type { Discovery } from '#model/declaration.ts'
import { applicationOf } from '#kinds/application-of.ts'
import { setMonitor } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { discoveredByText } from './discovered-by.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'

export async function recall(service: ServiceState, discovery: Discovery): Promise<void> {
  for (const { name } of service.dependencies.kinds.filter(
    ({ marksDiscovery }) => marksDiscovery,
  )) {
    await recallFrom(service, discovery, service.monitorFor(name, discovery.target))
  }
}

async function recallFrom(
  service: ServiceState,
  discovery: Discovery,
  monitor: TargetMonitor | undefined,
): Promise<void> {
  const { name, removesGone: removes, target } = discovery
  const { instance } = service.dependencies
  const mark = discoveredByText(discovery)
  for (const [owner, { foundBy, since = 0 }] of monitor?.listing()?.apps ?? []) {
    const application = applicationOf(owner.slice(instance.length + 1))
    if (foundBy !== mark || application === undefined || service.apps.has(keyOf(application)))
      continue
    const app = createAppState(application, instance, {
      since,
      from: name,
      removes,
      isRemoved: false,
    })
    setMonitor(app, monitor)
    service.apps.set(app.key, app)
    await remember(service, app, { target })
  }
}
