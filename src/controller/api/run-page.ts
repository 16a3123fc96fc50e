/** Runs in pages, newest first, each with who asked for it and the commit that it applied. */
import type { RunRow } from '#model/api.ts'
import type { RunsWanted } from '#model/service-views.ts'
import type { AppRun, RunPlace } from '#model/store.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'

export async function runPage(
  service: ServiceState,
  appState: (key: string) => AppState,
  { app, before, limit, isMeant }: RunsWanted,
): Promise<readonly RunRow[]> {
  const { store } = service.dependencies
  if (app !== undefined) {
    const runs = await store.runs(appState(app).application)
    const older = runs.filter(({ number }) => before === undefined || number < before.number)
    return older.slice(0, limit).map((run) => rowOf(service, { key: app, run }))
  }
  const found: AppRun[] = []
  let place: RunPlace | undefined = before
  while (found.length < limit) {
    const more: readonly AppRun[] = await store.recent(limit, place)
    found.push(...more.filter(({ key }) => service.apps.has(key) && isMeant(key)))
    const last = more.at(-1)
    if (last === undefined || more.length < limit) break
    place = { startedAt: last.run.startedAt, key: last.key, number: last.run.number }
  }
  return found.slice(0, limit).map((one) => rowOf(service, one))
}

function rowOf({ commits }: ServiceState, { key, run }: AppRun): RunRow {
  const { number, trigger, by, version, revision, startedAt, endedAt, outcome, summary } = run
  const commit = revision === undefined ? undefined : commits.get(revision)
  return {
    key,
    number,
    trigger,
    ...(by === undefined ? {} : { by }),
    version,
    ...(commit === undefined ? {} : { commit }),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(outcome === undefined ? {} : { outcome }),
    isRolledBack: run.isRolledBack,
    ...(summary === undefined ? {} : { summary }),
    hash: run.hash,
    hasSnapshot: run.hasSnapshot,
  }
}
