/** State, monitors and scheduler of one process, and the loop in which they take turns: the service's, and that of `tend watch`. */
import type { ServiceEvent } from '#model/service.ts'
import { gaugesOf } from './api/gauges.ts'
import { metricsOf } from './api/metrics.ts'
import type { Dependencies } from './dependencies.ts'
import { detectDrift } from './monitor/detect-drift.ts'
import { createMonitors, type TargetMonitors } from './monitor/target-monitors.ts'
import { createScheduler, type Scheduler } from './run/scheduler.ts'
import { commitsIn } from './sources/commits.ts'
import { persistedStatesIn } from './state/persisted-state.ts'
import { createRenderCache } from './state/render-cache.ts'
import type { ServiceState } from './state/service-state.ts'
import { createTurns } from './turns.ts'

export type Loop = {
  readonly service: ServiceState
  readonly monitors: TargetMonitors
  readonly schedule: Scheduler
  /** Tells those who listen in this process. */
  relay(event: ServiceEvent): void
  /** Gives what ends it. */
  listen(tell: (event: ServiceEvent) => void): () => void
  isReady(): boolean
  /** From now on what is due is begun. `others` begins what else is due, and gives when to call it again, ms. */
  begin(others?: (now: number) => number): void
  /** When `others` is due may be otherwise than it said. For applications nothing happened: nobody is decided on. */
  wakeOthers(): void
  /** Lets calls that are under way end, and begins nothing more. */
  stop(): Promise<void>
}

/** What differs where the process does more than taking turns. */
export type LoopHooks = Partial<Pick<ServiceState, 'isIngesting'>> & {
  /** Hears of every event that is emitted here. */
  emitted?(event: ServiceEvent): void
}

/** Resources of renders that are kept at hand, of all applications together. */
const mostRecent = 2_000

export function createLoop(dependencies: Dependencies, hooks: LoopHooks = {}): Loop {
  const { clock, notes, peers } = dependencies
  const stopping = new AbortController()
  const listeners = new Set<(event: ServiceEvent) => void>()
  const turns = createTurns(clock, stopping.signal)
  const othersTurns = createTurns(clock, stopping.signal)
  let isReady = false
  let looping: Promise<unknown> = Promise.resolve()

  const service: ServiceState = {
    dependencies,
    declarations: dependencies.declarations,
    refused: undefined,
    apps: new Map(),
    persisted: persistedStatesIn(notes, peers),
    commits: commitsIn(notes),
    metrics: metricsOf(() => gaugesOf(service, schedule)),
    stop: stopping.signal,
    peers,
    isOurs: (key) => peers?.isOurs(key) ?? true,
    renderCache: createRenderCache(mostRecent),
    isIngesting: hooks.isIngesting ?? (() => false),
    monitorFor: (kind, target) => monitors.for(kind, target),
    check: (app) => detectDrift(service, app),
    emit(event) {
      relay(event)
      hooks.emitted?.(event)
    },
    wake() {
      turns.wake()
      othersTurns.wake()
    },
  }
  const monitors = createMonitors(() => service)
  const schedule = createScheduler(service, () => isReady)

  function relay(event: ServiceEvent): void {
    for (const tell of listeners) tell(event)
  }

  return {
    service,
    monitors,
    schedule,
    relay,
    listen(tell) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    isReady: () => isReady,
    begin(others) {
      isReady = true
      const all = [turns.take(() => schedule.turn() ?? Infinity)]
      if (others !== undefined) all.push(othersTurns.take(() => others(clock.now())))
      looping = Promise.all(all)
    },
    wakeOthers: () => othersTurns.wake(),
    async stop() {
      stopping.abort()
      dependencies.renders.stop()
      await looping
      await schedule.ended()
      await monitors.stop()
    },
  }
}
