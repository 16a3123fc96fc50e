/** Whether the newest snapshot wants something else of an application: looked for beside everything else, one render at a time each. */
import type { Cause } from '#model/event.ts'
import { factsOf, placeText, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import { noteAnnounced, noteReadRevision } from '../state/read-revision.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { kindFor, keepRendered, renderWhole, renderAnswer, renderInputOf } from './desired-state.ts'
import { faultIn, warningsIn } from './render-findings.ts'
import { stillHold, type Inputs } from '#sources/inputs.ts'
import { recordRefusal } from '../run/record-refusal.ts'
import { isBeyondLimit } from '../render/limit-problems.ts'
import { retryPause } from '../render/render-limits.ts'
import { unchanged } from '#model/unchanged.ts'
import {
  setFault,
  setCause,
  beginRefresh,
  refreshOnceMore,
  takeRefreshAgain,
  endRefresh,
  setFailedRender,
  type AppState,
} from '../state/app-state.ts'

/** A look that goes on. */
export type Refresh = {
  /** A render was asked for, or nothing needs one. */
  readonly begun: Promise<void>
  readonly ended: Promise<void>
}

/** A render that came to nothing: while what it was made from is the same, it is not tried again. */
export type FailedRender = {
  readonly fault: ProblemFacts
  readonly revision: string
  readonly about: string
  /** What it read; undefined when it was ended before it could tell. */
  readonly inputs: Inputs | undefined
  /** How often it was ended. */
  readonly tries: number
  /** It is time to try the same once more. */
  readonly isDue?: true
}

const notOurs: Refresh = { begun: Promise.resolve(), ended: Promise.resolve() }

/** Notes in the application's state what it found. Never rejects. */
export function refreshDesired(service: ServiceState, app: AppState, cause: Cause): Refresh {
  if (!service.isOurs(app.key)) return notOurs
  if (app.refresh !== undefined) {
    refreshOnceMore(app, cause)
    return app.refresh
  }
  let hasBegun = false
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = () => {
      hasBegun = true
      resolve()
    }
  })
  const refresh: Refresh = { begun, ended: run() }
  beginRefresh(app, refresh)
  return refresh

  async function run(): Promise<void> {
    // `app.refresh` is set before anything is looked at
    await Promise.resolve()
    for (let next: Cause | undefined = cause; next !== undefined;) {
      takeRefreshAgain(app)
      const revision = app.branch?.snapshot?.revision
      await refreshOnce(service, app, next, begin)
      if (revision !== undefined) noteReadRevision(app, revision)
      next = app.refreshAgain
    }
    endRefresh(app)
    const wasRendered = hasBegun
    begin()
    if (wasRendered && app.underWay === undefined) await service.check(app)
    service.wake()
  }
}

/** Its declaration was taken over from the newest snapshot. Where nobody may look now, the scheduler sees that somebody does later. */
export function refreshAnnounced(service: ServiceState, app: AppState, cause: Cause): Refresh {
  noteAnnounced(app)
  return refreshDesired(service, app, cause)
}

async function refreshOnce(
  service: ServiceState,
  app: AppState,
  cause: Cause,
  begin: () => void,
): Promise<void> {
  if (app.declared === undefined || app.branch?.snapshot === undefined) return
  const { snapshot } = app.branch
  let about = ''
  try {
    const input = renderInputOf(service, app)
    about = input.about
    const { persisted } = app
    if (await hasFailedAlike(app, snapshot, about)) return
    const isKnown = persisted.desired !== undefined && app.fault === undefined
    const holds = isKnown ? await stillHold(persisted.desired.inputs, about, snapshot.tree) : false
    if (holds === true) return
    begin()
    if (holds === 'unsure') {
      const answer = await renderAnswer(service, app, input, persisted.desired?.inputs.read)
      if (answer === unchanged) return
      keepRendered(service, app, input, answer)
    }
    const { hash, file, inputs, rendered, snapshot: used } = await renderWhole(service, app)
    if (used !== app.branch?.snapshot) return again(app, cause)
    const fault = faultIn(rendered.problems)
    tellFault(service, app, fault)
    const { revision } = used
    setFailedRender(app, fault && { fault, revision, about: inputs.about, inputs, tries: 0 })
    if (hash !== app.persisted.desired?.hash) setCause(app, cause)
    if (fault === undefined) {
      const warnings = warningsIn(rendered.warnings)
      tellWarnings(service, app, warnings)
      await remember(service, app, { desired: { hash, file, inputs, warnings } })
    } else await recordRefusal(service, app, fault, revision, cause)
  } catch (thrown) {
    if (service.stop.aborted) return
    if (snapshot !== app.branch?.snapshot) return again(app, cause)
    const problem = problemOf(thrown)
    const fault = factsOf(placed(problem, service, app))
    tellFault(service, app, fault)
    await recordRefusal(service, app, fault, snapshot.revision, cause)
    if (isBeyondLimit(problem)) endedAt(service, app, { fault, revision: snapshot.revision, about })
  }
}

