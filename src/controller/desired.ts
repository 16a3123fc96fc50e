/** What the source of an application wants, rendered only when something that it is made from changed. */
import type { Rendered } from '#model/domain.ts'
import type { Trigger } from '#model/event.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import { lastGood, renderedFrom } from '#store/past.ts'
import { seedOf } from '#store/key.ts'
import type { Board } from './board.ts'
import { remember } from './board.ts'
import type { Craft, How, Made } from './craft.ts'
import { stillHold } from './inputs.ts'
import { isSeenThrough, ownSurroundings } from './own-mounts.ts'
import type { Unit } from './unit.ts'

/** They don't change while a process lives. */
const surroundings = ownSurroundings()

export function craftOf(board: Board, unit: Unit): Craft {
  const { kind } = unit.application
  const craft = board.parts.crafts.find((one) => one.kind === kind)
  if (craft !== undefined) return craft
  throw new Problem({
    type: 'configuration',
    code: 'unsupported',
    message: `applications of kind ${kind} are not run by the service`,
  })
}

export function seedFor(board: Board, { key, memo }: Unit): Uint8Array {
  return seedOf(board.parts.key, key, memo.since)
}

export function howFor(board: Board, unit: Unit): How {
  const { shelf } = board.parts
  const sharesFiles = board.declarations.hostFiles !== undefined || isLocal(unit, shelf.folder)
  return {
    since: unit.memo.since,
    get seed() {
      return seedFor(board, unit)
    },
    shelf,
    sharesFiles,
  }
}

/** Where nobody knows it is as if. */
function isLocal({ post }: Unit, folder: string): boolean {
  try {
    const { isLocal: isHere, address } = post?.site() ?? { isLocal: true, address: '' }
    return isHere && isSeenThrough(address.replace(/^unix:\/\//, ''), folder, surroundings)
  } catch {
    return true
  }
}

/** Looks whether the snapshot of its source wants something else of it. Says so in the unit. */
export async function refreshDesired(board: Board, unit: Unit, trigger: Trigger): Promise<void> {
  const { declared, branch, memo } = unit
  if (declared === undefined || branch?.snapshot === undefined) return
  const { tree } = branch.snapshot
  try {
    const craft = craftOf(board, unit)
    const about = craft.aboutOf(declared, howFor(board, unit))
    const isKnown = memo.desired !== undefined && unit.fault === undefined
    if (isKnown && stillHold(memo.desired!.inputs, about, tree)) return touch(unit)
    const { hash, file, inputs, rendered } = await makeWhole(board, unit)
    const fault = rendered.problems.find(({ type }) => type === 'configuration')
    tellFault(board, unit, fault)
    if (hash !== memo.desired?.hash) unit.cause = trigger
    if (fault === undefined) await remember(board, unit, { desired: { hash, file, inputs } })
  } catch (thrown) {
    tellFault(board, unit, factsOf(problemOf(thrown)))
  }
}

function touch(unit: Unit): void {
  unit.isTouched = true
}

function tellFault(board: Board, unit: Unit, fault: Unit['fault']): void {
  const isNew = fault !== undefined && fault.message !== unit.fault?.message
  unit.fault = fault
  unit.isTouched = true
  if (!isNew) return
  const { log } = board.parts
  log('error', 'can not be read', { app: unit.key, error: fault.message, file: fault.at?.file })
}

/** Throws a problem. */
export async function makeDesired(board: Board, unit: Unit): Promise<Made> {
  const { declared, branch } = unit
  if (declared === undefined || branch?.snapshot === undefined) throw unread(unit)
  const { tree } = branch.snapshot
  const craft = craftOf(board, unit)
  const how = howFor(board, unit)
  const about = craft.aboutOf(declared, how)
  const known = unit.made
  const before = known?.tree === tree && known.about === about ? known.made.deref() : undefined
  const made = before ?? (await craft.render(declared, branch.snapshot, how))
  board.recent.keep(made, made.rendered.resources.length)
  if (before === undefined) unit.made = { tree, about, made: new WeakRef(made) }
  return made
}

/** Rendered once more where what the first one lacked could be got. Throws a problem. */
export async function makeWhole(board: Board, unit: Unit): Promise<Made> {
  const made = await makeDesired(board, unit)
  const { declared, branch } = unit
  const craft = craftOf(board, unit)
  const isLacking = made.rendered.problems.some(({ code }) => code === 'unsupported')
  if (!isLacking || !declared || !branch?.snapshot) return made
  if ((await craft.prepare?.(declared, branch.snapshot, board.stop)) !== true) return made
  unit.made = undefined
  return await makeDesired(board, unit)
}

/** What was last applied with success, from its source where that still says it, else as it was kept. */
export async function renderInForce(board: Board, unit: Unit): Promise<Rendered | undefined> {
  const { memo, application, fault } = unit
  if (memo.synced !== undefined && memo.synced.hash === memo.desired?.hash && !fault) {
    const made = await makeDesired(board, unit)
    if (made.hash === memo.synced.hash) return made.rendered
  }
  const past = await lastGood(application, board.parts.store)
  return past?.run.outcome === 'succeeded'
    ? renderedFrom(past.snapshot, seedFor(board, unit))
    : undefined
}

function unread({ key }: Unit): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `the source of ${key} is not read yet`,
    suggestion: 'try again when its repository can be reached',
    recoverable: true,
  })
}
