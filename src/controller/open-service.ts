/** The service: what it watches, when it acts, and the face that others see. */
import { inLine } from '#engine/in-line.ts'
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import type { Service, ServiceEvent } from '#model/service.ts'
import { absorb, introduce } from './absorb.ts'
import { forget, type Board } from './board.ts'
import { askedAt, type Branch, type Repo } from './branches.ts'
import { check, checkAll } from './check.ts'
import { faceOf } from './face.ts'
import { appFinder } from './find-apps.ts'
import { findsOf } from './finds.ts'
import { dismiss, forsake } from './forsake.ts'
import { applicationOf } from '#kinds/application-of.ts'
import { memosIn } from './memo.ts'
import { metricsOf, type Gauge } from './metrics.ts'
import type { Parts } from './parts.ts'
import { postsOf } from './posts.ts'
import { recentOf } from './recent.ts'
import { refreshDesired } from './refresh.ts'
import { retryPause } from './render/render-limits.ts'
import { scheduleOf } from './schedule.ts'
import { sharesOf } from './shares.ts'
import { sourceLog } from './source-log.ts'
import { tellStrays } from './strays.ts'
import { tidyingOf } from './tidy.ts'
import { unitOf, type Unit } from './unit.ts'

export type Controller = Service & {
  /** Resolves when everything was looked at once; runs go on from there. */
  start(): Promise<void>
  /** Lets calls that are under way end, and begins nothing more. */
  stop(): Promise<void>
  reload(declarations: Declarations): Promise<void>
  /** As it is known at this moment; undefined: nobody declared it. */
  unit(key: string): Unit | undefined
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
  /** Nothing of it is remembered any more. */
  drop(key: string): Promise<void>
}

/** Resources of renders that are kept at hand, of all applications together. */
const mostRecent = 2_000

/** A clock that is set makes nothing wait longer than this. */
const longestSleep = 30_000

