/** Whether the newest snapshot wants something else of an application: looked for beside everything else, one render at a time each. */
import type { Trigger } from '#model/event.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import { remember, type Board } from './board.ts'
import { kindFor, keepMade, makeWhole, renderAnswer, wishOf } from './desired.ts'
import { stillHold, type Inputs } from '#sources/inputs.ts'
import { isBeyondLimit } from './render/limit-problems.ts'
import { retryPause } from './render/render-limits.ts'
import { unchanged } from '#model/unchanged.ts'
import type { Unit } from './unit.ts'

/** A look that goes on. */
export type Refresh = {
  /** Something changed meanwhile: it is looked at once more. */
  again: Trigger | undefined
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
  isDue?: true
}

/** Says in the unit what it found. Never rejects. */
export function refreshDesired(board: Board, unit: Unit, trigger: Trigger): Refresh {
  if (unit.refresh !== undefined) {
    unit.refresh.again = trigger
    return unit.refresh
  }
  let hasBegun = false
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = () => {
      hasBegun = true
      resolve()
    }
  })
  const refresh: Refresh = { again: undefined, begun, ended: run() }
  unit.refresh = refresh
  return refresh

  async function run(): Promise<void> {
    // `unit.refresh` is set before anything is looked at
    await Promise.resolve()
    for (let next: Trigger | undefined = trigger; next !== undefined;) {
      refresh.again = undefined
      await refreshOnce(board, unit, next, begin)
      next = refresh.again
    }
    unit.refresh = undefined
    unit.isTouched = true
    const wasRendered = hasBegun
    begin()
    if (wasRendered && unit.underWay === undefined) await board.check(unit)
    board.wake()
  }
}

async function refreshOnce(
  board: Board,
  unit: Unit,
  trigger: Trigger,
  begin: () => void,
): Promise<void> {
  if (unit.declared === undefined || unit.branch?.snapshot === undefined) return
  const { snapshot } = unit.branch
  let about = ''
  try {
    const wish = wishOf(board, unit)
    about = wish.about
    const { memo } = unit
    if (await hasFailedAlike(unit, snapshot, about)) return
    const isKnown = memo.desired !== undefined && unit.fault === undefined
    const holds = isKnown ? await stillHold(memo.desired.inputs, about, snapshot.tree) : false
    if (holds === true) return
    begin()
    if (holds === 'unsure') {
      const answer = await renderAnswer(board, unit, wish, memo.desired?.inputs.read)
      if (answer === unchanged) return
      keepMade(board, unit, wish, answer)
    }
    const { hash, file, inputs, rendered, snapshot: used } = await makeWhole(board, unit)
    if (used !== unit.branch?.snapshot) return again(unit, trigger)
    const fault = rendered.problems.find(({ type }) => type === 'configuration')
    tellFault(board, unit, fault)
    const { revision } = used
    unit.failedRender = fault && { fault, revision, about: inputs.about, inputs, tries: 0 }
    if (hash !== unit.memo.desired?.hash) unit.cause = trigger
    if (fault === undefined) await remember(board, unit, { desired: { hash, file, inputs } })
  } catch (thrown) {
    if (board.stop.aborted) return
    if (snapshot !== unit.branch?.snapshot) return again(unit, trigger)
    const problem = problemOf(thrown)
    const fault = factsOf(placed(problem, board, unit))
    tellFault(board, unit, fault)
    if (isBeyondLimit(problem)) endedAt(board, unit, { fault, revision: snapshot.revision, about })
  }
}

function again(unit: Unit, trigger: Trigger): void {
  if (unit.refresh !== undefined) unit.refresh.again ??= trigger
}

/** Another fault than that of its render stands there when something else is wrong with it, and is looked at anew. */
async function hasFailedAlike(
  unit: Unit,
  { revision, tree }: NonNullable<NonNullable<Unit['branch']>['snapshot']>,
  about: string,
): Promise<boolean> {
  const { failedRender: before } = unit
  if (before === undefined || before.isDue === true) return false
  if (before.fault !== unit.fault || before.about !== about) return false
  if (before.revision === revision) return before.inputs === undefined
  return before.inputs !== undefined && (await stillHold(before.inputs, about, tree)) === true
}

/** The machine may have been busy: the same files are tried again later, and ever later. */
function endedAt(
  board: Board,
  unit: Unit,
  ended: Pick<FailedRender, 'fault' | 'revision' | 'about'>,
): void {
  const before = unit.failedRender
  const isSame = before?.revision === ended.revision && before.about === ended.about
  const tries = (isSame ? before.tries : 0) + 1
  const failed: FailedRender = { ...ended, inputs: undefined, tries }
  unit.failedRender = failed
  const { clock } = board.parts
  const pause = retryPause(tries)
  const retry = (): void => {
    if (unit.failedRender !== failed || unit.fault !== failed.fault) return
    failed.isDue = true
    refreshDesired(board, unit, 'refresh')
  }
  void clock.sleep(pause, board.stop).then(retry, () => undefined)
}

/** Where a person would begin to look. */
function placed(problem: Problem, board: Board, unit: Unit): Problem {
  if (!isBeyondLimit(problem) || problem.at !== undefined) return problem
  const { declared, memo } = unit
  const file = memo.desired?.file ?? declared?.files[0] ?? kindFor(board, unit).files[0]
  const path = declared?.path ?? ''
  const at = { file: path === '' ? file : `${path}/${file}`, line: 1, column: 1 }
  return new Problem({ ...factsOf(problem), at })
}

export function tellFault(board: Board, unit: Unit, fault: Unit['fault']): void {
  const isNew = fault !== undefined && fault.message !== unit.fault?.message
  unit.fault = fault
  unit.isTouched = true
  if (!isNew) return
  const { log } = board.parts
  log('error', 'can not be read', { app: unit.key, error: fault.message, file: fault.at?.file })
}
