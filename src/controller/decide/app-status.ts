/** How one application of the service is decided on, and the status that others see of it. */
import type { Trigger } from '#model/event.ts'
import { codes, type Code } from '#model/problem.ts'
import { isSameJson } from '#model/same-json.ts'
import type { AppStatus } from '#model/service.ts'
import { isOfHealth, sentenceOf } from './backoff.ts'
import { kindNamed } from '#kinds/all.ts'
import type { Decision, Opening } from './decide.ts'
import { decide } from './decide.ts'
import { othersIn } from '../sources/render-findings.ts'
import { answersOf, healthOfApp, wentBackIn } from './sync-and-health.ts'
import type { RemedyFacts, RemedyPace } from './remedy.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import { isBehindSource } from '../state/read-revision.ts'
import { touch, setHealth, type AppState } from '../state/app-state.ts'

export function isSuspended({ persisted, declared }: AppState): boolean {
  const said = declared?.policy.suspended ?? false
  // an object that says so itself is believed, whatever was said to the service before
  return declared?.from === undefined
    ? (persisted.suspended ?? said)
    : said || persisted.suspended === true
}

export type DecisionContext = {
  readonly now: number
  readonly isEnabled: boolean
  /** Applications that are not as declared yet, of those that it depends on. */
  readonly helpPace: RemedyPace
  waitsFor(app: AppState): readonly string[]
  /** What is known of its health is of what was compared: what drifted is repaired, and needs no other help. */
  mayHelp(app: AppState): boolean
  isOpen(app: AppState): Opening
}

export function decideFor(app: AppState, around: DecisionContext): Decision {
  const { persisted, declared, monitor, fault, branch } = app
  const isSourceless = declared?.record !== undefined || declared?.isRenderedByRuns === true
  const isRead = branch?.snapshot !== undefined || isSourceless
  const { now, isEnabled } = around
  lookAtHealth(app, now)
  return decide({
    now,
    underWay: app.underWay,
    isEnabled,
    isSuspended: isSuspended(app),
    gone: goneFacts(app),
    asked: app.asks[0]?.trigger,
    cause: app.cause.trigger,
    fault: fault && [sentenceOf(fault), ...othersIn(fault)].join('; '),
    desired: isRead && declared !== undefined ? persisted.desired?.hash : undefined,
    isRendering: app.refresh !== undefined && branch?.snapshot !== undefined,
    unread: branch?.status.problem?.message,
    synced: persisted.synced?.hash,
    isHalfDone: persisted.begun !== undefined,
    leftBehind: persisted.leftBehind,
    failure: persisted.failure,
    // where failures are tried again by the clock, the doings of others are no reason to
    epoch:
      declared?.policy.retryInterval === undefined && !wentBackIn(persisted)
        ? (monitor?.epoch(app.owner, persisted.failure?.code) ?? 0)
        : (persisted.failure?.epoch ?? 0),
    engineProblem: monitor?.problem()?.message,
    drift: app.drift,
    repairAt: repairAt(persisted),
    driftPolicy: declared?.policy.drift ?? 'ignore',
    flagsEverything: declared?.policy.flagsEverything ?? false,
    acknowledged: persisted.acknowledged,
    waitsFor: around.waitsFor(app),
    rival: app.rival,
    health: healthFacts(app, around),
    window: () => around.isOpen(app),
  })
}

const usualProbation = 10 * 60_000

/** Undefined: only its runs tell its health, and those know by themselves what to do. What has no containers is not restarted here. */
function healthFacts(
  app: AppState,
  { now, isEnabled, helpPace, ...around }: DecisionContext,
): RemedyFacts | undefined {
  const { persisted, declared, health, seen } = app
  const isLive = seen?.listed !== undefined || seen?.health !== undefined
  if (health === undefined || declared === undefined || !isLive || !around.mayHelp(app))
    return undefined
  const { policy } = declared
  const { state } = health.health
  const isLeft = !isEnabled || policy.flagsEverything
  const known = persisted.answers?.health
  const { failure, help, synced } = persisted
  const isOfThis = failure !== undefined && failure.hash === synced?.hash
  return {
    now,
    policy: isLeft ? 'alert' : (policy.health ?? 'restart'),
    state,
    since: known?.state === state ? known.since : now,
    restartable: health.unwell.length,
    isLooping: health.isLooping,
    isInVain: isOfThis && failure.tries >= 3 && isOfHealth(failure),
    before: help?.hash === synced?.hash ? help : undefined,
    probationUntil: (persisted.changedAt ?? -Infinity) + (policy.probation ?? usualProbation),
    mayRollBack: policy.rollback === 'auto' && app.monitor?.kind.noRollback === undefined,
    pace: helpPace,
  }
}

