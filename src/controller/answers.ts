/** The two answers to "how is it?" of one application of the service: sync and health, each with a reason and since when. */
import { healthAfterRun } from '#engine/assess.ts'
import type { Health, Since, Sync } from '#model/assessment.ts'
import { isUnwell, type AppHealth } from '#model/service.ts'
import { healthOfContainers, type ContainersHealth } from './app-health.ts'
import type { Judgement } from './judge.ts'
import type { Unit } from './unit.ts'

type Answers = { readonly sync: Sync & Since; readonly health: AppHealth }

/** Kept in the memo too: a state that did not change has not begun anew because the service did. */
export function answersOf(unit: Unit, judgement: Judgement, now: number): Answers {
  const { memo } = unit
  const sync = syncOf(unit, judgement)
  const health = unit.health?.health ?? unlooked
  const before = memo.answers
  const syncSince = before?.sync.state === sync.state ? before.sync.since : now
  const healthSince = before?.health.state === health.state ? before.health.since : now
  const whole = { ...health, since: healthSince, isGivenUp: false }
  const wentBack = wentBackIn(memo)
  const isGivenUp = (isUnwell({ health: whole }) && memo.help?.isOver === true) || wentBack
  const details = wentBack ? memo.failure?.details : undefined
  return {
    sync: { ...sync, since: syncSince },
    health: { ...whole, isGivenUp, ...(details === undefined ? {} : { details }) },
  }
}

/** What its source says was not well here, and is not tried again by itself. */
export function wentBackIn({ failure, desired, help }: Unit['memo']): boolean {
  if (failure?.isRolledBack !== true || failure.hash !== desired?.hash) return false
  return help?.isOver === true && help.hash === failure.hash
}

const unlooked: Health = { state: 'unknown', reason: 'it was not looked at yet' }

/** Whatever else its state says: does what runs equal what was declared? */
function syncOf(unit: Unit, { state, reason }: Judgement): Sync {
  const { memo, drift, post, missing } = unit
  switch (state) {
    case 'synced':
    case 'drifted':
      if (!isSeen(unit)) return { state: 'unknown', reason: comparing }
      return { state: isAllMissing(unit) ? 'missing' : state, reason }
    case 'missing':
      return { state, reason }
    case 'syncing':
      return { state, reason }
    case 'deleting':
      return { state: 'syncing', reason: 'it is being removed' }
    case 'failed':
    case 'suspended': {
      const problem = post?.problem()
      if (problem !== undefined) return { state: 'unknown', reason: problem.message }
      if (isAllMissing(unit) || memo.synced === undefined) {
        return { state: 'missing', reason: missing.length > 0 ? (drift ?? reason) : reason }
      }
      if (drift !== undefined) return { state: 'drifted', reason: drift }
      const isApplied = memo.desired === undefined || memo.desired.hash === memo.synced.hash
      return isApplied ? { state: 'synced', reason: '' } : { state: 'drifted', reason }
    }
  }
}

const comparing = 'it is being compared with what runs'

/** What was applied before this process began is believed when it was looked at. */
function isSeen({ isCompared, memo }: Unit): boolean {
  return isCompared || memo.synced === undefined
}

/** Containers are declared, and none of them is there. */
function isAllMissing({ missing, seen }: Unit): boolean {
  return missing.length > 0 && (seen?.listed ?? []).length === 0
}

/** From what was seen and heard last: no call is made. */
export function healthOfUnit(unit: Unit, now: number): ContainersHealth {
  const { post, seen, memo, missing, underWay } = unit
  const problem = post?.problem()
  if (problem !== undefined) return only({ state: 'unknown', reason: problem.message })
  // half of a change says nothing: how it was before counts until the run has ended
  if (underWay !== undefined && unit.health !== undefined) return unit.health
  if (memo.isRemoved) return only({ state: 'unknown', reason: 'it was removed' })
  const listed = seen?.listed ?? []
  if (listed.length + missing.length === 0 && !isSeen(unit)) {
    return only({ state: 'unknown', reason: comparing })
  }
  if (seen?.listed === undefined && missing.length === 0) {
    if (memo.synced === undefined && memo.lastRun === undefined) {
      return only({ state: 'unknown', reason: 'it was never synced' })
    }
    const reason = memo.failure?.reason ?? memo.lastRun?.problem?.message ?? ''
    return only(healthAfterRun(lastOutcome(memo), reason))
  }
  if (post === undefined) return only({ state: 'unknown', reason: 'it is not known where it runs' })
  return healthOfContainers(listed, missing, post.book, now)
}

/** A try of something that is no longer wanted says nothing of what is in force. */
function lastOutcome({ failure, desired, synced, lastRun }: Unit['memo']) {
  if (desired === undefined || synced === undefined) return lastRun?.outcome
  const isApplied = desired.hash === synced.hash && failure?.hash !== desired.hash
  return isApplied ? 'succeeded' : lastRun?.outcome
}

function only(health: Health): ContainersHealth {
  return { health, each: new Map(), unwell: [], isLooping: false, until: undefined }
}
