/** Whether what runs is what was applied: told by the look at a whole engine, and by a plan only where that changed. */
import { isEnd, startsUntil } from '#domains/containers/health.ts'
import { preview, type Preview } from '#engine/preview.ts'
import type { Plan } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
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
function isClean({ memo, post, owner, provenAfter = 0 }: Unit): boolean {
  const fingerprint = post?.sight()?.apps.get(owner)?.fingerprint ?? 'nothing'
  const { synced, clean } = memo
  if (synced === undefined) return true
  // no list tells of everything: a limit that was changed by hand is heard, and not seen
  if (provenAfter !== (post?.changes(owner) ?? 0)) return false
  return clean?.hash === synced.hash && clean.fingerprint === proof(fingerprint)
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
  if (hash === undefined || !isKept(unit)) {
    unit.missing = []
    // before it is known as declared there is nothing to compare with
    unit.isCompared ||= unit.declared !== undefined
    return drifts(board, unit, undefined)
  }
  if (isClean(unit)) {
    unit.missing = []
    unit.isCompared = true
    drifts(board, unit, undefined)
    return tellUnheld(board, unit)
  }
  const changes = post?.changes(unit.owner) ?? 0
  try {
    const { drift, missing, isClean: isProven } = await comparedWith(board, unit)
    unit.missing = missing
    unit.isCompared = true
    // what is not there does not work, though it is to be left so
    const isIgnored = unit.declared?.policy.drift === 'ignore'
    drifts(board, unit, isIgnored ? undefined : drift)
    if (unit.drift !== undefined && unit.underWay === undefined) await tellUnheld(board, unit)
    if (isProven) unit.provenAfter = changes
    if (isProven) await remember(board, unit, { clean: { hash, fingerprint: proof(fingerprint) } })
  } catch (thrown) {
    const why = problemOf(thrown).message
    board.parts.log('debug', 'could not be compared with what runs', { app: unit.key, why })
  }
}

/** A proof of an earlier release may rest on a comparison that passed over what was in somebody's way. */
function proof(fingerprint: string): string {
  return `2:${fingerprint}`
}

/** Half of something new is no drift: that is for the next try. */
function isKept({ memo, declared, isGone }: Unit): boolean {
  if (declared === undefined || isGone) return false
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

type Compared = {
  readonly drift: string | undefined
  /** Containers that are declared and not there. */
  readonly missing: readonly Ref[]
  /** Everything was compared, and it is as applied. */
  readonly isClean: boolean
}

async function comparedWith(board: Board, unit: Unit): Promise<Compared> {
  const rendered = await renderInForce(board, unit)
  // nothing is kept of what was applied: that it is there can't be said either
  if (rendered === undefined) return { drift: undefined, missing: [], isClean: false }
  const { plan, world } = await previewFor(
    board,
    unit,
    await sparing(board, unit, rendered),
    AbortSignal.any([board.stop, AbortSignal.timeout(patience)]),
  )
  const missing = rendered.resources
    .map(({ ref }) => ref)
    .filter((ref) => kindOf(ref) === 'container' && world.get(ref)?.kind === 'absent')
  const groups = plan.groups.filter(({ ref }) => !isComing(unit, ref, board.parts.clock.now()))
  const drift = driftIn({ ...plan, groups }, world, unit)
  const isWhole = groups.length === plan.groups.length && plan.skipped.length === 0
  return { drift, missing, isClean: drift === undefined && isWhole }
}

/** It ended, and its engine may be about to start it again: that is no drift yet. */
function isComing({ seen, post }: Unit, ref: Ref, now: number): boolean {
  const one = seen?.listed?.find((listed) => listed.ref === ref)
  if (one === undefined || post === undefined || !isEnd(one.state)) return false
  const { book } = post
  const until = startsUntil({ ...one, endedAt: book.endedAt(one.id) }, book.ends(one.id))
  return until !== undefined && now < until
}

function driftIn({ groups, skipped }: Plan, world: Observation, unit: Unit): string | undefined {
  const [first] = groups
  if (first !== undefined) {
    const more = groups.length > 1 ? ` (and ${groups.length - 1} more)` : ''
    return `${first.ref}: ${first.cause}${more}`
  }
  // who was overtaken by another has to say so, and what is not there is not there, whoever is in its way
  const lost = skipped.find(
    ({ ref, problem }) => problem.code === 'held' || world.get(ref)?.kind === 'absent',
  )
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
  return (await previewFor(board, unit, rendered, signal)).plan
}

export async function previewFor(
  board: Board,
  unit: Unit,
  rendered: Rendered,
  signal: AbortSignal,
): Promise<Preview> {
  const { application, owner, memo, branch } = unit
  const { kind, target } = unit.post!.connection().ports(owner, unit.declared)
  const { instance } = board.parts
  const revision = branch?.status.revision ?? ''
  const asked = { application, instance, rendered, revision, since: memo.since }
  return preview(asked, { kind, target }, signal)
}
