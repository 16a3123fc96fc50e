/** The service: what it watches, when it acts, and what others may ask of it. */
import { serialQueue } from '#engine/serial-queue.ts'
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import type { Cause } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Service, ServiceEvent } from '#model/service.ts'
import { ingestSnapshot, registerDeclared } from './sources/ingest-snapshot.ts'
import { forget } from './state/service-state.ts'
import { askedAt } from './sources/next-asking.ts'
import { polled, type Branch, type Repo } from './sources/repository-poller.ts'
import { refusedEdit } from './declare/refused-edit.ts'
import { detectDriftOfAll } from './monitor/detect-drift.ts'
import { commitIn } from './sources/commits.ts'
import { createServiceApi } from './api/service.ts'
import { appFinder } from './discovery/find-apps.ts'
import { holders } from './discovery/name-holders.ts'
import { createDiscoveredApps } from './discovery/discovered-apps.ts'
import { removeNow, markUndeclared } from './discovery/mark-undeclared.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { Dependencies } from './dependencies.ts'
import { createLoop } from './loop.ts'
import { refreshDesired } from './sources/refresh-desired.ts'
import { retryPause } from './render/render-limits.ts'
import { shareService } from './replicas/share-service.ts'
import { sharedRefs } from './replicas/shared-refs.ts'
import { createRepositoryRegistry } from './sources/repository-registry.ts'
import { sourceLog } from './sources/source-log.ts'
import { reportUnmanaged } from './discovery/unmanaged.ts'
import { createGarbageCollector } from './run/garbage-collect.ts'
import { touch, setMonitor, markGone, type AppState } from './state/app-state.ts'
import { createAppState } from './state/create-app-state.ts'

export type Controller = Service & {
  /** Resolves when everything was looked at once; runs go on from there. */
  start(): Promise<void>
  /** Lets calls that are under way end, and begins nothing more. */
  stop(): Promise<void>
  reload(declarations: Declarations): Promise<void>
  /** The newest edit of the declarations is refused; none: it was mended. What is in force stays so. */
  refuse(paths: readonly string[], problems: readonly ProblemFacts[]): void
  /** As it is known at this moment; undefined: nobody declared it. */
  appState(key: string): AppState | undefined
  branchFor(source: SourceDeclared): Branch | undefined
  /** The tag that a range of versions means now. */
  tagOf(source: SourceDeclared): string | undefined
  /** Asks the repository of a source now; `by` is told in the runs that follow. */
  ask(source: SourceDeclared, by?: string): Promise<void>
  /** Something that its render depends on changed, and no file. */
  renew(key: string): Promise<void>
  /** Ends the run of it that is under way, if there is one: as if the service had been told to stop. */
  interrupt(key: string): void
  /** What is due is looked for. */
  wake(): void
  /** It happened to what this service looks after itself. */
  isOwn(event: ServiceEvent): boolean
  /** Hears which applications become this service's own, and which another replica's. */
  onMoved(tell: (keys: readonly string[], areOurs: boolean) => void): void
  /** Nothing of it is remembered any more. */
  drop(key: string): Promise<void>
}