function again(app: AppState, cause: Cause): void {
  if (app.refreshAgain === undefined) refreshOnceMore(app, cause)
}

/** Another fault than that of its render stands there when something else is wrong with it, and is looked at anew. */
async function hasFailedAlike(
  app: AppState,
  { revision, tree }: NonNullable<NonNullable<AppState['branch']>['snapshot']>,
  about: string,
): Promise<boolean> {
  const { failedRender: before } = app
  if (before === undefined || before.isDue === true) return false
  if (before.fault !== app.fault || before.about !== about) return false
  if (before.revision === revision) return before.inputs === undefined
  return before.inputs !== undefined && (await stillHold(before.inputs, about, tree)) === true
}

/** The machine may have been busy: the same files are tried again later, and ever later. */
function endedAt(
  service: ServiceState,
  app: AppState,
  ended: Pick<FailedRender, 'fault' | 'revision' | 'about'>,
): void {
  const before = app.failedRender
  const isSame = before?.revision === ended.revision && before.about === ended.about
  const tries = (isSame ? before.tries : 0) + 1
  const failed: FailedRender = { ...ended, inputs: undefined, tries }
  setFailedRender(app, failed)
  const { clock } = service.dependencies
  const pause = retryPause(tries)
  const retry = (): void => {
    if (app.failedRender !== failed || app.fault !== failed.fault) return
    setFailedRender(app, { ...failed, isDue: true })
    refreshDesired(service, app, { trigger: 'refresh' })
  }
  void clock.sleep(pause, service.stop).then(retry, () => undefined)
}

/** Where a person would begin to look. */
function placed(problem: Problem, service: ServiceState, app: AppState): Problem {
  if (!isBeyondLimit(problem) || problem.at !== undefined) return problem
  const { declared, persisted } = app
  const file = persisted.desired?.file ?? declared?.files[0] ?? kindFor(service, app).files[0]
  const path = declared?.path ?? ''
  const at = { file: path === '' ? file : `${path}/${file}`, line: 1, column: 1 }
  return new Problem({ ...factsOf(problem), at })
}

function tellFault(service: ServiceState, app: AppState, fault: AppState['fault']): void {
  const before = app.fault
  const isNew = fault !== undefined && textOf(fault) !== textOf(before)
  setFault(app, fault)
  if (!isNew) return
  const { log } = service.dependencies
  const { message, at, suggestion, details = [] } = fault
  const file = at && placeText(at)
  log('error', 'the declaration is refused', { app: app.key, error: message, file, suggestion })
  for (const error of details) log('error', 'the declaration is refused', { app: app.key, error })
}

function textOf(fault: AppState['fault']): string {
  return [fault?.message ?? '', ...(fault?.details ?? [])].join('\n')
}

/** Once each, until it is mended and comes back. */
function tellWarnings(service: ServiceState, app: AppState, warnings: readonly string[]): void {
  const known = new Set(app.persisted.desired?.warnings)
  for (const warning of warnings) {
    if (known.has(warning)) continue
    service.dependencies.log('warning', 'the declaration is warned of', { app: app.key, warning })
  }
}
