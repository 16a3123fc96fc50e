/** The service: what it watches, when it acts, and what others may ask of it. */
import { serialQueue } from '#engine/serial-queue.ts'
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import type { Service, ServiceEvent } from '#model/service.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { ingestSnapshot, registerDeclared } from './sources/ingest-snapshot.ts'
import { forget, type ServiceState } from './state/service-state.ts'
import { askedAt } from './sources/next-asking.ts'
import type { Branch, Repo } from './sources/repository-poller.ts'
import { detectDrift, detectDriftOfAll } from './monitor/detect-drift.ts'
import { commitIn, commitsIn } from './sources/commits.ts'
import { createServiceApi } from './api/service.ts'
import { appFinder } from './discovery/find-apps.ts'
import { holders } from './discovery/name-holders.ts'
import { createDiscoveredApps } from './discovery/discovered-apps.ts'
import { removeNow, markUndeclared } from './discovery/mark-undeclared.ts'
import { applicationOf } from '#kinds/application-of.ts'
import { persistedStatesIn } from './state/persisted-state.ts'
import { gaugesOf } from './api/gauges.ts'
import { metricsOf } from './api/metrics.ts'
import type { Dependencies } from './dependencies.ts'
import { createMonitors } from './monitor/target-monitors.ts'
import { createRenderCache } from './state/render-cache.ts'
import { refreshDesired } from './sources/refresh-desired.ts'
import { retryPause } from './render/render-limits.ts'
import { shareService } from './replicas/share-service.ts'
import { sharedRefs } from './replicas/shared-refs.ts'
import { createScheduler } from './run/scheduler.ts'
import { createRepositoryRegistry } from './sources/repository-registry.ts'
import { sourceLog } from './sources/source-log.ts'
import { reportUnmanaged } from './discovery/unmanaged.ts'
import { createGarbageCollector } from './run/garbage-collect.ts'
import { createAppState, touch, setMonitor, markGone, type AppState } from './state/app-state.ts'

export type Controller = Service & {
  /** Resolves when everything was looked at once; runs go on from there. */
  start(): Promise<void>
  /** Lets calls that are under way end, and begins nothing more. */
  stop(): Promise<void>
  reload(declarations: Declarations): Promise<void>
  /** As it is known at this moment; undefined: nobody declared it. */
  appState(key: string): AppState | undefined
  branchFor(source: SourceDeclared): Branch | undefined
  /** The tag that a range of versions means now. */
  tagOf(source: SourceDeclared): string | undefined
  /** Asks the repository of a source now. */
  ask(source: SourceDeclared): Promise<void>
  /** Something that its render depends on changed, and no file. */
  renew(key: string): Promise<void>
  /** Ends the run of it that is under way, if there is one: as if the service had been told to stop. */
  interrupt(key: string): void
  /** What is due is looked for. */
  wake(): void
  /** It happened to what this service looks after itself. */
  isOwn(event: ServiceEvent): boolean
  /** Nothing of it is remembered any more. */
  drop(key: string): Promise<void>
}

/** Resources of renders that are kept at hand, of all applications together. */
const mostRecent = 2_000

/** A clock that is set makes nothing wait longer than this. */
const longestSleep = 30_000

