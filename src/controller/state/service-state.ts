/** What all parts of the service share. */
import type { Declarations } from '#model/declaration.ts'
import type { Metrics, ServiceEvent } from '#model/service.ts'
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
  readonly apps: Map<string, AppState>
  readonly persisted: PersistedStates
  readonly commits: Commits
  readonly metrics: Metrics
  readonly stop: AbortSignal
  /** The other services on the same database; undefined: there are none. */
  readonly peers: Peers | undefined
  /** This service looks after it; another one may look after the rest. */
  isOurs(key: string): boolean
  /** Renders that may be wanted soon. */
  readonly renderCache: RenderCache
  /** A snapshot is taken over: not everyone is known yet as it says. */
  isIngesting(): boolean
  monitorFor(
    kind: AppState['application']['kind'],
    target: string | undefined,
  ): TargetMonitor | undefined
  /** Compares it with what runs. */
  check(app: AppState): Promise<void>
  emit(event: ServiceEvent): void
  /** Something changed: what is due is looked for. */
  wake(): void
}

/** Durable when it resolves with nothing, else why not. A note that can't be written is no reason to stop: the next one may. */
export async function remember(
  service: ServiceState,
  app: AppState,
  news: Partial<PersistedState>,
): Promise<string | undefined> {
  updatePersisted(app, news)
  touch(app)
  // who looks after it writes
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

/** Nothing of it is remembered any more. */
export async function forget(service: ServiceState, key: string): Promise<void> {
  if (!service.isOurs(key)) return
  service.apps.delete(key)
  await service.persisted.keep(key, undefined).catch(() => undefined)
  service.emit({ type: 'gone', key, at: service.dependencies.clock.now() })
  // its name may be wanted by somebody else
  service.wake()
}

/** What was refused touched nothing. */
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
