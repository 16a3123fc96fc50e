/** One run of one application, from its files to its status. */
import type { Outcome, Trigger } from '#model/event.ts'
import { factsOf, placeText, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { isOnPinnedImages, renderedAsItRan } from '#store/past.ts'
import { failureAfter, type Failure } from '../decide/backoff.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { detectDrift } from '../monitor/detect-drift.ts'
import { restoreInForce } from './restore-in-force.ts'
import { failed, executeRun, type Result, type Wanted } from './execute-run.ts'
import { recordedRun } from '../sources/recorded-run.ts'
import { renderNow } from '../sources/render-now.ts'
import {
  kindFor,
  renderWhole,
  renderedPast,
  renderInForce,
  seedFor,
} from '../sources/desired-state.ts'
import { removalHash, type RunGoal } from '../decide/decide.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import { keepUnproven } from '../guards/prune-guard.ts'
import { pruneImages } from './prune-images.ts'
import { repairsAfter, reportCrashLoop, stillUnproven } from '../guards/crash-loop.ts'
import { setApplying, setCause, type AppState } from '../state/app-state.ts'
import type { Ask } from '../state/ask.ts'
import { otherThanExpected } from '../guards/expected.ts'

/** Never throws: what goes wrong is noted in the application's state, which says already that a run is under way. */
export async function runApp(
  service: ServiceState,
  app: AppState,
  work: RunGoal,
  trigger: Trigger,
  ask: Ask | undefined,
): Promise<Outcome> {
  const { log, clock } = service.dependencies
  const began = clock.now()
  const facts = { app: app.key, trigger }
  const { cause } = app
  log('info', work === 'removal' ? 'removal started' : 'sync started', facts)
  const hash = hashFor(app, work, ask)
  const { begun } = app.persisted
  if (work === 'desired') await remember(service, app, { begun: hash })
  let wanted: Wanted | undefined
  let result: Result
  try {
    if (work !== 'removal') {
      const whole = await wantedFor(service, app, work, ask)
      wanted = whole && { ...whole, rendered: await keepUnproven(service, app, whole.rendered) }
    }
    const refusal = otherThanExpected(app, ask?.allowed?.expected, wanted)
    if (refusal !== undefined) {
      if (work === 'desired') await remember(service, app, { begun })
      log('info', 'sync refused', { ...facts, error: refusal.message })
      // last of all: whoever is told so finds the application as it was
      ask?.refuse?.(refusal)
      return 'refused'
    }
    ask?.begun?.()
    // what somebody asked to go back to is waited for
    if (wanted !== undefined && ask?.past === undefined) setApplying(app, wanted.hash)
    const isOvertaken = wanted === undefined && work !== 'removal'
    result = isOvertaken
      ? { ...failed, outcome: 'interrupted', at: clock.now(), problem: undefined }
      : await executeRun(service, app, wanted, trigger, ask?.allowed)
  } catch (thrown) {
    result = { ...failed, at: clock.now(), problem: factsOf(problemOf(thrown)) }
  }
  if (work === 'desired') await restoreInForce(service, app, begun, result)
  // whoever asked for this run did not ask for what Tend does after it
  const isOver = app.cause === cause && cause.trigger === trigger && cause.by !== undefined
  if (isOver) setCause(app, { trigger: 'refresh' })
  const before = app.persisted.failure
  await record(service, app, work, trigger, wanted, wanted?.hash ?? hash, result)
  const seconds = (clock.now() - began) / 1000
  const labels = { kind: app.application.kind, trigger, outcome: result.outcome }
  service.metrics.count('tend_runs_total', labels)
  service.metrics.observe('tend_run_duration_seconds', { kind: app.application.kind }, seconds)
  tellEnd(service, app, work, result, seconds, isRepeated(before, app.persisted.failure))
  return result.outcome
}

function hashFor({ persisted }: AppState, work: RunGoal, ask: Ask | undefined): string {
  if (work === 'removal') return removalHash
  if (work === 'desired' && ask?.past === undefined) return persisted.desired?.hash ?? ''
  return persisted.synced?.hash ?? ''
}

/** Undefined: of one that comes from no source nothing is wanted any more. */
async function wantedFor(
  service: ServiceState,
  app: AppState,
  work: RunGoal,
  ask: Ask | undefined,
): Promise<Wanted | undefined> {
  const kind = kindFor(service, app)
  if (ask?.past !== undefined) {
    const rendered = renderedAsItRan(ask.past, seedFor(service, app))
    return { rendered, hash: kind.hashOf(rendered), ...versionIn(ask.past.snapshot.source) }
  }
  const { record, isRenderedByRuns } = app.declared ?? {}
  if (record !== undefined) return wantedByRecord(service, app, record)
  if (isRenderedByRuns === true) return wantedNow(service, app)
  if (work === 'inForce' || (await isHeldBack(service, app, ask))) {
    const rendered = await renderInForce(service, app)
    if (rendered === undefined || app.persisted.synced === undefined) throw notKept(app)
    return { ...app.persisted.synced, rendered }
  }
  // a newer snapshot may come at any time: what is recorded belongs to what is rendered
  const made = await renderWhole(service, app)
  const { revision, message } = made.snapshot
  await made.layFiles()
  return { hash: made.hash, rendered: made.rendered, revision, message }
}

/** The run renders it once more under its lease: while it waits for that, what is declared may change. */
export async function wantedNow(service: ServiceState, app: AppState): Promise<Wanted> {
  const { hash, rendered } = await renderNow(app)
  const inputs = { about: '', read: '' }
  await remember(service, app, { desired: { hash, file: '', inputs } })
  return { hash, rendered, revision: '', message: '' }
}

async function wantedByRecord(
  service: ServiceState,
  app: AppState,
  record: ApplicationRecord,
): Promise<Wanted | undefined> {
  const recorded = await recordedRun(record, service.dependencies.store)
  if (recorded === undefined) return undefined
  const hash = app.persisted.synced?.hash ?? ''
  const rendered = renderedPast(service, app, recorded.snapshot)
  return { hash, revision: `run ${recorded.run.number}`, message: '', rendered, recorded }
}

/** Somebody went back to images that the tags no longer mean: a repair keeps them, only a word or another declaration ends that. */
async function isHeldBack(
  { dependencies }: ServiceState,
  { persisted, application }: AppState,
  ask: Ask | undefined,
): Promise<boolean> {
  const isSame = persisted.synced !== undefined && persisted.synced.hash === persisted.desired?.hash
  return isSame && ask === undefined && isOnPinnedImages(application, dependencies.store)
}

function versionIn(source: Json): { readonly revision: string; readonly message: string } {
  const { revision, message } = isRecord<Json>(source) ? source : {}
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
  return { revision: text(revision), message: text(message) }
}

/** What the run changed in what is known, and a look whether it is so. */
async function record(
  service: ServiceState,
  app: AppState,
  work: RunGoal,
  trigger: Trigger,
  wanted: Wanted | undefined,
  hash: string,
  result: Result,
): Promise<void> {
  const { clock } = service.dependencies
  const { outcome, isRolledBack, summary, number, at: now } = result
  const lastRun = {
    number,
    trigger,
    outcome,
    isRolledBack,
    at: now,
    summary,
    problem: brief(result.problem),
  }
  const around = {
    now,
    random: clock.random(),
    epoch: app.monitor?.epoch(app.owner, result.problem?.code) ?? 0,
    retryInterval: app.declared?.policy.retryInterval,
    revision: wanted?.revision,
  }
  const isWell = outcome === 'succeeded'
  const before = app.persisted.failure
  // what is in force was put right; what failed before still waits
  const kept =
    work === 'inForce' ? before : trigger === 'drift' ? stillUnproven(before, now) : undefined
  const failure = isWell || trigger === 'health' ? kept : failureAfter(before, hash, result, around)
  const news: Partial<PersistedState> = {
    lastRun,
    failure: failure === undefined ? undefined : plainly(failure),
    // an interrupted one is taken up again, whatever policy says of drift
    begun: outcome === 'interrupted' ? app.persisted.begun : undefined,
    repairs: trigger === 'drift' ? repairsAfter(app, now) : undefined,
    ...(isWell ? wellDone(app, work, trigger, wanted, now) : {}),
  }
  await remember(service, app, news)
  if (isWell && wanted !== undefined) await pruneImages(service, app)
  // who was told to stop looks no more: the next start does
  if (service.stop.aborted) return
  // the monitor tells by itself when its engine is away
  await app.monitor?.look().catch(() => undefined)
  await detectDrift(service, app)
  if (app.drift !== undefined) await reportCrashLoop(service, app)
}

function wellDone(
  { persisted }: AppState,
  work: RunGoal,
  trigger: Trigger,
  wanted: Wanted | undefined,
  at: number,
): Partial<PersistedState> {
  if (wanted === undefined) {
    return {
      isRemoved: true,
      synced: undefined,
      clean: undefined,
      failure: undefined,
      acknowledged: undefined,
    }
  }
  const { revision, message, hash } = wanted
  const isBack = trigger === 'rollback' && hash !== persisted.desired?.hash
  const leftBehind = isBack
    ? persisted.desired?.hash
    : work === 'inForce'
      ? persisted.leftBehind
      : undefined
  const acknowledged = work === 'desired' ? undefined : persisted.acknowledged
  const isBackward = trigger === 'rollback' || trigger === 'health'
  const isOther = hash !== persisted.synced?.hash
  // what ran well before is not on probation again
  const changedAt = isBackward ? undefined : isOther ? at : persisted.changedAt
  const synced = { revision, message, hash, at }
  return { synced, isRemoved: false, acknowledged, leftBehind, changedAt }
}

function brief(
  problem: ProblemFacts | undefined,
): NonNullable<PersistedState['lastRun']>['problem'] {
  if (problem === undefined) return undefined
  const { type, code, message, suggestion, at } = problem
  return {
    type,
    code,
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(at ? { at } : {}),
  }
}

/** The same trouble is told once, however often it is tried. */
function isRepeated(before: PersistedState['failure'], now: PersistedState['failure']): boolean {
  return before !== undefined && before.hash === now?.hash && before.reason === now.reason
}

function tellEnd(
  service: ServiceState,
  app: AppState,
  work: RunGoal,
  result: Result,
  seconds: number,
  isKnown: boolean,
): void {
  const { log } = service.dependencies
  const what = work === 'removal' ? 'removal' : 'sync'
  const facts = { app: app.key, outcome: result.outcome, seconds, run: result.number }
  if (result.outcome === 'succeeded') return log('info', `${what} succeeded`, facts)
  const level = result.outcome === 'interrupted' ? 'info' : isKnown ? 'debug' : 'error'
  const { message: error, at } = result.problem ?? {}
  const file = at && placeText(at)
  log(level, `${what} ${result.outcome}`, {
    ...facts,
    error,
    ...(file === undefined ? {} : { file }),
  })
}

function notKept({ key }: AppState): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `nothing is kept that ${key} could be put back to`,
  })
}

function plainly({ details, ...rest }: Failure): NonNullable<PersistedState['failure']> {
  return { ...rest, ...(details === undefined ? {} : { details: [...details] }) }
}