export function openService(parts: Parts): Controller {
  const { clock, log, notes, instance } = parts
  const stopping = new AbortController()
  const listeners = new Set<(event: ServiceEvent) => void>()
  const metrics = metricsOf(gauges)
  let isReady = false
  let loop: Promise<void> = Promise.resolve()
  let ring: (() => void) | undefined
  let hasRung = false

  let absorbing = 0
  const oneByOne = inLine()
  /** In turn: of two that read at once the older declarations could have the last word. */
  async function absorbed(work: () => Promise<void>): Promise<void> {
    absorbing += 1
    await oneByOne(work).finally(() => (absorbing -= 1))
  }

  const board: Board = {
    parts,
    declarations: parts.declarations,
    units: new Map(),
    memos: memosIn(notes),
    metrics,
    stop: stopping.signal,
    recent: recentOf(mostRecent),
    isAbsorbing: () => absorbing > 0,
    postFor: (kind, target) => posts.for(kind, target),
    check: (unit) => check(board, unit),
    tell(event) {
      for (const tell of listeners) tell(event)
    },
    wake() {
      hasRung = true
      ring?.()
    },
  }
  const posts = postsOf(() => board)
  const finds = findsOf()
  const findApps = appFinder(parts.renders)
  const tidying = tidyingOf(board, () => posts.all())
  const logSource = sourceLog(log, clock.now())
  const schedule = scheduleOf(board, () => isReady)
  const shares = sharesOf((source) => parts.repository(source), {
    clock,
    notes,
    metrics,
    stop: stopping.signal,
    told(branch) {
      logSource(branch.status)
      board.tell({ type: 'source', status: branch.status })
    },
    moving: () => parts.renders.warm(),
    async moved(branch, trigger) {
      const { revision, message, shown } = branch.status
      log('info', 'new revision', { source: shown, revision, commit: message })
      await takeOver(branch, trigger)
    },
  })

  async function takeOver(branch: Branch, trigger: Trigger, tries = 1): Promise<void> {
    const { snapshot } = branch
    // looked for before its turn: whoever is slow to be read keeps nobody else waiting
    const { founds, wasEnded } = await findApps(shares.of(branch).discoveries, branch)
    await absorbed(async () => {
      await absorb(board, finds, shares.of(branch), founds, trigger)
      if (isReady) forsake(board, shares, trigger)
    })
    for (const post of posts.all()) if (post.sight() !== undefined) await checkAll(board, post)
    board.wake()
    if (!wasEnded) return
    void clock.sleep(retryPause(tries), stopping.signal).then(
      () => (branch.snapshot === snapshot ? takeOver(branch, 'refresh', tries + 1) : undefined),
      () => undefined,
    )
  }

  function gauges(): readonly Gauge[] {
    const states = new Map<string, number>()
    const healths: Gauge[] = []
    for (const { status } of board.units.values()) {
      if (status === undefined) continue
      states.set(status.state, (states.get(status.state) ?? 0) + 1)
      const labels = { app: status.key, state: status.health.state }
      healths.push({ name: 'tend_app_health', labels, value: 1 })
    }
    return [
      ...[...states].map(([state, value]) => ({ name: 'tend_apps', labels: { state }, value })),
      ...healths,
      { name: 'tend_queue_length', labels: {}, value: schedule.waiting() },
      { name: 'tend_runs_under_way', labels: {}, value: schedule.running() },
    ]
  }

  /** Gives the repositories of which something else is declared. */
  function follow(declarations: Declarations): ReadonlySet<Repo> {
    board.declarations = declarations
    parts.renders.limit(declarations.render ?? {})
    const changed = shares.follow(declarations)
    for (const { application, target } of declarations.apps) posts.for(application.kind, target)
    // what is found in a tree only the tree tells; what was found before, the marks
    for (const { name } of parts.kinds.filter(({ marksDiscovery }) => marksDiscovery)) {
      for (const { target } of declarations.discoveries) posts.for(name, target)
    }
    return changed
  }

  async function start(): Promise<void> {
    for (const [key, memo] of await board.memos.read()) {
      const application = applicationOf(key)
      if (application === undefined) continue
      // the runtime is another one to this process: what it changed before counts no more
      const failure = memo.failure && { ...memo.failure, epoch: 0 }
      const unit = unitOf(application, instance, { ...memo, failure })
      unit.isGone = memo.isRemoved
      unit.post = posts.for(application.kind, memo.target)
      board.units.set(key, unit)
    }
    follow(parts.declarations)
    log('info', 'started', { instance, apps: parts.declarations.apps.length })
    await posts.start()
    await introduce(board, shares)
    await Promise.all([...shares.repos.values()].map((repo) => repo.ask()))
    forsake(board, shares, 'start-up')
    for (const post of posts.all()) {
      const isSeen = post.sight() !== undefined || post.problem() !== undefined
      await (isSeen ? checkAll(board, post) : post.look())
    }
    tellStrays(board, posts.all())
    isReady = true
    loop = turns()
    // those that are known run meanwhile
    await Promise.all([...board.units.values()].flatMap(({ refresh }) => refresh?.ended ?? []))
    schedule.turn()
  }

  async function turns(): Promise<void> {
    while (!stopping.signal.aborted) {
      hasRung = false
      void tidying.tidyIfDue()
      const judgedAgain = schedule.turn()
      const now = clock.now()
      let next = Math.min(judgedAgain ?? Infinity, now + longestSleep)
      for (const repo of shares.repos.values()) {
        const at = repo.isAsking() ? undefined : askedAt(repo, now)
        if (at !== undefined && at <= now) void repo.ask().finally(() => board.wake())
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
    await clock.sleep(Math.max(0, time - clock.now()), signal).catch(() => undefined)
    ring = undefined
  }

  return {
    ...faceOf({
      board,
      schedule,
      shares,
      isReady: () => isReady,
      listen(tell) {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
    }),
    start,
    unit: (key) => board.units.get(key),
    branchFor: (source) => shares.branchFor(source),
    tagOf: (source) =>
      source.kind === 'git' ? shares.repoFor(source)?.repository.tagOf?.(source.ref) : undefined,
    async ask(source) {
      await shares.repoFor(source)?.ask()
      board.wake()
    },
    async renew(key) {
      const unit = board.units.get(key)
      if (unit !== undefined) await refreshDesired(board, unit, 'refresh').ended
      board.wake()
    },
    interrupt: (key) => board.units.get(key)?.interruption?.abort(),
    wake: () => board.wake(),
    drop: (key) => forget(board, key),
    async stop() {
      log('info', 'stopping')
      stopping.abort()
      parts.renders.stop()
      await loop
      await schedule.ended()
      await posts.stop()
      log('info', 'stopped')
    },
    async reload(declarations) {
      const changed = follow(declarations)
      await absorbed(async () => {
        await introduce(board, shares)
        for (const repo of shares.repos.values()) {
          // what is newly declared may be in a commit that nobody looked for
          if (changed.has(repo) || changed.size === 0) repo.nextAsking = clock.now()
          for (const branch of repo.branches.values()) {
            if (branch.snapshot === undefined) continue
            const { founds } = await findApps(shares.of(branch).discoveries, branch)
            await absorb(board, finds, shares.of(branch), founds, 'refresh')
          }
        }
        // what is declared no more may still be found
        forsake(board, shares, 'refresh')
        await dismiss(board)
      })
      for (const unit of board.units.values()) unit.isTouched = true
      log('info', 'declarations reloaded')
      board.wake()
    },
  }
}