function lookAtHealth(app: AppState, now: number): void {
  const before = app.health
  const health = healthOfApp(app, now)
  setHealth(app, health)
  if (before === undefined || !isSameJson(before.health, health.health)) touch(app)
}

function goneFacts(app: AppState): Parameters<typeof decide>[0]['gone'] {
  const { isGone, persisted, guarded, monitor, application, seen } = app
  if (!isGone) return undefined
  const { isRemoved, removes: mayRemove } = persisted
  const unknownPlace = monitor === undefined ? 'it is not known where it runs' : undefined
  const isObject = kindNamed(application.kind).objects !== undefined && persisted.from !== ''
  const keptBecause = guarded ?? unknownPlace
  const isRunning =
    monitor?.listing() === undefined || isObject ? undefined : (seen?.containers.running ?? 0) > 0
  const isInTrouble = isObject && guarded !== undefined
  return { isRemoved, mayRemove, keptBecause, isRunning, isInTrouble }
}

const hasty = 5

/** Some repairs are made at once, the next ones wait: what falls again and again is not mended by haste. */
export function repairAt({ repairs }: Pick<PersistedState, 'repairs'>): number {
  if (repairs === undefined || repairs.count <= hasty) return 0
  return repairs.at + repairPause(repairs.count)
}

export function repairPause(count: number): number {
  return count <= hasty ? 0 : Math.min(1000 * 2 ** (count - hasty - 1), 5 * 60_000)
}

export function statusOf(app: AppState, decision: Decision, now: number): AppStatus {
  const { key, application, persisted, declared, branch, seen, fault } = app
  const { failure, lastRun, synced, desired } = persisted
  // until it is rendered nobody knows what the newest revision wants of it
  const isUnclear = (app.refresh !== undefined || isBehindSource(app)) && !app.isGone
  const { sync, health } = answersOf(app, decision, now)
  const refused = app.isGone ? undefined : branch?.status.refused
  const isRetried = decision.until !== undefined && decision.state !== 'suspended'
  return {
    key,
    application,
    state: decision.state,
    reason: decision.reason || (refused?.problem.message ?? ''),
    sync,
    health,
    desired: isUnclear
      ? app.status?.desired
      : desired === undefined || branch === undefined || app.isGone
        ? undefined
        : { revision: branch.status.revision, message: branch.status.message, hash: desired.hash },
    synced: persisted.isRemoved ? undefined : synced,
    lastRun: lastRun && {
      ...lastRun,
      number: lastRun.number,
      trigger: triggerOf(lastRun.trigger),
      problem: lastRun.problem && { ...lastRun.problem, code: codeOf(lastRun.problem.code) },
    },
    // a window is looked at more often than it opens
    nextTry: isRetried && !('opens' in decision) ? decision.until : decision.opens,
    failures: Math.max(failure?.tries ?? 0, fault === undefined ? 0 : 1),
    isSuspended: isSuspended(app),
    ...(app.isGone ? { isUndeclared: true } : {}),
    needsAcknowledgement: decision.needsAcknowledgement,
    containers: seen?.containers ?? { running: 0, total: 0 },
    source: {
      shown: branch?.status.shown ?? '',
      ref: branch?.status.ref ?? '',
      // before its source is read it lies where it lay
      path: declared?.path ?? persisted.path ?? '',
      file: desired?.file ?? declared?.files[0] ?? '',
    },
    target: app.monitor?.address() ?? declared?.target ?? '',
    dependsOn: declared?.policy.dependsOn ?? [],
    ...(app.isGone || !desired?.warnings?.length ? {} : { warnings: desired.warnings }),
    ...(refused === undefined ? {} : { refused }),
    ...(declared?.policy.labels === undefined ? {} : { labels: declared.policy.labels }),
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