export function openService(dependencies: Dependencies): Controller {
  const { clock, log, notes, instance, peers } = dependencies
  let ingesting = 0
  const oneByOne = serialQueue()
  /** In turn: of two that read at once the older declarations could have the last word. */
  async function ingestNext(work: () => Promise<void>): Promise<void> {
    ingesting += 1
    await oneByOne(work).finally(() => (ingesting -= 1))
  }

  const loop = createLoop(dependencies, {
    isIngesting: () => ingesting > 0,
    emitted: (event) => shared?.publish(event),
  })
  const { service, monitors, schedule } = loop
  const { metrics, stop } = service
  const discovered = createDiscoveredApps()
  const findApps = appFinder(dependencies.renders)
  const tidying = createGarbageCollector(service, () => monitors.all())
  const logSource = sourceLog(log, clock.now())
  const refs = sharedRefs(peers, { metrics, stop })
  const registry = createRepositoryRegistry((source) => dependencies.repository(source), {
    clock,
    notes,
    metrics,
    stop,
    latest: (repo, wanted, isPolled, cause) => refs.latest(repo, wanted, isPolled, cause),
    told(branch) {
      logSource(branch.status)
      service.emit({ type: 'source', status: branch.status })
      tellTrouble(branch)
    },
    moving: () => dependencies.renders.warm(),
    async moved(branch, cause) {
      const { revision, message, shown } = branch.status
      log('info', 'new revision', { source: shown, revision, commit: message })
      const commit = branch.snapshot && commitIn(branch.snapshot)
      if (commit !== undefined) void service.commits.keep(commit)
      await takeOver(branch, cause)
    },
  })

  /** Each of its applications says why its source can't be read, and that the newest of it is not used. */
  const troubles = new WeakMap<Branch, string>()
  function tellTrouble(branch: Branch): void {
    const { problem, refused } = branch.status
    const trouble = [problem?.message, refused?.problem.message].join('\n')
    if ((troubles.get(branch) ?? '\n') === trouble) return
    troubles.set(branch, trouble)
    for (const app of service.apps.values()) if (app.branch === branch) touch(app)
    service.wake()
  }

  const moves = new Set<(keys: readonly string[], areOurs: boolean) => void>()
  const shared =
    peers &&
    shareService(peers, {
      service,
      registry,
      monitors,
      refs,
      relay: (event) => loop.relay(event),
      takeOver: (branch) => takeOver(branch, polled),
      moved: (keys, areOurs) => moves.forEach((tell) => tell(keys, areOurs)),
    })

  async function takeOver(branch: Branch, cause: Cause, tries = 1): Promise<void> {
    const { snapshot } = branch
    // looked for before its turn: whoever is slow to be read keeps nobody else waiting
    const { founds, wasEnded } = await findApps(registry.of(branch).discoveries, branch)
    await ingestNext(async () => {
      await ingestSnapshot(service, discovered, registry.of(branch), founds, cause)
      if (loop.isReady()) markUndeclared(service, registry, cause)
    })
    peers?.poke()
    for (const monitor of monitors.all())
      if (monitor.listing() !== undefined) await detectDriftOfAll(service, monitor)
    service.wake()
    if (!wasEnded) return
    void clock.sleep(retryPause(tries), stop).then(
      () => (branch.snapshot === snapshot ? takeOver(branch, polled, tries + 1) : undefined),
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

  /** What was known before this process began, and what is declared. Newer declarations wait for it, and have the last word. */
  let recalled = Promise.resolve()
  async function recall(): Promise<void> {
    await service.commits.read()
    for (const [key, persisted] of await service.persisted.read()) {
      const application = applicationOf(key)
      if (application === undefined) continue
      // the runtime is another one to this process: what it changed before counts no more
      const failure = persisted.failure && { ...persisted.failure, epoch: 0 }
      const app = createAppState(application, instance, { ...persisted, failure })
      if (persisted.isRemoved) markGone(app, undefined)
      setMonitor(app, monitors.for(application.kind, persisted.target))
      service.apps.set(key, app)
    }
    shared?.recall()
    followDeclarations(dependencies.declarations)
    log('info', 'started', { instance, apps: dependencies.declarations.apps.length })
  }

  async function start(): Promise<void> {
    recalled = recall()
    await recalled
    await monitors.start()
    await ingestNext(() => registerDeclared(service, registry))
    await Promise.all([...registry.repos.values()].map((repo) => repo.poll()))
    markUndeclared(service, registry, { trigger: 'start-up' })
    for (const monitor of monitors.all()) {
      const isSeen = monitor.listing() !== undefined || monitor.problem() !== undefined
      await (isSeen ? detectDriftOfAll(service, monitor) : monitor.look())
    }
    reportUnmanaged(service, monitors.all())
    loop.begin(askWhatIsDue)
    await shared?.begin()
    // those that are known run meanwhile
    await Promise.all([...service.apps.values()].flatMap(({ refresh }) => refresh?.ended ?? []))
    schedule.turn()
  }

  /** Gives when to ask again, ms. */
  function askWhatIsDue(now: number): number {
    void tidying.tidyIfDue()
    for (const branch of discovered.freed(holders(service))) void takeOver(branch, polled)
    let next = Infinity
    for (const repo of registry.repos.values()) {
      const at = repo.isAsking() ? undefined : askedAt(repo, now)
      if (at !== undefined && at <= now) void repo.poll().finally(() => loop.wakeOthers())
      else next = Math.min(next, at ?? Infinity)
    }
    return next
  }

  return {
    ...createServiceApi({
      service,
      schedule,
      registry,
      monitors: () => [...monitors.all()],
      shared,
      isReady: () => loop.isReady(),
      listen: (tell) => loop.listen(tell),
    }),
    start,
    appState: (key) => service.apps.get(key),
    branchFor: (source) => registry.branchFor(source),
    tagOf: (source) =>
      source.kind === 'git' ? registry.repoFor(source)?.repository.tagOf?.(source.ref) : undefined,
    async ask(source, by) {
      const repo = registry.repoFor(source)
      if (repo !== undefined && by !== undefined) repo.cause = { ...polled, by }
      await repo?.ask()
      service.wake()
    },
    async renew(key) {
      const app = service.apps.get(key)
      if (app !== undefined) await refreshDesired(service, app, polled).ended
      service.wake()
    },
    interrupt: (key) => service.apps.get(key)?.interruption?.abort(),
    wake: () => service.wake(),
    drop: (key) => forget(service, key),
    isOwn: (event) => shared?.isOwn(event) ?? true,
    onMoved: (tell) => void moves.add(tell),
    async stop() {
      log('info', 'stopping')
      await loop.stop()
      log('info', 'stopped')
    },
    refuse(paths, problems) {
      const isNews = problems.length > 0 || service.refused !== undefined
      const status = refusedEdit(paths, problems, clock.now())
      service.refused = problems.length === 0 ? undefined : status
      if (isNews) service.emit({ type: 'source', status })
    },
    async reload(declarations) {
      await recalled
      const changed = followDeclarations(declarations)
      await ingestNext(async () => {
        await registerDeclared(service, registry)
        for (const repo of registry.repos.values()) {
          // what is newly declared may be in a commit that nobody looked for
          if (changed.has(repo) || changed.size === 0) repo.nextAsking = clock.now()
          for (const branch of repo.branches.values()) {
            if (branch.snapshot === undefined) continue
            const { founds } = await findApps(registry.of(branch).discoveries, branch)
            await ingestSnapshot(service, discovered, registry.of(branch), founds, polled)
          }
        }
        // what is declared no more may still be found
        markUndeclared(service, registry, polled)
        await removeNow(service)
      })
      for (const app of service.apps.values()) touch(app)
      peers?.poke()
      log('info', 'declarations reloaded')
      service.wake()
    },
  }
}
