/** The engines that applications run on: one monitor for each address, whoever names it and how. */
import type { Application } from '#model/application.ts'
import { cacheKeyOf } from '#store/key.ts'
import type { ServiceState } from '../state/service-state.ts'
import { detectDriftOfAll } from './detect-drift.ts'
import { isOurDoing } from './our-doing.ts'
import { createTargetMonitor, type TargetMonitor } from './target-monitor.ts'
import { neighbourOf } from './neighbours.ts'
import { unofferedTarget } from './unoffered-target.ts'

const usualInterval = 60_000

export type TargetMonitors = {
  /** Undefined when applications of that kind are not run. */
  for(kind: Application['kind'], target: string | undefined): TargetMonitor | undefined
  /** Those that are looked at from here. */
  all(): readonly TargetMonitor[]
  /** A place that was not offered may be by now. Gives what changed, by the one before. */
  offerAgain(): ReadonlyMap<TargetMonitor, TargetMonitor>
  /** Those that are looked at from here, by what all replicas call their places. */
  named(): ReadonlyMap<string, TargetMonitor>
  /** Where an application runs, as all replicas with the same address write it. */
  nameOf(kind: Application['kind'], target: string | undefined): string
  /** Looks at all of them once, and listens from then on. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createMonitors(service: () => ServiceState): TargetMonitors {
  const byAddress = new Map<string, TargetMonitor>()
  const byTarget = new Map<string, TargetMonitor>()
  const unoffered = new Map<string, TargetMonitor>()
  const ends = new AbortController()
  const kept: Promise<void>[] = []
  let isStarted = false

  function made(name: Application['kind'], target: string | undefined): TargetMonitor | undefined {
    const { dependencies, metrics } = service()
    const kind = dependencies.kinds.find((one) => one.name === name)
    if (kind === undefined) return undefined
    const found = addressOf(() => kind.find(target).address) ?? target ?? ''
    const address = `${name} ${found}`
    const known = byAddress.get(address)
    if (known !== undefined) return known
    if (dependencies.offers?.(kind, found) === false) {
      const before = unoffered.get(address)
      const none = before ?? unofferedTarget(kind, found, dependencies.clock.now())
      unoffered.set(address, none)
      return none
    }
    unoffered.delete(address)
    const monitor = createTargetMonitor(kind, target, dependencies.instance, dependencies.clock, {
      interval: () => intervalFor(service(), monitor, monitorFor),
      async looked(seen) {
        await detectDriftOfAll(service(), seen)
        service().wake()
      },
      isBusy: (busy, owner) => isOurDoing(service(), dependencies.instance, busy, owner),
      sourceOf: (owner) => sourceOf(owner.slice(dependencies.instance.length + 1)),
      changed: () => service().wake(),
      called: () => metrics.count('tend_engine_calls_total', { kind: name }),
      followed: {
        bindFiles: dependencies.bindFiles,
        // as its renders: in turn with those of its own source
        tasksFor: (key) => dependencies.renders.for(sourceOf(key)),
        cacheKeyOf: (key) => cacheKeyOf(dependencies.key, key),
        neighbourOf: (key, other) => neighbourOf(service(), monitor, monitorFor, [key, other]),
      },
      log: dependencies.log,
    })
    byAddress.set(address, monitor)
    if (isStarted) begin(monitor)
    return monitor
  }

  function sourceOf(key: string): string {
    return service().apps.get(key)?.branch?.status.shown ?? key
  }

  function begin(monitor: TargetMonitor): void {
    kept.push(monitor.keep(ends.signal))
  }

  function monitorFor(
    kind: Application['kind'],
    target: string | undefined,
  ): TargetMonitor | undefined {
    const key = `${kind} ${target ?? ''}`
    const monitor = byTarget.get(key) ?? made(kind, target)
    if (monitor !== undefined) byTarget.set(key, monitor)
    return monitor
  }

  return {
    for: monitorFor,
    all: () => [...byAddress.values()],
    named: () => byAddress,
    offerAgain() {
      const changed = new Map<TargetMonitor, TargetMonitor>()
      for (const [key, monitor] of byTarget) {
        if (monitor.isOffered) continue
        const [kind = '', ...target] = key.split(' ')
        const now = made(kind, target.join(' ') || undefined)
        if (now === undefined || now === monitor) continue
        byTarget.set(key, now)
        changed.set(monitor, now)
      }
      return changed
    },
    nameOf(name, target) {
      const kind = service().dependencies.kinds.find((one) => one.name === name)
      return `${name} ${addressOf(() => kind?.find(target).address ?? '') ?? target ?? ''}`
    },
    async start() {
      await Promise.all([...byAddress.values()].map((monitor) => monitor.look()))
      isStarted = true
      for (const monitor of byAddress.values()) begin(monitor)
    },
    async stop() {
      ends.abort()
      await Promise.all(kept)
      for (const monitor of byAddress.values()) monitor.close()
    },
  }
}

function addressOf(find: () => string): string | undefined {
  try {
    return find()
  } catch {
    // a target that can't be found has no address; its runs say why
    return undefined
  }
}

/** Also of those that are declared and not known yet: the first pause must not be longer than theirs. */
function intervalFor(
  { apps: appStates, declarations }: ServiceState,
  monitor: TargetMonitor | undefined,
  monitorFor: TargetMonitors['for'],
): number {
  let least = monitor?.kind.usualLook ?? usualInterval
  for (const { application, target, policy } of declarations.apps) {
    const isShorter = policy.interval > 0 && policy.interval < least
    if (isShorter && monitorFor(application.kind, target) === monitor) least = policy.interval
  }
  for (const app of appStates.values()) {
    const interval = app.monitor === monitor ? (app.declared?.policy.interval ?? 0) : 0
    if (interval > 0 && interval < least) least = interval
  }
  return least
}
