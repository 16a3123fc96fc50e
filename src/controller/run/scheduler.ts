/** Who runs next: all are decided on, those that are due take their turn, as many at once as allowed. */
import type { Window } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import type { AppStatus } from '#model/service.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { applyRemedy } from './apply-remedy.ts'
import { usualPace } from '../decide/remedy.ts'
import type { Decision } from '../decide/decide.ts'
import { isProvenClean } from '../monitor/detect-drift.ts'
import { runApp } from './run-app.ts'
import { supersede } from './supersede.ts'
import { isAsDeclared } from '../replicas/is-as-declared.ts'
import { whyWaits } from '../decide/why-waits.ts'
import {
  updatePersisted,
  takeAsks,
  takeIdleListeners,
  beginWork,
  endWork,
  setDecision,
  setStatus,
  type AppState,
} from '../state/app-state.ts'
import { askedTogether, asOne } from '../state/ask.ts'
import { decideFor, statusOf, type DecisionContext } from '../decide/app-status.ts'
import { refreshDesired } from '../sources/refresh-desired.ts'
import { isOverlooked } from '../state/read-revision.ts'
import { statusElsewhere } from '../replicas/status-elsewhere.ts'
import { defined } from '#model/defined.ts'
import { canonical } from '#model/json.ts'
import { isSameJson } from '#model/same-json.ts'

export type Scheduler = {
  /** Judges everyone, starts what may start. Gives when to do so again if nothing happens before, ms. */
  turn(): number | undefined
  /** Judged anew, whether or not something happened. */
  statusOf(app: AppState): AppStatus
  /** Keys of the applications that it waits for now. */
  blockers(app: AppState): readonly string[]
  waiting(): number
  running(): number
  /** Resolves when nothing is under way any more. */
  ended(): Promise<void>
}

/** Lower goes first. */
const urgency: Readonly<Record<Trigger, number>> = {
  rollback: 0,
  manual: 0,
  reinit: 0,
  drift: 1,
  health: 1,
  webhook: 2,
  refresh: 3,
  'start-up': 4,
}

/** Places beyond `concurrency` for sources of which nothing is under way. */
const placesForOthers = 8

/** What is declared nowhere any more counts as one source. */
function sourceOf({ declared }: AppState): string {
  return declared === undefined ? '' : canonical(JSON.parse(JSON.stringify(declared.source)))
}

