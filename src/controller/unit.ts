/** One application of the service, as it is known at this moment. */
import { keyOf, ownerOf, type Application } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import { codes, type Code, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Allowed, AppStatus, SyncAnswer } from '#model/service.ts'
import type { Past } from '#store/past.ts'
import type { Branch } from './branches.ts'
import { sentenceOf } from './backoff.ts'
import type { Tree } from '#model/tree.ts'
import { kindNamed } from '#kinds/all.ts'
import type { Seen } from '#model/connection.ts'
import type { Made } from './made.ts'
import type { Judgement, Opening } from './judge.ts'
import { judge } from './judge.ts'
import { answersOf, healthOfUnit, wentBackIn } from './answers.ts'
import type { ContainersHealth } from './app-health.ts'
import type { HelpFacts, HelpPace } from './help.ts'
import type { Memo } from './memo.ts'
import type { Post } from './post.ts'
import type { FailedRender, Refresh } from './refresh.ts'

export type Unit = {
  readonly key: string
  readonly application: Application
  readonly owner: string
  /** Undefined when it is only known from before. */
  declared: Declared | undefined
  branch: Branch | undefined
  post: Post | undefined
  memo: Memo
  /** Its source was read, and it is not in it. */
  isGone: boolean
  /** Too much went at once: nothing is removed. */
  guarded: string | undefined
  /** What is wrong with its declaration. */
  fault: ProblemFacts | undefined
  cause: Trigger
  asks: Ask[]
  /** Told when there is nothing more to do for now. */
  idle: ((status: AppStatus) => void)[]
  underWay: UnderWay | undefined
  /** Ends what is under way. */
  interruption?: AbortController | undefined
  /** So many changes by others had been heard of when it was last found to be as applied. */
  provenAfter?: number
  drift: string | undefined
  /** Containers that are declared and not there. */
  missing: readonly Ref[]
  seen: Seen | undefined
  /** It was compared with what runs, since this process began. */
  isCompared: boolean
  /** As it was when it was last judged. */
  health: ContainersHealth | undefined
  /** The last render, while memory is not wanted for other things. */
  made: { readonly tree: Tree; readonly about: string; readonly made: WeakRef<Made> } | undefined
  /** A render that goes on. */
  making?: { readonly tree: Tree; readonly about: string; readonly made: Promise<Made> } | undefined
  /** It is being looked whether its source wants something else of it. */
  refresh?: Refresh | undefined
  failedRender?: FailedRender | undefined
  /** It is compared with what runs, beside all others: its render takes a while. */
  isChecking?: boolean
  /** What the last run that went well had of what only such a one may remove. */
  proven?: { readonly at: number; readonly refs: ReadonlySet<Ref> }
  /** Something in it changed that a status shows. */
  isTouched: boolean
  status: AppStatus | undefined
  judgement: Judgement | undefined
}

/** A run, the removal of everything, or help for what is not well. */
export type UnderWay = 'sync' | 'removal' | 'help'

export type Ask = {
  readonly trigger: Trigger
  /** What to go back to. */
  readonly past?: Past
  /** Said to be meant, for this run alone. */
  readonly allowed?: Allowed | undefined
  answer(answer: SyncAnswer): void
}

export function unitOf(application: Application, instance: string, memo: Memo): Unit {
  return {
    key: keyOf(application),
    application,
    owner: ownerOf(instance, application),
    declared: undefined,
    branch: undefined,
    post: undefined,
    memo,
    isGone: false,
    guarded: undefined,
    fault: undefined,
    cause: 'start-up',
    asks: [],
    idle: [],
    underWay: undefined,
    drift: undefined,
    missing: [],
    seen: undefined,
    isCompared: false,
    health: undefined,
    made: undefined,
    isTouched: true,
    status: undefined,
    judgement: undefined,
  }
}

export function isSuspended({ memo, declared }: Unit): boolean {
  const said = declared?.policy.suspended ?? false
  // an object that says so itself is believed, whatever was said to the service before
  return declared?.from === undefined ? (memo.suspended ?? said) : said || memo.suspended === true
}

export type Around = {
  readonly now: number
  readonly isEnabled: boolean
  /** Applications that are not as declared yet, of those that it depends on. */
  readonly helpPace: HelpPace
  waitsFor(unit: Unit): readonly string[]
  isOpen(unit: Unit): Opening
}

export function judged(unit: Unit, around: Around): Judgement {
  const { memo, declared, post, fault, branch } = unit
  const { now, isEnabled } = around
  lookAtHealth(unit, now)
  return judge({
    now,
    underWay: unit.underWay,
    isEnabled,
    isSuspended: isSuspended(unit),
    gone: goneFacts(unit),
    asked: unit.asks[0]?.trigger,
    cause: unit.cause,
    fault: fault && sentenceOf(fault),
    desired:
      branch?.snapshot === undefined || declared === undefined ? undefined : memo.desired?.hash,
    isRendering: unit.refresh !== undefined && branch?.snapshot !== undefined,
    unread: branch?.status.problem?.message,
    synced: memo.synced?.hash,
    isHalfDone: memo.begun !== undefined,
    leftBehind: memo.leftBehind,
    failure: memo.failure,
    // where failures are tried again by the clock, the doings of others are no reason to
    epoch:
      declared?.policy.retryInterval === undefined && !wentBackIn(memo)
        ? (post?.epoch(unit.owner, memo.failure?.code) ?? 0)
        : (memo.failure?.epoch ?? 0),
    engineProblem: post?.problem()?.message,
    drift: unit.drift,
    repairAt: repairAt(memo),
    driftPolicy: declared?.policy.drift ?? 'ignore',
    flagsEverything: declared?.policy.flagsEverything ?? false,
    acknowledged: memo.acknowledged,
    waitsFor: around.waitsFor(unit),
    health: healthFacts(unit, around),
    window: () => around.isOpen(unit),
  })
}

