/** The state that all parts of the service share. */
import type { Declarations } from '#model/declaration.ts'
import type { Metrics, ServiceEvent, SourceStatus } from '#model/service.ts'
import type { Commits } from '../sources/commits.ts'
import type { PersistedState, PersistedStates } from './persisted-state.ts'
import type { Dependencies } from '../dependencies.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import type { Peers } from '../replicas/peers.ts'
import type { RenderCache } from './render-cache.ts'
import { touch, updatePersisted, type AppState } from './app-state.ts'

export type ServiceState = {
  readonly dependencies: Dependencies
  declarations: Declarations
  /** Set while the newest edit of the declarations is refused and the earlier ones stay in force. */
  refused: SourceStatus | undefined
  readonly apps: Map<string, AppState>
  readonly persisted: PersistedStates
  readonly commits: Commits
  readonly metrics: Metrics
  readonly stop: AbortSignal
  /** The other services on the same database; undefined: there are none. */
  readonly peers: Peers | undefined
  /** Whether this replica looks after the application. */
  isOurs(key: string): boolean
  /** Renders whose runs may begin soon. */
  readonly renderCache: RenderCache
  /** True while a snapshot is taken over: until then applications are known as the snapshot before had them. */
  isIngesting(): boolean
  monitorFor(
    kind: AppState['application']['kind'],
    target: string | undefined,
  ): TargetMonitor | undefined
  /** Compares an application with what runs. */
  check(app: AppState): Promise<void>
  emit(event: ServiceEvent): void
  /** Makes the scheduler take its next turn now, because something changed. */
  wake(): void
}

/** Persists news of an application. Resolves with undefined when they are durable, else with the reason: a note that can't be written stops nothing. */
export async function remember(
  service: ServiceState,
  app: AppState,
  news: Partial<PersistedState>,
): Promise<string | undefined> {
  updatePersisted(app, news)
  touch(app)
  // only the replica that looks after it writes
  if (!service.isOurs(app.key)) return undefined
  try {
    await service.persisted.keep(app.key, app.persisted)
    return undefined
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    service.dependencies.log('warning', 'could not be remembered', { app: app.key, why })
    return why
  }
}

/** Forgets an application and all that is persisted of it. */
export async function forget(service: ServiceState, key: string): Promise<void> {
  if (!service.isOurs(key)) return
  service.apps.delete(key)
  await service.persisted.keep(key, undefined).catch(() => undefined)
  service.emit({ type: 'gone', key, at: service.dependencies.clock.now() })
  // another application may wait for its name
  service.wake()
}

/** Whether a run of it ever changed anything: a refused one did not. */
function wasBegun({ lastRun }: PersistedState): boolean {
  return lastRun !== undefined && lastRun.outcome !== 'refused'
}

/** Newcomers do not count among those that were there before: else a wrong repository would only seem to lose a part. */
export function hasRun({ persisted, monitor, owner }: AppState): boolean {
  const { synced } = persisted
  return synced !== undefined || wasBegun(persisted) || monitor?.listing()?.apps.has(owner) === true
}

/** Nothing was ever begun for it, and nothing of it is there: when it goes there is nothing left to tell of. */
export function isBlank({ persisted, monitor, owner, underWay, asks, idle }: AppState): boolean {
  const { synced, begun } = persisted
  const ran = wasBegun(persisted) || [synced, begun, underWay].some((one) => one !== undefined)
  const listing = monitor?.listing()
  const isAwaited = asks.length + idle.length > 0
  return !ran && !isAwaited && listing !== undefined && !listing.apps.has(owner)
}