export function createScheduler(service: ServiceState, isReady: () => boolean): Scheduler {
  const { dependencies } = service
  const { clock } = dependencies
  /** Each with its source. */
  const underWay = new Map<Promise<void>, string>()
  /** Of those under way, the ones that take no place. */
  const beside = new Set<Promise<void>>()
  let queued = 0

  function around(): DecisionContext {
    return {
      now: clock.now(),
      isEnabled: service.declarations.isEnabled,
      helpPace: dependencies.helpPace ?? usualPace,
      waitsFor,
      mayHelp: (app) => app.declared?.record === undefined || isProvenClean(app),
      isOpen: (app) => {
        const windows = windowsOf(app)
        return windows.length === 0
          ? { isOpen: true, until: undefined }
          : dependencies.isOpen(windows, clock.now())
      },
    }
  }

  /** What is gone from a tree has those of the tree. */
  function windowsOf({ declared, persisted }: AppState): readonly Window[] {
    const { discoveries } = service.declarations
    const policy =
      declared?.policy ?? discoveries.find(({ name }) => name === persisted.from)?.policy
    return policy?.windows ?? []
  }

  function waitsFor({ declared, key: own }: AppState): readonly string[] {
    const others = declared?.policy.dependsOn ?? []
    return others.length === 0 ? others : unready(own, others).map(whyWaits(service.apps, own))
  }

  function unready(own: string, others: readonly string[]): readonly string[] {
    return others.filter(
      (key) => !(dependencies.stands?.(own, key) ?? isAsDeclared(service, service.apps.get(key))),
    )
  }

  function turn(): number | undefined {
    const due: { readonly app: AppState; readonly decision: Decision }[] = []
    const resting: AppState[] = []
    const next: AppState[] = []
    let until: number | undefined
    let isRendering = false
    const now = around()
    for (const app of service.apps.values()) {
      if (!service.isOurs(app.key) && app.underWay === undefined) continue
      if (isOverlooked(app)) refreshDesired(service, app, { trigger: 'refresh' })
      supersede(app, now)
      const decision = decideFor(app, now)
      if (decision.until !== undefined) until = Math.min(decision.until, until ?? Infinity)
      if (isUnclear(app, decision)) {
        isRendering = true
        // of one that is new nothing is told before it is known
        if (app.status !== undefined) show(app, decision)
        continue
      }
      if (decision.run !== undefined) due.push({ app, decision })
      else show(app, decision)
      if (decision.help !== undefined && isReady() && !service.stop.aborted) {
        startHelp(app, decision.help)
      }
      const isAwaited = app.asks.length + app.idle.length > 0
      if (isAwaited && decision.run === undefined && app.underWay === undefined) {
        ;(decision.isNext === true ? next : resting).push(app)
      }
    }
    resting.forEach(rest)
    // whom they wait for may still come to an end
    if (due.length === 0 && underWay.size === 0 && !isRendering) next.forEach(rest)
    due.sort(
      (a, b) => urgency[defined(a.decision.run).trigger] - urgency[defined(b.decision.run).trigger],
    )
    const { peers } = service
    // of all replicas together as many as allowed, whatever they come from
    const running = underWay.size - beside.size
    let room = (peers?.slots(running) ?? 0) - running
    const takePlace =
      peers === undefined ? placesFor(service.declarations.concurrency) : () => room-- > 0
    const started: typeof due = []
    let waitingForRoom = 0
    for (const one of service.stop.aborted ? [] : due) {
      if (waitsForAsk(one) || !(one.app.asks.length > 0 || mayBegin(one.app))) continue
      if (runsBeside(one.app) || takePlace(sourceOf(one.app))) started.push(one)
      else waitingForRoom += 1
    }
    for (const { app, decision } of started) start(app, defined(decision.run))
    queued = due.length - started.length
    peers?.need(underWay.size - beside.size, service.stop.aborted ? 0 : waitingForRoom)
    for (const { app, decision } of due) if (app.underWay === undefined) show(app, decision)
    return until
  }

  /**
   * Whether a source gets one of the places. When all are taken, a source of which nothing is under way gets one of the few more:
   * applications of another one that never become healthy do not keep it waiting.
   */
  function placesFor(concurrency: number): (source: string) => boolean {
    const busy = [...underWay].flatMap(([run, source]) => (beside.has(run) ? [] : [source]))
    const sources = new Set(busy)
    let taken = busy.length
    return (source) => {
      const isFree = taken < concurrency
      if (!isFree && (sources.has(source) || taken >= concurrency + placesForOthers)) return false
      taken += 1
      sources.add(source)
      return true
    }
  }

  /** Before all is seen only what somebody asked for is begun, and before all is read nobody who needs others. */
  function mayBegin({ declared }: AppState): boolean {
    const needsOthers = (declared?.policy.dependsOn ?? []).length > 0
    return isReady() && !(needsOthers && service.isIngesting())
  }

  function start(app: AppState, { work, trigger }: NonNullable<Decision['run']>): void {
    beginWork(app, work === 'removal' ? 'removal' : 'sync')
    // what was asked for up to now is answered by this run
    const asks = takeAsks(app, askedTogether)
    show(app, decideFor(app, around()))
    const run = runApp(service, app, work, trigger, asOne(asks))
      .then((outcome) => {
        endWork(app)
        const status = fresh(app)
        for (const asked of asks) asked.answer({ status, outcome })
      })
      .finally(() => {
        underWay.delete(run)
        beside.delete(run)
        service.wake()
      })
    underWay.set(run, sourceOf(app))
    if (runsBeside(app)) beside.add(run)
  }

  function runsBeside({ application }: AppState): boolean {
    return dependencies.kinds.find(({ name }) => name === application.kind)?.runsBeside === true
  }

  function startHelp(app: AppState, what: NonNullable<Decision['help']>): void {
    beginWork(app, 'help')
    const help = applyRemedy(service, app, what).finally(() => {
      endWork(app)
      underWay.delete(help)
      service.wake()
    })
    underWay.set(help, sourceOf(app))
  }

  /** Nothing will happen for now: whoever waits is told. */
  function rest(app: AppState): void {
    const status = fresh(app)
    for (const ask of takeAsks(app)) ask.answer({ status, outcome: undefined })
    for (const tell of takeIdleListeners(app)) tell(status)
  }

  /** Tells it to those who listen when it changed. */
  function show(app: AppState, decision: Decision): AppStatus {
    const { status: before } = app
    if (before !== undefined && !app.isTouched && isSame(app.decision, decision)) return before
    setDecision(app, decision)
    const status = statusOf(app, decision, clock.now())
    if (before !== undefined && isSameJson(before, status)) return before
    setStatus(app, status)
    noteAnswers(app, status)
    service.emit({ type: 'app', status })
    return status
  }

  /** Written at once only when it became well or unwell: whatever else is written of it takes them along. */
  function noteAnswers(app: AppState, { sync, health }: AppStatus): void {
    const before = app.persisted.answers
    const isNew = before?.sync.state !== sync.state || before.health.state !== health.state
    if (!isNew) return
    const answers = {
      sync: { state: sync.state, since: sync.since },
      health: { state: health.state, since: health.since },
    }
    updatePersisted(app, { answers })
    if (before !== undefined && before.health.state !== health.state) {
      void remember(service, app, { answers })
    }
  }

  function fresh(app: AppState): AppStatus {
    if (!service.isOurs(app.key)) return statusElsewhere(service, app, around())
    return show(app, decideFor(app, around()))
  }

  return {
    turn,
    statusOf: fresh,
    blockers: ({ key, decision, declared }) =>
      decision?.isNext === true ? unready(key, declared?.policy.dependsOn ?? []) : [],
    waiting: () => queued,
    running: () => underWay.size,
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
  }
}

function isSame(one: Decision | undefined, other: Decision): boolean {
  return (
    one !== undefined &&
    one.state === other.state &&
    one.reason === other.reason &&
    one.until === other.until &&
    one.needsAcknowledgement === other.needsAcknowledgement
  )
}

/** Whoever asked for it is named by the run, and what they allowed counts for it. */
function waitsForAsk({ app, decision }: { app: AppState; decision: Decision }): boolean {
  return app.comingAsks.length > 0 && app.asks.length === 0 && decision.run?.work === 'desired'
}

/** What its source wants is being rendered: until that is known, only what does not depend on it is done. */
function isUnclear({ refresh, isGone, underWay }: AppState, { run }: Decision): boolean {
  if (refresh === undefined || isGone || underWay !== undefined) return false
  return run === undefined || run.work === 'desired'
}
