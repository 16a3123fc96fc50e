/** Decides from facts alone what is to be done with one application now, and which state it is shown with. Pure. */
import type { Trigger } from '#model/event.ts'
import type { State } from '#model/service.ts'
import { remedyFor, type Remedy, type RemedyFacts } from './remedy.ts'
import { isInForce, stillToCome, type Failure } from './backoff.ts'

export type Facts = {
  readonly now: number
  /** What is being done with it at this moment. */
  readonly underWay: 'sync' | 'removal' | 'help' | undefined
  /** False while syncs are switched off for the whole service. */
  readonly isEnabled: boolean
  readonly isSuspended: boolean
  /** Set when it was in its source and is not there any more. */
  readonly gone:
    | {
        readonly isRemoved: boolean
        /** Whether something of it still runs; undefined where that is not known. */
        readonly isRunning?: boolean | undefined
        /** False where removals are switched off: then nothing is removed, whoever asks. */
        readonly mayRemove: boolean
        /** Why it is left alone unless somebody asks; undefined: it is to be removed. */
        readonly keptBecause: string | undefined
        /** Its object exists and is faulty, so it is not gone for good: a request for a run must not remove it. */
        readonly isInTrouble?: boolean | undefined
      }
    | undefined
  /** The trigger of a run that somebody asked for. */
  readonly asked: Trigger | undefined
  /** The trigger that a run gets which nobody asked for. */
  readonly cause: Trigger
  /** Why its declaration can't be read. */
  readonly fault: string | undefined
  /** Hash of what its source declares; undefined while that is not known. */
  readonly desired: string | undefined
  /** The newest snapshot is being rendered. */
  readonly isRendering?: boolean
  /** Why its source can't be read. */
  readonly unread: string | undefined
  readonly synced: string | undefined
  /** The last run was cut off. */
  readonly isHalfDone: boolean
  /** The hash that somebody rolled back from: it is not applied again unless it is asked for. */
  readonly leftBehind: string | undefined
  readonly failure: Failure | undefined
  /** How many changes of the runtime (an engine that came back) were counted by now. A failure notes the number at its time. */
  readonly epoch: number
  /** Why its engine can't be reached. */
  readonly engineProblem: string | undefined
  /** How what runs differs from what was last applied. */
  readonly drift: string | undefined
  /** When drift may be repaired next, ms: repairs that did not hold make the next one wait. */
  readonly repairAt: number
  readonly driftPolicy: 'revert' | 'flag' | 'ignore'
  readonly flagsEverything: boolean
  /** The hash that was acknowledged. */
  readonly acknowledged: string | undefined
  readonly waitsFor: readonly string[]
  /** What another service with our name made of it. */
  readonly rival?: string | undefined
  /** Undefined: its health is known from its runs alone. */
  readonly health?: RemedyFacts | undefined
  window(): Opening
}

/** Whether a sync window is open, and when that changes; undefined where no change is known. */
export type Opening = { readonly isOpen: boolean; readonly until: number | undefined }

/** `inForce`: what was last applied with success, once more. */
export type RunGoal = 'desired' | 'inForce' | 'removal'

export type Decision = {
  readonly state: State
  readonly reason: string
  readonly needsAcknowledgement: boolean
  readonly run: { readonly work: RunGoal; readonly trigger: Trigger } | undefined
  /** The remedy that is applied because it is not healthy. */
  readonly help?: Remedy['what']
  /** When to decide again if nothing happens before, ms. */
  readonly until: number | undefined
  /** It is due and waits for other applications, and begins by itself after them. */
  readonly isNext?: boolean
  /** When a window opens, ms, where one is waited for; undefined: nobody knows. */
  readonly opens?: number | undefined
}

