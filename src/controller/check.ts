/** Whether what runs is what was applied: told by the look at a whole engine, and by a plan only where that changed. */
import { preview } from '#engine/preview.ts'
import type { Plan } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import { breather } from '#sources/breather.ts'
import { isInForce } from './backoff.ts'
import { remember, type Board } from './board.ts'
import { isAtHand, renderInForce } from './desired.ts'
import type { Rendered } from '#model/domain.ts'
import type { Post } from './post.ts'
import { sparing } from './proven.ts'
import { refreshDesired } from './refresh.ts'
import { tellUnheld } from './unheld.ts'
import type { Unit } from './unit.ts'

/** After a look. Those that are under way look for themselves when they end. */
export async function checkAll(board: Board, post: Post): Promise<void> {
  const sight = post.sight()
  const breathe = breather()
  for (const unit of board.units.values()) {
    if (unit.post !== post) continue
    unit.isTouched = true
    if (sight === undefined) continue
    if (unit.underWay === undefined) await checkInTurn(board, unit)
    else unit.seen = sight.apps.get(unit.owner)
    await breathe()
  }
}

/** One that has to be rendered for it is compared beside the others, which do not wait for that. */
async function checkInTurn(board: Board, unit: Unit): Promise<void> {
  if (isClean(unit) || isAtHand(board, unit)) return check(board, unit)
  if (unit.isChecking === true) return
  unit.isChecking = true
  void check(board, unit).finally(() => {
    unit.isChecking = false
    board.wake()
  })
}

/** As it was when it was last found to be as applied. */
function isClean({ memo, post, owner }: Unit): boolean {
  const fingerprint = post?.sight()?.apps.get(owner)?.fingerprint ?? 'nothing'
  const { synced, clean } = memo
  if (synced === undefined) return true
  return clean?.hash === synced.hash && clean.fingerprint === fingerprint
}

/** Says in the unit what drifted. */
export async function check(board: Board, unit: Unit): Promise<void> {
  const { post } = unit
  const sight = post?.sight()
  if (sight === undefined) return
  unit.seen = sight.apps.get(unit.owner)
  unit.isTouched = true
  await believeLabels(board, unit)
  const { memo, seen } = unit
  const hash = memo.synced?.hash
  const fingerprint = seen?.fingerprint ?? 'nothing'
  if (hash === undefined || !isKept(unit)) return drifts(board, unit, undefined)
  if (memo.clean?.hash === hash && memo.clean.fingerprint === fingerprint) {
    drifts(board, unit, undefined)
    return tellUnheld(board, unit)
  }
  try {
    const drift = await driftOf(board, unit)
    drifts(board, unit, drift)
    if (drift !== undefined && unit.underWay === undefined) await tellUnheld(board, unit)
    if (drift === undefined) await remember(board, unit, { clean: { hash, fingerprint } })
  } catch (thrown) {
    const why = problemOf(thrown).message
    board.parts.log('debug', 'could not be compared with what runs', { app: unit.key, why })
  }
}

/** Half of something new is no drift: that is for the next try. */
function isKept({ memo, declared, isGone }: Unit): boolean {
  if (declared === undefined || declared.policy.drift === 'ignore' || isGone) return false
  if (memo.begun !== undefined) return false
  const { desired, synced, failure, leftBehind } = memo
  if (desired?.hash === synced?.hash) return true
  return leftBehind === desired?.hash || isInForce(failure)
}

function drifts(board: Board, unit: Unit, drift: string | undefined): void {
  if (drift !== undefined && unit.drift === undefined) {
    board.metrics.count('tend_drift_total', { kind: unit.application.kind })
    board.parts.log('info', 'drifted', { app: unit.key, what: drift })
  }
  unit.drift = drift
}

/** Truth is on the resources: what they tell counts before what is remembered. */
async function believeLabels(board: Board, unit: Unit): Promise<void> {
  const { memo, seen } = unit
  const { mark, since } = seen ?? {}
  if (since !== undefined && since !== memo.since) {
    await remember(board, unit, { since })
    await refreshDesired(board, unit, unit.cause).begun
  }
  if (mark === undefined || mark.hash === '' || memo.isRemoved) return
  const isNewer = memo.synced === undefined || mark.at > memo.synced.at
  if (!isNewer || mark.hash === memo.synced?.hash) return
  const { revision, hash, at } = mark
  const message = unit.branch?.status.revision === revision ? unit.branch.status.message : ''
  await remember(board, unit, { synced: { revision, message, hash, at }, failure: undefined })
}

const patience = 8_000

async function driftOf(board: Board, unit: Unit): Promise<string | undefined> {
  const rendered = await renderInForce(board, unit)
  if (rendered === undefined) return undefined
  const { groups, skipped } = await planFor(
    board,
    unit,
    await sparing(board, unit, rendered),
    AbortSignal.any([board.stop, AbortSignal.timeout(patience)]),
  )
  const [first] = groups
  if (first !== undefined) {
    const more = groups.length > 1 ? ` (and ${groups.length - 1} more)` : ''
    return `${first.ref}: ${first.cause}${more}`
  }
  // who was overtaken by another has to say so
  const lost = skipped.find(({ problem }) => problem.code === 'held')
  if (lost !== undefined) return `${lost.ref}: ${lost.problem.message}`
  return unit.post?.connection().mark !== undefined && unit.seen?.mark === undefined
    ? 'its record of the last sync is missing'
    : undefined
}

/** What a run would do now. */
export async function planFor(
  board: Board,
  unit: Unit,
  rendered: Rendered,
  signal: AbortSignal,
): Promise<Plan> {
  const { application, owner, memo, branch } = unit
  const { kind, target } = unit.post!.connection().ports(owner, unit.declared)
  const { instance } = board.parts
  const revision = branch?.status.revision ?? ''
  const asked = { application, instance, rendered, revision, since: memo.since }
  const { plan } = await preview(asked, { kind, target }, signal)
  return plan
}
