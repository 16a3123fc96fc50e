/** Where applications come from and where they run, as it was seen last: nobody is asked. */
import { createHash } from 'node:crypto'
import { troubleOf } from '#engine/attention.ts'
import type { SourceRow, TargetRow } from '#model/api.ts'
import { Problem } from '#model/problem.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { Branch, Repo } from '../sources/repository-poller.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import type { AppState } from '../state/app-state.ts'
import type { EngineFacts } from './engine-facts.ts'

export async function targetsOf(
  service: ServiceState,
  monitors: readonly TargetMonitor[],
  facts: EngineFacts,
): Promise<readonly TargetRow[]> {
  await facts.learn(monitors)
  const byPost = Map.groupBy(service.apps.values(), ({ monitor }) => monitor)
  const rows = new Map<string, TargetRow>()
  // of what nobody offers only who has to tell of it knows
  const unoffered = [...byPost].flatMap(([monitor, apps]) =>
    monitor?.isOffered === false && apps.some(({ key }) => service.isOurs(key)) ? monitor : [],
  )
  for (const monitor of [...monitors, ...unoffered]) {
    const row = targetRow(monitor, byPost.get(monitor) ?? [], facts)
    const known = rows.get(row.name)
    rows.set(row.name, known === undefined ? row : together(known, row))
  }
  return [...rows.values()]
}

/** Places that are looked at from elsewhere, as they were seen there. */
export function withOthers(
  own: readonly TargetRow[],
  shared: { targets(): readonly TargetRow[] } | undefined,
): readonly TargetRow[] {
  const rows = new Map((shared?.targets() ?? []).map((row) => [row.name, row]))
  for (const row of own) rows.set(row.name, row)
  return [...rows.values()]
}

function targetRow(
  monitor: TargetMonitor,
  appStates: readonly AppState[],
  facts: EngineFacts,
): TargetRow {
  const problem = monitor.problem()
  const sight = monitor.listing()
  const state =
    problem !== undefined ? 'unreachable' : sight === undefined ? 'unknown' : 'reachable'
  const { engine = engineOf(monitor, state), ...about } = facts.of(monitor) ?? {}
  return {
    name: monitor.address(),
    ...about,
    engine,
    state,
    reason: problem?.message ?? '',
    since: monitor.since(),
    apps: appStates.length,
    attention: appStates.filter(({ status }) => status && troubleOf(status) !== undefined).length,
    containers: { running: counted(appStates, 'running'), total: counted(appStates, 'total') },
    runs: appStates.filter(({ underWay }) => underWay !== undefined).length,
  }
}

/** Of the applications that are looked after there, each counted once: stacks and charts may share an engine. */
function counted(appStates: readonly AppState[], of: 'running' | 'total'): number {
  return appStates.reduce((sum, { status }) => sum + (status?.containers[of] ?? 0), 0)
}

/** Podman answers to Docker's words too: of one that is there and has not said yet what it is, nothing is told. */
function engineOf(monitor: TargetMonitor, state: TargetRow['state']): string {
  try {
    const connection = monitor.connection()
    const saysItself = state === 'reachable' && connection.about !== undefined
    return saysItself ? '' : (connection.engine ?? '')
  } catch {
    // there is no engine: the reason says so
    return ''
  }
}

/** Applications of several kinds may run on one engine. */
function together(one: TargetRow, other: TargetRow): TargetRow {
  const worse = other.state === 'reachable' ? one : other
  return {
    ...one,
    state: worse.state,
    reason: worse.reason,
    since: worse.since,
    apps: one.apps + other.apps,
    attention: one.attention + other.attention,
    containers: {
      running: one.containers.running + other.containers.running,
      total: one.containers.total + other.containers.total,
    },
    runs: one.runs + other.runs,
  }
}

export function sourceRowsOf(
  service: ServiceState,
  registry: RepositoryRegistry,
): readonly SourceRow[] {
  const apps = new Map<Branch, number>()
  for (const { branch } of service.apps.values()) {
    if (branch !== undefined) apps.set(branch, (apps.get(branch) ?? 0) + 1)
  }
  const refused = service.refused && { ...service.refused, id: 'declarations', apps: 0 }
  const own = [...registry.repos.values()].flatMap((repo) =>
    [...repo.branches.values()].map((branch): SourceRow => {
      const commit = service.commits.get(branch.status.revision)
      return {
        ...branch.status,
        id: sourceId(repo, branch),
        ...(commit === undefined ? {} : { commit }),
        apps: apps.get(branch) ?? 0,
      }
    }),
  )
  return refused === undefined ? own : [...own, refused]
}

/** The same at every start, and no secret of an address in it. */
function sourceId({ id }: Repo, { ref }: Branch): string {
  return createHash('sha256').update(`${id}\0${ref}`).digest('hex').slice(0, 12)
}

export function refreshSource(
  service: ServiceState,
  registry: RepositoryRegistry,
  id: string,
  by: string | undefined,
): 'refreshing' | 'queued' {
  for (const repo of registry.repos.values()) {
    if (![...repo.branches.values()].some((branch) => sourceId(repo, branch) === id)) continue
    const isQueued = repo.isAsking()
    repo.cause = { trigger: 'manual', by }
    void repo.ask().finally(() => service.wake())
    return isQueued ? 'queued' : 'refreshing'
  }
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no source ${JSON.stringify(id)}`,
    suggestion: '/api/v1/sources lists them',
  })
}
