/** The two answers to "how is it?" of one application of the service: sync and health, each with a reason and since when. */
import { healthAfterRun } from '#engine/assess.ts'
import type { Health, Since, Sync } from '#model/assessment.ts'
import { isUnwell, type AppHealth } from '#model/service.ts'
import { healthOfContainers, type ContainersHealth } from '../monitor/app-health.ts'
import { isInForce, isLeftHalf, isOfHealth } from './backoff.ts'
import type { Decision } from './decide.ts'
import type { AppState } from '../state/app-state.ts'
import { gateWait } from '../state/gate-waits.ts'

type Answers = { readonly sync: Sync & Since; readonly health: AppHealth }

/** Kept with the persisted state too: a state that did not change has not begun anew because the service did. */
export function answersOf(app: AppState, decision: Decision, now: number): Answers {
  const { persisted } = app
  const sync = syncOf(app, decision)
  const health = givenUp(app, app.health?.health ?? unlooked)
  const before = persisted.answers
  const syncSince = before?.sync.state === sync.state ? before.sync.since : now
  const healthSince = before?.health.state === health.state ? before.health.since : now
  const whole = { ...health, since: healthSince, isGivenUp: false }
  const wentBack = wentBackIn(persisted)
  const isGivenUp = (isUnwell({ health: whole }) && persisted.help?.isOver === true) || wentBack
  const details = wentBack ? persisted.failure?.details : undefined
  return {
    sync: { ...sync, since: syncSince },
    health: { ...whole, isGivenUp, ...(details === undefined ? {} : { details }) },
  }
}

/** What runs and does not work, and is left so after all help, is degraded: it is there, and somebody has to look. */
function givenUp({ persisted, seen }: AppState, health: Health): Health {
  const { help, synced } = persisted
  // where policy says only to tell, no help was tried that could be used up
  const isOver = help?.isOver === true && help.count > 0 && help.hash === synced?.hash
  const isThere = (seen?.listed ?? []).length > 0
  return isOver && isThere && health.state === 'failed' ? { ...health, state: 'degraded' } : health
}

/** What its source says was not well here, and is not tried again by itself. */
export function wentBackIn({ failure, desired, help }: AppState['persisted']): boolean {
  if (failure?.isRolledBack !== true || failure.hash !== desired?.hash) return false
  // an earlier release told it by the help that was given
  return failure.wentBack === true || (help?.isOver === true && help.hash === failure.hash)
}

const unlooked: Health = { state: 'unknown', reason: 'it was not looked at yet' }

/** Whatever else its state says: does what runs equal what was declared? */
function syncOf(app: AppState, { state, reason }: Decision): Sync {
  const { persisted, drift, monitor, missing } = app
  switch (state) {
    case 'synced':
    case 'drifted':
      if (!isSeen(app)) return { state: 'unknown', reason: comparing }
      if (isAllMissing(app)) return { state: 'missing', reason }
      return state === 'drifted' && drift === undefined ? behind(app, reason) : { state, reason }
    case 'missing':
      return { state, reason }
    case 'syncing':
      return { state, reason: reason || gateWait(app) }
    case 'deleting':
      return { state: 'syncing', reason: 'it is being removed' }
    case 'failed':
    case 'suspended': {
      const problem = monitor?.problem()
      if (problem !== undefined) return { state: 'unknown', reason: problem.message }
      if (isAllMissing(app) || persisted.synced === undefined) {
        return { state: 'missing', reason: missing.length > 0 ? (drift ?? reason) : reason }
      }
      if (drift !== undefined) return { state: 'drifted', reason: drift }
      if (!isNewerThere(app)) return { state: 'synced', reason: '' }
      return behind(app, state === 'suspended' ? newerWaits : reason)
    }
  }
}

const newerWaits = 'its source has something newer, which waits until it is resumed'

function behind(app: AppState, reason: string): Sync {
  return { state: 'drifted', reason, ...(isNewerThere(app) ? { isBehind: true } : {}) }
}

function isNewerThere({ persisted: { desired, synced } }: AppState): boolean {
  return desired !== undefined && desired.hash !== synced?.hash
}

const comparing = 'it is being compared with what runs'

/** What was applied before this process began is believed when it was looked at. */
function isSeen({ isCompared, persisted }: AppState): boolean {
  return isCompared || persisted.synced === undefined
}

/** Containers are declared, and none of them is there. */
function isAllMissing({ missing, seen }: AppState): boolean {
  return missing.length > 0 && (seen?.listed ?? []).length === 0
}

/** From what was seen and heard last: no call is made. */
export function healthOfApp(app: AppState, now: number): ContainersHealth {
  const { monitor, seen, persisted, missing, underWay } = app
  const problem = monitor?.problem()
  if (problem !== undefined) return only({ state: 'unknown', reason: problem.message })
  // half of a change says nothing: how it was before counts until the run has ended
  if (underWay !== undefined && app.health !== undefined) return app.health
  if (persisted.isRemoved) return only({ state: 'unknown', reason: 'it was removed' })
  const listed = seen?.listed ?? []
  const isNothing = listed.length + missing.length === 0
  if (isNothing && !isSeen(app)) return only({ state: 'unknown', reason: comparing })
  // that none of its containers is unwell says nothing of what never ran
  const isUnproven = isNothing && persisted.synced === undefined
  if ((seen?.listed === undefined && missing.length === 0) || isUnproven) {
    if (persisted.synced === undefined && persisted.lastRun === undefined) {
      return only({ state: 'unknown', reason: 'it was never synced' })
    }
    const outcome = lastOutcome(persisted)
    // what a run waited for in vain is not on its way: it is not well until it is
    const isInVain = outcome === 'failed' && !isInForce(persisted.failure)
    const reason = persisted.failure?.reason ?? persisted.lastRun?.problem?.message ?? ''
    if (seen?.health !== undefined && !(isInVain && seen.health.state === 'progressing')) {
      const isDoubtful = isHalfMade(persisted) && seen.health.state === 'healthy'
      return only(isDoubtful ? { state: 'degraded', reason } : seen.health)
    }
    return only(healthAfterRun(outcome, reason))
  }
  if (monitor === undefined)
    return only({ state: 'unknown', reason: 'it is not known where it runs' })
  const failure = isLeftHalf(persisted) ? persisted.failure?.reason : undefined
  const known = healthOfContainers(listed, missing, monitor.records, now, failure)
  // what runs of it may be well: nobody knows yet what is not there
  const isDoubtful = failure !== undefined && !app.isCompared && known.health.state === 'healthy'
  return isDoubtful ? { ...known, health: { state: 'degraded', reason: failure } } : known
}

/** The first run could not apply all of it: that what is there is well says nothing of what is not. */
function isHalfMade(persisted: AppState['persisted']): boolean {
  const { synced, failure } = persisted
  if (synced !== undefined || failure === undefined || failure.isPruning === true) return false
  return isLeftHalf(persisted) && !isOfHealth(failure)
}

/** A try of something that is no longer wanted says nothing of what is in force. */
function lastOutcome({ failure, desired, synced, lastRun }: AppState['persisted']) {
  if (desired === undefined || synced === undefined) return lastRun?.outcome
  const isApplied = desired.hash === synced.hash && failure?.hash !== desired.hash
  return isApplied ? 'succeeded' : lastRun?.outcome
}

function only(health: Health): ContainersHealth {
  return { health, each: new Map(), unwell: [], isLooping: false, until: undefined }
}