export function decide(facts: Facts): Decision {
  const { underWay, isSuspended, gone, asked, fault, desired, engineProblem } = facts
  if (underWay === 'removal') return stays('deleting', '')
  if (underWay === 'sync') return stays('syncing', '')
  if (isSuspended) return stays('suspended', 'suspended')
  if (gone !== undefined) return decideGone(facts, gone)
  if (underWay === 'help') return stays(standing(facts, 'synced'), 'it is not well, and gets help')
  if (asked === 'rollback' || asked === 'health') return runs(facts, 'inForce', asked)
  if (fault !== undefined) return keeping(facts, stays('failed', fault))
  if (desired === undefined) {
    const isDrifted = facts.drift !== undefined && facts.driftPolicy !== 'ignore'
    const { unread } = facts
    const wait = facts.isRendering === true ? 'it is being rendered' : 'its source is not read yet'
    const reason = unread === undefined ? wait : `its source can't be read: ${unread}`
    return stays(standing(facts, isDrifted ? 'drifted' : 'synced'), reason)
  }
  if (asked !== undefined) return runs(facts, 'desired', asked)
  if (engineProblem !== undefined) return stays('failed', engineProblem)
  const isDue = facts.synced !== desired || facts.isHalfDone
  const isNew = isDue && facts.leftBehind !== desired && facts.failure?.hash !== desired
  // two that put right what the other one did would never end
  if (facts.rival !== undefined && !isNew) return stays('failed', facts.rival)
  if (isDue && facts.leftBehind !== desired) {
    const due = decideDue(facts, desired)
    const isBack = facts.failure?.hash === desired && isInForce(facts.failure)
    // what was put back, or never touched, is looked after as what is wanted would be
    return isBack && due.run === undefined && facts.drift === undefined
      ? helped(due, helpNow(facts))
      : due
  }
  const help = helpNow(facts)
  if (help.what === 'rollback' || help.what === 'give up')
    return helped(stood(facts, desired), help)
  const standingNow = stood(facts, desired)
  return facts.drift === undefined && standingNow.run === undefined
    ? helped(standingNow, help)
    : standingNow
}

/** Nothing is changed while a window is closed: also what is not well waits. */
function helpNow(facts: Facts): Remedy {
  if (facts.health === undefined) return { what: undefined }
  const help = remedyFor(facts.health)
  if (help.what !== 'restart' && help.what !== 'rollback') return help
  const { isOpen, until } = facts.window()
  if (isOpen) return help
  return { what: undefined, until: Math.min(until ?? Infinity, facts.now + windowPause) }
}

function helped(decision: Decision, { what, until }: Remedy): Decision {
  const next = Math.min(decision.until ?? Infinity, until ?? Infinity)
  return {
    ...decision,
    until: next === Infinity ? undefined : next,
    ...(what === undefined ? {} : { help: what, run: undefined }),
  }
}

/** How it stands when nothing new is wanted of it. */
function stood(facts: Facts, desired: string): Decision {
  const isDue = facts.synced !== desired || facts.isHalfDone
  if (facts.drift !== undefined) return decideDrift(facts, facts.drift, desired)
  const { failure, now } = facts
  const provenAt = stillToCome(failure?.provenAt ?? 0, now)
  if (failure?.hash === desired && failure.provenAt !== undefined && provenAt > now) {
    return stays('failed', failure.reason, provenAt)
  }
  if (isDue) {
    const reason = 'rolled back by hand: waits for a new revision or a sync'
    return stays(standing(facts, 'synced'), reason)
  }
  return stays('synced', '')
}

function decideGone(facts: Facts, gone: NonNullable<Facts['gone']>): Decision {
  const { asked, isEnabled, engineProblem, now } = facts
  // what failed before it was to go makes its end wait for nothing
  const failure = facts.failure?.hash === removalHash ? facts.failure : undefined
  if (gone.isRemoved) return stays('missing', 'removed: it is no longer in its source')
  const left = gone.isRunning === false ? leftStopped : leftRunning
  if (!gone.mayRemove) return stays('missing', `${left}: removing is not switched on for it`)
  const isAsked = asked !== undefined && gone.isInTrouble !== true
  if (gone.keptBecause !== undefined && !isAsked) {
    return stays('missing', `${left}: ${gone.keptBecause}`)
  }
  if (!isEnabled && !isAsked) {
    return stays('missing', `${left}: sync is switched off`)
  }
  if (isAsked) return runs(facts, 'removal', asked)
  if (engineProblem !== undefined) return stays('failed', engineProblem)
  const wait = failure === undefined ? undefined : waitAfter(failure, facts)
  if (failure !== undefined && wait !== now) return stays('failed', failure.reason, wait)
  const window = facts.window()
  if (!window.isOpen) return waitsForWindow(facts, window, 'missing', left)
  return runs(facts, 'removal', facts.cause)
}

const leftRunning = 'no longer in its source, and left running'
const leftStopped = 'no longer in its source, and left as it is (nothing of it runs)'

/** By which the failures of a removal are known. */
export const removalHash = 'removal'

