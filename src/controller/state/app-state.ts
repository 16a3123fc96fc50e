/** What the service knows of one application at this moment, and the only functions that change it. Everyone else reads it. */
import type { Application } from '#model/application.ts'
import type { Seen } from '#model/connection.ts'
import type { Declared } from '#model/declaration.ts'
import type { Cause } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { AppStatus } from '#model/service.ts'
import type { Tree } from '#model/tree.ts'
import type { ContainersHealth } from '../monitor/app-health.ts'
import type { Ask, UnderWay } from './ask.ts'
import type { Branch } from '../sources/repository-poller.ts'
import type { Decision } from '../decide/decide.ts'
import type { RenderResult } from '../sources/render-result.ts'
import type { PersistedState } from './persisted-state.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import type { FailedRender, Refresh } from '../sources/refresh-desired.ts'

export type AppState = {
  readonly key: string
  readonly application: Application
  readonly owner: string
  /** Undefined for an application that is known from earlier runs and no longer declared. */
  readonly declared: Declared | undefined
  readonly branch: Branch | undefined
  readonly monitor: TargetMonitor | undefined
  readonly persisted: PersistedState
  /** Its source was read, and does not hold the application any more. */
  readonly isGone: boolean
  /** Why it is not removed though it is gone: too many applications went at once. */
  readonly guarded: string | undefined
  /** What is wrong with its declaration. */
  readonly fault: ProblemFacts | undefined
  readonly cause: Cause
  readonly asks: readonly Ask[]
  /** Requests for a run that wait until the source was read. */
  readonly comingAsks: readonly Cause[]
  /** Called when there is nothing more to do for now. */
  readonly idle: readonly ((status: AppStatus) => void)[]
  readonly underWay: UnderWay | undefined
  /** Interrupts the run that is under way. */
  readonly interruption: AbortController | undefined
  /** What the run under way applies of its source, and what ends its wait for health when something newer is to be applied. */
  readonly applying: Applying | undefined
  /** How many changes by others the monitor had counted when this application was last found as applied. */
  readonly provenAfter: number
  readonly drift: string | undefined
  /** Containers that are declared and do not exist. */
  readonly missing: readonly Ref[]
  readonly seen: Seen | undefined
  /** It was compared with what runs since this process started. */
  readonly isCompared: boolean
  /** The health at the last decision. */
  readonly health: ContainersHealth | undefined
  /** The last render, until the garbage collector takes it. */
  readonly rendered: RenderOf<WeakRef<RenderResult>> | undefined
  /** A render that is under way. */
  readonly rendering: RenderOf<Promise<RenderResult>> | undefined
  /** Set while it is checked whether the newest snapshot declares something else. */
  readonly refresh: Refresh | undefined
  /** Something changed during that check, so that it is made once more, because of this. */
  readonly refreshAgain: Cause | undefined
  readonly failedRender: FailedRender | undefined
  /** It is being compared with what runs. */
  readonly isChecking: boolean
  /** Resources of the last successful run that may be pruned only because that run had them (`guards/prune-guard.ts`). */
  readonly proven: { readonly at: number; readonly refs: ReadonlySet<Ref> } | undefined
  /** How it was when this process last found it as applied. */
  readonly asApplied: AsApplied | undefined
  /** What another service with our instance name did to it (`guards/other-service.ts`). */
  readonly rival: string | undefined
  /** Something changed that its status shows. */
  readonly isTouched: boolean
  readonly status: AppStatus | undefined
  readonly decision: Decision | undefined
}

export type AsApplied = {
  readonly hash: string | undefined
  readonly fingerprint: string | undefined
  readonly at: number
  /** The hashes of the records on its containers. */
  readonly records: ReadonlySet<string>
}

export type Applying = { readonly hash: string; readonly superseded: AbortController }

/** A render of these files, with these values and settings. */
type RenderOf<Result> = { readonly tree: Tree; readonly about: string; readonly made: Result }

/** The type through which the functions of this file write. */
type Writable = { -readonly [Field in keyof AppState]: AppState[Field] }

/** The scheduler's next turn publishes the status again, if it changed. */
export function touch(app: Writable): void {
  app.isTouched = true
}

export function setAsApplied(app: Writable, found: AsApplied): void {
  app.asApplied = found
}

export function setRival(app: Writable, rival: string | undefined): void {
  app.rival = rival
}

export function setDeclaration(
  app: Writable,
  { declared, branch, monitor }: Pick<AppState, 'declared' | 'branch' | 'monitor'>,
): void {
  app.declared = declared
  app.branch = branch
  app.monitor = monitor
  app.seen ??= monitor?.listing()?.apps.get(app.owner)
}

