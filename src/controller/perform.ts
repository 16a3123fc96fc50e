/** One run of one application, from its files to its status. */
import type { Outcome, Trigger } from '#model/event.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import { isOnPinnedImages, renderedAsItRan } from '#store/past.ts'
import { failureAfter, type Failure } from './backoff.ts'
import { remember, type Board } from './board.ts'
import { check } from './check.ts'
import { failed, follow, type Result, type Wanted } from './follow.ts'
import { kindFor, makeWhole, renderInForce, seedFor } from './desired.ts'
import { removalHash, type Work } from './judge.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Memo } from './memo.ts'
import { sparing } from './proven.ts'
import { repairsAfter, stillUnproven } from './unheld.ts'
import type { Ask, Unit } from './unit.ts'

/** Never throws: what goes wrong is in the unit. The unit is under way already. */
export async function perform(
  board: Board,
  unit: Unit,
  work: Work,
  trigger: Trigger,
  ask: Ask | undefined,
): Promise<Outcome> {
  const { log, clock } = board.parts
  const began = clock.now()
  const facts = { app: unit.key, trigger }
  log('info', work === 'removal' ? 'removal started' : 'sync started', facts)
  const hash = hashFor(unit, work, ask)
  if (work === 'desired') await remember(board, unit, { begun: hash })
  let wanted: Wanted | undefined
  let result: Result
  try {
    if (work !== 'removal') {
      const whole = await wantedFor(board, unit, work, ask)
      wanted = { ...whole, rendered: await sparing(board, unit, whole.rendered) }
    }
    result = await follow(board, unit, wanted, trigger, ask?.allowed)
  } catch (thrown) {
    result = { ...failed, at: clock.now(), problem: factsOf(problemOf(thrown)) }
  }
  await record(board, unit, work, trigger, wanted, wanted?.hash ?? hash, result)
  const seconds = (clock.now() - began) / 1000
  const labels = { kind: unit.application.kind, trigger, outcome: result.outcome }
  board.metrics.count('tend_runs_total', labels)
  board.metrics.observe('tend_run_duration_seconds', { kind: unit.application.kind }, seconds)
  tellEnd(board, unit, work, result, seconds)
  return result.outcome
}

function hashFor({ memo }: Unit, work: Work, ask: Ask | undefined): string {
  if (work === 'removal') return removalHash
  if (work === 'desired' && ask?.past === undefined) return memo.desired?.hash ?? ''
  return memo.synced?.hash ?? ''
}

async function wantedFor(
  board: Board,
  unit: Unit,
  work: Work,
  ask: Ask | undefined,
): Promise<Wanted> {
  const kind = kindFor(board, unit)
  if (ask?.past !== undefined) {
    const rendered = renderedAsItRan(ask.past, seedFor(board, unit))
    return { rendered, hash: kind.hashOf(rendered), ...versionIn(ask.past.snapshot.source) }
  }
  if (work === 'inForce' || (await isHeldBack(board, unit, ask))) {
    const rendered = await renderInForce(board, unit)
    if (rendered === undefined || unit.memo.synced === undefined) throw notKept(unit)
    return { ...unit.memo.synced, rendered }
  }
  // a newer snapshot may come at any time: what is recorded belongs to what is rendered
  const made = await makeWhole(board, unit)
  const { revision, message } = made.snapshot
  await made.layFiles()
  return { hash: made.hash, rendered: made.rendered, revision, message }
}

/** Somebody went back to images that the tags no longer mean: a repair keeps them, only a word or another declaration ends that. */
async function isHeldBack(
  { parts }: Board,
  { memo, application }: Unit,
  ask: Ask | undefined,
): Promise<boolean> {
  const isSame = memo.synced !== undefined && memo.synced.hash === memo.desired?.hash
  return isSame && ask === undefined && isOnPinnedImages(application, parts.store)
}

function versionIn(source: Json): { readonly revision: string; readonly message: string } {
  const { revision, message } = isRecord<Json>(source) ? source : {}
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
  return { revision: text(revision), message: text(message) }
}

/** What the run changed in what is known, and a look whether it is so. */
async function record(
  board: Board,
  unit: Unit,
  work: Work,
  trigger: Trigger,
  wanted: Wanted | undefined,
  hash: string,
  result: Result,
): Promise<void> {
  const { clock } = board.parts
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
    epoch: unit.post?.epoch(unit.owner, result.problem?.code) ?? 0,
    retryInterval: unit.declared?.policy.retryInterval,
    revision: wanted?.revision,
  }
  const isWell = outcome === 'succeeded'
  const before = unit.memo.failure
  // what is in force was put right; what failed before still waits
  const kept =
    work === 'inForce' ? before : trigger === 'drift' ? stillUnproven(before, now) : undefined
  const failure = isWell || trigger === 'health' ? kept : failureAfter(before, hash, result, around)
  const news: Partial<Memo> = {
    lastRun,
    failure: failure === undefined ? undefined : plainly(failure),
    // an interrupted one is taken up again, whatever policy says of drift
    begun: outcome === 'interrupted' ? unit.memo.begun : undefined,
    repairs: trigger === 'drift' ? repairsAfter(unit, now) : undefined,
    ...(isWell ? wellDone(unit, work, trigger, wanted, now) : {}),
  }
  await remember(board, unit, news)
  await unit.post?.look().catch(() => undefined)
  await check(board, unit)
}

function wellDone(
  { memo }: Unit,
  work: Work,
  trigger: Trigger,
  wanted: Wanted | undefined,
  at: number,
): Partial<Memo> {
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
  const isBack = trigger === 'rollback' && hash !== memo.desired?.hash
  const leftBehind = isBack ? memo.desired?.hash : work === 'inForce' ? memo.leftBehind : undefined
  const acknowledged = work === 'desired' ? undefined : memo.acknowledged
  const isBackward = trigger === 'rollback' || trigger === 'health'
  const isOther = hash !== memo.synced?.hash
  // what ran well before is not on probation again
  const changedAt = isBackward ? undefined : isOther ? at : memo.changedAt
  const synced = { revision, message, hash, at }
  return { synced, isRemoved: false, acknowledged, leftBehind, changedAt }
}

function brief(problem: ProblemFacts | undefined): NonNullable<Memo['lastRun']>['problem'] {
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

function tellEnd(board: Board, unit: Unit, work: Work, result: Result, seconds: number): void {
  const { log } = board.parts
  const what = work === 'removal' ? 'removal' : 'sync'
  const facts = { app: unit.key, outcome: result.outcome, seconds, run: result.number }
  if (result.outcome === 'succeeded') return log('info', `${what} succeeded`, facts)
  const level = result.outcome === 'interrupted' ? 'info' : 'error'
  log(level, `${what} ${result.outcome}`, { ...facts, error: result.problem?.message })
}

function notKept({ key }: Unit): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `nothing is kept that ${key} could be put back to`,
  })
}

function plainly({ details, ...rest }: Failure): NonNullable<Memo['failure']> {
  return { ...rest, ...(details === undefined ? {} : { details: [...details] }) }
}