function decideDue(facts: Facts, desired: string): Decision {
  const { now, isEnabled, flagsEverything, acknowledged, failure, waitsFor } = facts
  if (!isEnabled) return stays(standing(facts, 'drifted'), `${notApplied}: sync is switched off`)
  if (flagsEverything && acknowledged !== desired) return flagged()
  if (failure !== undefined && failure.hash === desired) {
    const wait = waitAfter(failure, facts)
    if (wait !== now) return decideFailed(facts, failure, wait)
  }
  if (waitsFor.length > 0) {
    return {
      ...stays(standing(facts, 'syncing'), `waits for ${waitsFor.join(', ')}`),
      isNext: true,
    }
  }
  const window = facts.window()
  if (!window.isOpen) return waitsForWindow(facts, window, standing(facts, 'drifted'))
  return runs(facts, 'desired', facts.cause)
}

/** What ran before was put back, or never touched: that is still kept as it is. */
function decideFailed(facts: Facts, failure: Failure, until: number | undefined): Decision {
  const failed = stays('failed', failure.reason, until)
  return isInForce(failure) ? keeping(facts, failed) : failed
}

/** What is in force is kept, though the newest can't be had. */
function keeping(facts: Facts, failed: Decision): Decision {
  const { now, drift, driftPolicy, isEnabled, flagsEverything, engineProblem } = facts
  const isKept = drift !== undefined && driftPolicy === 'revert' && isEnabled && !flagsEverything
  const isLeft = engineProblem !== undefined || facts.rival !== undefined
  if (!isKept || isLeft || !facts.window().isOpen) return failed
  const repairAt = stillToCome(facts.repairAt, now)
  if (repairAt > now) return { ...failed, until: Math.min(repairAt, failed.until ?? repairAt) }
  return { ...failed, run: { work: 'inForce', trigger: 'drift' } }
}

function decideDrift(facts: Facts, drift: string, desired: string): Decision {
  const { now, isEnabled, driftPolicy, acknowledged, failure } = facts
  if (driftPolicy === 'ignore') return stays(standing(facts, 'synced'), '')
  if (!isEnabled) return stays('drifted', `${drift}, and left so: sync is switched off`)
  const needsWord = driftPolicy === 'flag' || facts.flagsEverything
  if (needsWord && acknowledged !== desired) {
    return { ...stays('drifted', drift), needsAcknowledgement: true }
  }
  if (failure !== undefined && failure.hash === desired) {
    const wait = waitAfter(failure, facts)
    if (wait !== now) return stays('failed', failure.reason, wait)
  }
  const isUnheld = failure?.hash === desired && failure.provenAt !== undefined
  const repairAt = stillToCome(facts.repairAt, now)
  if (repairAt > now && !isUnheld) return stays('drifted', drift, repairAt)
  const window = facts.window()
  if (!window.isOpen) return waitsForWindow(facts, window, 'drifted', `${drift}, and left so`)
  const repair = runs(facts, facts.leftBehind === desired ? 'inForce' : 'desired', 'drift')
  // the next try is not yet a recovery
  return isUnheld ? { ...repair, state: 'failed', reason: failure.reason } : repair
}

/** Now, later, or not by itself. */
function waitAfter(failure: Failure, { now, epoch }: Facts): number | undefined {
  const isDueAgain = failure.isPassing || failure.epoch !== epoch
  return isDueAgain ? Math.max(now, stillToCome(failure.nextTry, now)) : undefined
}

/** Clocks are set: no window is waited for longer than this without a look. */
const windowPause = 15 * 60_000

function waitsForWindow(
  { now }: Facts,
  window: Opening,
  state: State,
  what = notApplied,
): Decision {
  const { until: opens } = window
  const reason = `${what}: its window is closed${opens === undefined ? '' : ` until ${minuteOf(opens)}`}`
  return { ...stays(state, reason, Math.min(opens ?? Infinity, now + windowPause)), opens }
}

const notApplied = 'what its source says is not applied'

/** `2026-03-01 22:00 UTC`. */
function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function flagged(): Decision {
  const reason = 'drift detected, awaiting acknowledgement'
  return { ...stays('drifted', reason), needsAcknowledgement: true }
}

/** What never came up is missing, whatever it waits for. */
function standing({ synced }: Facts, otherwise: State): State {
  return synced === undefined ? 'missing' : otherwise
}

function stays(state: State, reason: string, until?: number): Decision {
  return { state, reason, needsAcknowledgement: false, run: undefined, until }
}

/** Until it is its turn, what drifted stands as it stood; whatever else is to come is no drift. */
function runs(facts: Facts, work: RunGoal, trigger: Trigger): Decision {
  const stood = standing(facts, trigger === 'drift' ? 'drifted' : 'syncing')
  const state = work === 'removal' ? 'deleting' : stood
  return { ...stays(state, 'waits for its turn'), run: { work, trigger } }
}