export function setBranch(app: Writable, branch: Branch | undefined): void {
  app.branch = branch
}

export function setMonitor(app: Writable, monitor: TargetMonitor | undefined): void {
  app.monitor = monitor
}

/** The application is in its source, so nothing of it is removed. */
export function markPresent(app: Writable): void {
  app.isGone = false
  app.guarded = undefined
}

/** Its declaration can't be read. The application may still be there, so what runs is left alone. */
export function markUnreadable(app: Writable, fault: ProblemFacts | undefined): void {
  app.isGone = false
  setFault(app, fault)
}

/** The application is gone from its source, or no longer declared. `guarded` says why it is left running all the same. */
export function markGone(app: Writable, guarded: string | undefined): void {
  app.isGone = true
  app.guarded = guarded
  app.isTouched = true
}

export function setFault(app: Writable, fault: ProblemFacts | undefined): void {
  app.fault = fault
  app.isTouched = true
}

/** Why the next run begins, if it is not asked for. */
export function setCause(app: Writable, cause: Cause): void {
  app.cause = cause
}

export function setPersisted(app: Writable, persisted: PersistedState): void {
  app.persisted = persisted
}

export function updatePersisted(app: Writable, news: Partial<PersistedState>): void {
  app.persisted = { ...app.persisted, ...news }
}

// What it is to be: its renders

export function beginRefresh(app: Writable, refresh: Refresh): void {
  app.refresh = refresh
  app.refreshAgain = undefined
}

export function refreshOnceMore(app: Writable, cause: Cause): void {
  if (app.refresh !== undefined) app.refreshAgain = cause
}

/** Takes the cause of the check that is to be made once more, and clears it. */
export function takeRefreshAgain(app: Writable): Cause | undefined {
  const cause = app.refreshAgain
  app.refreshAgain = undefined
  return cause
}

export function endRefresh(app: Writable): void {
  app.refresh = undefined
  app.isTouched = true
}

export function setFailedRender(app: Writable, failed: FailedRender | undefined): void {
  app.failedRender = failed
}

export function beginRender(app: Writable, making: NonNullable<AppState['rendering']>): void {
  app.rendering = making
}

/** A newer render may have begun meanwhile. */
export function endRender(app: Writable, made: Promise<RenderResult>): void {
  if (app.rendering?.made === made) app.rendering = undefined
}

export function setRender(app: Writable, made: AppState['rendered']): void {
  app.rendered = made
}

export function setProven(app: Writable, proven: NonNullable<AppState['proven']>): void {
  app.proven = proven
}

// What is seen of it where it runs

export function setSeen(app: Writable, seen: Seen | undefined): void {
  app.seen = seen
}

export function setChecking(app: Writable, isChecking: boolean): void {
  app.isChecking = isChecking
}

export function setComparison(
  app: Writable,
  { missing, isCompared }: Pick<AppState, 'missing' | 'isCompared'>,
): void {
  app.missing = missing
  app.isCompared = isCompared
}

export function setDrift(app: Writable, drift: string | undefined): void {
  app.drift = drift
}

export function setProvenAfter(app: Writable, changes: number): void {
  app.provenAfter = changes
}

export function setHealth(app: Writable, health: ContainersHealth): void {
  app.health = health
}

// What is asked of it, and what is done about it

export function addAsk(app: Writable, ask: Ask): void {
  app.asks = [...app.asks, ask]
}

export function setComingAsks(app: Writable, coming: readonly Cause[]): void {
  app.comingAsks = coming
}

export function takeAsks(app: Writable, which = (asks: readonly Ask[]) => asks): readonly Ask[] {
  const taken = which(app.asks)
  app.asks = app.asks.filter((ask) => !taken.includes(ask))
  return taken
}

export function addIdleListener(app: Writable, listener: AppState['idle'][number]): void {
  app.idle = [...app.idle, listener]
}

export function takeIdleListeners(app: Writable): AppState['idle'] {
  const { idle } = app
  app.idle = []
  return idle
}

/** A run can be ended from outside, help can't. */
export function beginWork(app: Writable, work: UnderWay): void {
  app.underWay = work
  if (work === 'help') return
  app.interruption = new AbortController()
  app.isTouched = true
}

export function setApplying(app: Writable, hash: string): void {
  app.applying = { hash, superseded: new AbortController() }
}

export function endWork(app: Writable): void {
  app.underWay = undefined
  app.applying = undefined
  app.isTouched = true
}

/** The last decision that a status was made of. */
export function setDecision(app: Writable, decision: Decision): void {
  app.decision = decision
  app.isTouched = false
}

export function setStatus(app: Writable, status: AppStatus): void {
  app.status = status
}