const usualProbation = 10 * 60_000

/** Undefined: only its runs tell its health, and those know by themselves what to do. */
function healthFacts(unit: Unit, { now, isEnabled, helpPace }: Around): HelpFacts | undefined {
  const { memo, declared, health, seen } = unit
  if (health === undefined || declared === undefined || seen?.listed === undefined) return undefined
  const { policy } = declared
  const { state } = health.health
  const isLeft = !isEnabled || policy.flagsEverything
  const known = memo.answers?.health
  const { failure, help, synced } = memo
  const isOfThis = failure !== undefined && failure.hash === synced?.hash
  return {
    now,
    policy: isLeft ? 'alert' : (policy.health ?? 'restart'),
    state,
    since: known?.state === state ? known.since : now,
    restartable: health.unwell.length,
    isLooping: health.isLooping,
    isInVain: isOfThis && failure.tries >= 3 && ofHealth.has(failure.code ?? ''),
    before: help?.hash === synced?.hash ? help : undefined,
    probationUntil: (memo.changedAt ?? -Infinity) + (policy.probation ?? usualProbation),
    mayRollBack: policy.rollback === 'auto',
    pace: helpPace,
  }
}

/** Failures of repairs that say that what runs does not work. */
const ofHealth: ReadonlySet<string> = new Set(['exited', 'unhealthy', 'timed_out'])

function lookAtHealth(unit: Unit, now: number): void {
  const before = unit.health
  const health = healthOfUnit(unit, now)
  unit.health = health
  if (before === undefined || JSON.stringify(before.health) !== JSON.stringify(health.health)) {
    unit.isTouched = true
  }
}

function goneFacts(unit: Unit): Parameters<typeof judge>[0]['gone'] {
  const { isGone, memo, guarded, post, application, seen } = unit
  if (!isGone) return undefined
  const { isRemoved, removes: mayRemove } = memo
  const unknownPlace = post === undefined ? 'it is not known where it runs' : undefined
  const isObject = kindNamed(application.kind).objects !== undefined && memo.from !== ''
  const keptBecause = guarded ?? unknownPlace
  const isRunning =
    post?.sight() === undefined || isObject ? undefined : (seen?.containers.running ?? 0) > 0
  const isInTrouble = isObject && guarded !== undefined
  return { isRemoved, mayRemove, keptBecause, isRunning, isInTrouble }
}

const hasty = 5

/** Some repairs are made at once, the next ones wait: what falls again and again is not mended by haste. */
export function repairAt({ repairs }: Memo): number {
  if (repairs === undefined || repairs.count <= hasty) return 0
  return repairs.at + repairPause(repairs.count)
}

export function repairPause(count: number): number {
  return count <= hasty ? 0 : Math.min(1000 * 2 ** (count - hasty - 1), 5 * 60_000)
}

export function statusOf(unit: Unit, judgement: Judgement, now: number): AppStatus {
  const { key, application, memo, declared, branch, seen, fault } = unit
  const { failure, lastRun, synced, desired } = memo
  // until it is rendered nobody knows what the newest revision wants of it
  const isUnclear = unit.refresh !== undefined && !unit.isGone
  const { sync, health } = answersOf(unit, judgement, now)
  const isRetried = judgement.until !== undefined && judgement.state !== 'suspended'
  return {
    key,
    application,
    state: judgement.state,
    reason: judgement.reason,
    sync,
    health,
    desired: isUnclear
      ? unit.status?.desired
      : desired === undefined || branch === undefined || unit.isGone
        ? undefined
        : { revision: branch.status.revision, message: branch.status.message, hash: desired.hash },
    synced: memo.isRemoved ? undefined : synced,
    lastRun: lastRun && {
      ...lastRun,
      number: lastRun.number,
      trigger: triggerOf(lastRun.trigger),
      problem: lastRun.problem && { ...lastRun.problem, code: codeOf(lastRun.problem.code) },
    },
    // a window is looked at more often than it opens
    nextTry: isRetried && !('opens' in judgement) ? judgement.until : judgement.opens,
    failures: Math.max(failure?.tries ?? 0, fault === undefined ? 0 : 1),
    isSuspended: isSuspended(unit),
    needsAcknowledgement: judgement.needsAcknowledgement,
    containers: seen?.containers ?? { running: 0, total: 0 },
    source: {
      shown: branch?.status.shown ?? '',
      ref: branch?.status.ref ?? '',
      path: declared?.path ?? '',
      file: desired?.file ?? declared?.files[0] ?? '',
    },
    target: unit.post?.address() ?? declared?.target ?? '',
    dependsOn: declared?.policy.dependsOn ?? [],
  }
}

const triggers: readonly Trigger[] = [
  'manual',
  'rollback',
  'reinit',
  'drift',
  'health',
  'refresh',
  'webhook',
  'start-up',
]

function triggerOf(word: string): Trigger {
  return triggers.find((trigger) => trigger === word) ?? 'refresh'
}

function codeOf(word: string): Code {
  return isCode(word) ? word : 'bug'
}

function isCode(word: string): word is Code {
  return Object.hasOwn(codes, word)
}
