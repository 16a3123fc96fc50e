/** What the dashboard asks of the service: each answer is made by a file of its own beside this one. */
import type { FieldOrigin } from '#model/api.ts'
import type { PlanOrigins, ServiceViews } from '#model/service-views.ts'
import type { Plan } from '#model/plan.ts'
import { renderDesired } from '../sources/desired-state.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import type { Scheduler } from '../run/scheduler.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import type { AppState } from '../state/app-state.ts'
import type { Shared } from '../replicas/share-service.ts'
import { appDetail } from './app-detail.ts'
import { engineFacts } from './engine-facts.ts'
import { graphOf } from './graph.ts'
import { mergedLogs } from './merged-logs.ts'
import { blamesOf, originsOf, type Blames } from './origins.ts'
import { newestFor, plannedFor } from './planned.ts'
import { refreshSource, sourceRowsOf, targetsOf, withOthers } from './sources-and-targets.ts'
import { resourceDetail } from './resource-detail.ts'
import { restartUnit } from './restart.ts'
import { rowOf } from './row.ts'
import { putRow, removeRow, shownRows } from './rows.ts'
import { runPage } from './run-page.ts'

type Seen = {
  readonly registry: RepositoryRegistry
  readonly monitors: () => readonly TargetMonitor[]
  readonly shared?: Pick<Shared, 'targets'> | undefined
}

/** `here` throws where another replica has to be asked. */
type Find = {
  readonly appState: (key: string) => AppState
  readonly here: (key: string) => AppState
}

export function viewsOf(
  service: ServiceState,
  schedule: Scheduler,
  { registry, monitors, shared }: Seen,
  { appState, here }: Find,
): ServiceViews {
  const blames = blamesOf(service, registry)
  const facts = engineFacts(service.dependencies.clock, service.stop)
  return {
    newest: async (keys, signal) => {
      const own = keys.flatMap((key) => (service.isOurs(key) && service.apps.get(key)) || [])
      return newestFor(registry, own, AbortSignal.any([signal, service.stop]))
    },
    planned: async (key, wanted, signal) => plannedFor(service, here(key), wanted, signal),
    row: (status) => rowOf(service, schedule, status),
    detail: async (key, signal) => appDetail(service, schedule, here(key), blames, signal),
    graph: async (key, signal) => graphOf(service, here(key), signal),
    resource: async (key, ref, signal) => resourceDetail(service, here(key), ref, blames, signal),
    targets: async () => withOthers(await targetsOf(service, monitors(), facts), shared),
    sourceRows: () => sourceRowsOf(service, registry),
    refreshSource: (id, by) => refreshSource(service, registry, id, by),
    async restart(key, ref) {
      await restartUnit(service, here(key), ref)
      return schedule.statusOf(appState(key))
    },
    rows: async (key) => shownRows(here(key)),
    putRow: async (key, name, columns, how) =>
      putRow(service, registry, here(key), name, columns, how),
    removeRow: async (key, name, by) => removeRow(service, registry, here(key), name, by),
    mergedLogs: (key, wanted, signal) => mergedLogs(here(key), wanted, signal),
    runPage: async (wanted) => runPage(service, appState, wanted),
    origins: async (key, plan) => planOrigins(service, here(key), plan, blames),
  }
}

async function planOrigins(
  service: ServiceState,
  app: AppState,
  { groups }: Plan,
  blames: Blames,
): Promise<PlanOrigins> {
  const { rendered } = await renderDesired(service, app)
  const places = new Map(rendered.resources.map(({ ref, origin }) => [ref, origin]))
  const origins = originsOf(blames, app)
  const found: Record<string, Record<string, FieldOrigin>> = {}
  for (const { ref, changes } of groups) {
    const place = places.get(ref)
    if (place === undefined) continue
    for (const { path } of changes) {
      const origin = await origins.of(place, path)
      if (origin !== undefined) found[ref] = { ...found[ref], [path]: origin }
    }
  }
  return found
}