export function openService(dependencies: Dependencies): Controller {
  const { clock, log, notes, instance, peers } = dependencies
  const stopping = new AbortController()
  const listeners = new Set<(event: ServiceEvent) => void>()
  const metrics = metricsOf(() => gaugesOf(service, schedule))
  let isReady = false
  let loop: Promise<void> = Promise.resolve()
  let ring: (() => void) | undefined
  let hasRung = false
  let ingesting = 0
  const oneByOne = serialQueue()
  /** In turn: of two that read at once the older declarations could have the last word. */
  async function ingestNext(work: () => Promise<void>): Promise<void> {
    ingesting += 1
    await oneByOne(work).finally(() => (ingesting -= 1))
  }

  const service: ServiceState = {
    dependencies,
    declarations: dependencies.declarations,
    apps: new Map(),
    persisted: persistedStatesIn(notes),
    commits: commitsIn(notes),
    metrics,
    stop: stopping.signal,
    peers,
    isOurs: (key) => peers?.isOurs(key) ?? true,
    renderCache: createRenderCache(mostRecent),
    isIngesting: () => ingesting > 0,
    monitorFor: (kind, target) => monitors.for(kind, target),
    check: (app) => detectDrift(service, app),
    emit(event) {
      relay(event)
      shared?.publish(event)
    },
    wake() {
      hasRung = true
      ring?.()
    },
  }
  const relay = (event: ServiceEvent): void => listeners.forEach((tell) => tell(event))
  const monitors = createMonitors(() => service)
  const discovered = createDiscoveredApps()
  const findApps = appFinder(dependencies.renders)
  const tidying = createGarbageCollector(service, () => monitors.all())
  const logSource = sourceLog(log, clock.now())
  const schedule = createScheduler(service, () => isReady)
  const refs = sharedRefs(peers, { metrics, stop: stopping.signal })
  const registry = createRepositoryRegistry((source) => dependencies.repository(source), {
    clock,
    notes,
    metrics,
    stop: stopping.signal,
    latest: (repo, wanted, isPolled) => refs.latest(repo, wanted, isPolled),
    told(branch) {
      logSource(branch.status)
      service.emit({ type: 'source', status: branch.status })
    },
    moving: () => dependencies.renders.warm(),
    async moved(branch, trigger) {
      const { revision, message, shown } = branch.status
      log('info', 'new revision', { source: shown, revision, commit: message })
      const commit = branch.snapshot && commitIn(branch.snapshot)
      if (commit !== undefined) void service.commits.keep(commit)
      await takeOver(branch, trigger)
    },
  })

  const shared =
    peers &&
    shareService(peers, {
      service,
      registry,
      monitors,
      refs,
      relay,
      takeOver: (branch) => takeOver(branch, 'refresh'),
    })

  async function takeOver(branch: Branch, trigger: Trigger, tries = 1): Promise<void> {
    const { snapshot } = branch
    // looked for before its turn: whoever is slow to be read keeps nobody else waiting
    const { founds, wasEnded } = await findApps(registry.of(branch).discoveries, branch)
    await ingestNext(async () => {
      await ingestSnapshot(service, discovered, registry.of(branch), founds, trigger)
      if (isReady) markUndeclared(service, registry, trigger)
    })
    peers?.poke()
    for (const monitor of monitors.all())
      if (monitor.listing() !== undefined) await detectDriftOfAll(service, monitor)
    service.wake()
    if (!wasEnded) return
    void clock.sleep(retryPause(tries), stopping.signal).then(
      () => (branch.snapshot === snapshot ? takeOver(branch, 'refresh', tries + 1) : undefined),
      () => undefined,
    )
  }

  /** Gives the repositories of which something else is declared. */
  function followDeclarations(declarations: Declarations): ReadonlySet<Repo> {
    service.declarations = declarations
    dependencies.renders.limit(declarations.render ?? {})
    const changed = registry.follow(declarations)
    for (const { application, target } of declarations.apps) monitors.for(application.kind, target)
    // what is found in a tree only the tree tells; what was found before, the marks
    for (const { name } of dependencies.kinds.filter(({ marksDiscovery }) => marksDiscovery)) {
      for (const { target } of declarations.discoveries) monitors.for(name, target)
    }
    return changed
  }

  async function start(): Promise<void> {
    await service.commits.read()
    for (const [key, memo] of await service.persisted.read()) {
      const application = applicationOf(key)
      if (application === undefined) continue
      // the runtime is another one to this process: what it changed before counts no more
      const failure = memo.failure && { ...memo.failure, epoch: 0 }
      const app = createAppState(application, instance, { ...memo, failure })
      if (memo.isRemoved) markGone(app, undefined)
      setMonitor(app, monitors.for(application.kind, memo.target))
      service.apps.set(key, app)
    }
    shared?.recall()
    followDeclarations(dependencies.declarations)
    log('info', 'started', { instance, apps: dependencies.declarations.apps.length })
    await monitors.start()
    await registerDeclared(service, registry)
    await Promise.all([...registry.repos.values()].map((repo) => repo.poll()))
    markUndeclared(service, registry, 'start-up')
    for (const monitor of monitors.all()) {
      const isSeen = monitor.listing() !== undefined || monitor.problem() !== undefined
      await (isSeen ? detectDriftOfAll(service, monitor) : monitor.look())
    }
    reportUnmanaged(service, monitors.all())
    isReady = true
    loop = turns()
    await shared?.begin()
    // those that are known run meanwhile
    await Promise.all([...service.apps.values()].flatMap(({ refresh }) => refresh?.ended ?? []))
    schedule.turn()
  }

  async function turns(): Promise<void> {
    while (!stopping.signal.aborted) {
      hasRung = false
      void tidying.tidyIfDue()
      for (const branch of discovered.freed(holders(service))) void takeOver(branch, 'refresh')
      const judgedAgain = schedule.turn()
      const now = clock.now()
      let next = Math.min(judgedAgain ?? Infinity, now + longestSleep)
      for (const repo of registry.repos.values()) {
        const at = repo.isAsking() ? undefined : askedAt(repo, now)
        if (at !== undefined && at <= now) void repo.poll().finally(() => service.wake())
        else next = Math.min(next, at ?? Infinity)
      }
      await sleepUntil(next)
    }
  }

  /** Until then, or until something happens. */
  async function sleepUntil(time: number): Promise<void> {
    if (hasRung) return
    const woken = new AbortController()
    ring = () => woken.abort()
    const signal = AbortSignal.any([woken.signal, stopping.signal])
    await sleepOrStop(clock, Math.max(0, time - clock.now()), signal)
    ring = undefined
  }

  return {
    ...createServiceApi({
      service,
      schedule,
      registry,
      monitors: () => [...monitors.all()],
      shared,
      isReady: () => isReady,
      listen(tell) {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
    }),
    start,
    appState: (key) => service.apps.get(key),
    branchFor: (source) => registry.branchFor(source),
    tagOf: (source) =>
      source.kind === 'git' ? registry.repoFor(source)?.repository.tagOf?.(source.ref) : undefined,
    async ask(source) {
      await registry.repoFor(source)?.ask()
      service.wake()
    },
    async renew(key) {
      const app = service.apps.get(key)
      if (app !== undefined) await refreshDesired(service, app, 'refresh').ended
      service.wake()
    },
    interrupt: (key) => service.apps.get(key)?.interruption?.abort(),
    wake: () => service.wake(),
    drop: (key) => forget(service, key),
    isOwn: (event) => shared?.isOwn(event) ?? true,
    async stop() {
      log('info', 'stopping')
      stopping.abort()
      dependencies.renders.stop()
      await loop
      await schedule.ended()
      await monitors.stop()
      log('info', 'stopped')
    },
    async reload(declarations) {
      const changed = followDeclarations(declarations)
      await ingestNext(async () => {
        await registerDeclared(service, registry)
        for (const repo of registry.repos.values()) {
          // what is newly declared may be in a commit that nobody looked for
          if (changed.has(repo) || changed.size === 0) repo.nextAsking = clock.now()
          for (const branch of repo.branches.values()) {
            if (branch.snapshot === undefined) continue
            const { founds } = await findApps(registry.of(branch).discoveries, branch)
            await ingestSnapshot(service, discovered, registry.of(branch), founds, 'refresh')
          }
        }
        // what is declared no more may still be found
        markUndeclared(service, registry, 'refresh')
        await removeNow(service)
      })
      for (const app of service.apps.values()) touch(app)
      peers?.poke()
      log('info', 'declarations reloaded')
      service.wake()
    },
  }
}
