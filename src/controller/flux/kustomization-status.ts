/** The status of a Kustomization, with Flux's fields and words, from what the service knows of its application. Pure. */
import { escapeControls } from '#model/control-characters.ts'
import { recordsOf, textOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { AppStatus } from '#model/service.ts'
import { isInForce, type Failure } from '../decide/backoff.ts'
import { conditionsOf, type Condition } from './conditions.ts'
import type { FluxObject } from './kinds.ts'
import type { Trouble } from './repository.ts'

export type KustomizationFacts = {
  readonly now: number
  /** Undefined while the service does not know it. */
  readonly app: AppStatus | undefined
  /** The service has seen this generation. */
  readonly isCurrent: boolean
  readonly trouble: Trouble | undefined
  readonly failure: Failure | undefined
  /** Its declaration can't be rendered. */
  readonly hasFault: boolean
  /** What its source is at; empty: it was never read. */
  readonly sourceRevision: string
  /** Why its source is not to be had. */
  readonly sourceProblem: string | undefined
  /** Of commits: `main@sha1:…`. */
  readonly revisionOf: (commit: string) => string
  readonly inventory: readonly JsonRecord[] | undefined
  readonly history: readonly JsonRecord[] | undefined
  /** Bases on other machines, each with its commit; undefined: it was not built yet, and those of before count. */
  readonly remotes: readonly JsonRecord[] | undefined
  /** Whether another one, by the key of its application, can't be followed. */
  readonly isInTrouble: (key: string) => boolean
  /** What a removal waits for. */
  readonly waitsFor: string | undefined
  /** The annotation whose request was served. */
  readonly handledAt: string
}

/** The whole new status; nothing is in it that does not hold. */
export function kustomizationStatus(one: FluxObject, facts: KustomizationFacts): JsonRecord {
  const { status: before, generation } = one
  const { app, now, isCurrent } = facts
  const applied = appliedRevision(facts) ?? textOf(before['lastAppliedRevision'])
  const attempted = attemptedRevision(facts) ?? textOf(before['lastAttemptedRevision'])
  const all = [...wanted(facts), ...healthy(facts, before['conditions'])]
  const conditions = conditionsOf(before['conditions'], all, generation, now)
  const handled = facts.handledAt || textOf(before['lastHandledReconcileAt'])
  const isWaiting = app !== undefined && isApplying(app)
  // what can't be followed, or has no source, was seen all the same
  const isAmiss = facts.trouble !== undefined || facts.sourceProblem !== undefined
  const isSeen = (isCurrent || isAmiss) && !isWaiting
  const inventory: Json | undefined =
    facts.inventory === undefined ? before['inventory'] : { entries: facts.inventory }
  const history: Json | undefined = facts.history ?? before['history']
  const remotes = facts.remotes ?? recordsOf(before['remoteBases'])
  return {
    conditions,
    ...(isSeen ? { observedGeneration: generation } : kept(before, 'observedGeneration')),
    ...(applied === '' ? {} : { lastAppliedRevision: applied }),
    ...(attempted === '' ? {} : { lastAttemptedRevision: attempted }),
    ...(handled === '' ? {} : { lastHandledReconcileAt: handled }),
    ...(inventory === undefined ? {} : { inventory }),
    ...(history === undefined ? {} : { history }),
    ...(remotes.length === 0 ? {} : { remoteBases: remotes }),
  }
}

/** Of one that is deleted, while what it made is not gone. */
export function leavingStatus(
  one: FluxObject,
  why: string | undefined,
  made: readonly JsonRecord[] | undefined,
  now: number,
): JsonRecord {
  const wanted = inProgress(`Removing what it made${why === undefined ? '' : `: ${why}`}`)
  const conditions = conditionsOf(one.status['conditions'], wanted, one.generation, now)
  // what was written stays until it is gone
  const isLacking = one.status['inventory'] === undefined && made !== undefined
  return { ...one.status, conditions, ...(isLacking ? { inventory: { entries: made } } : {}) }
}

function kept(before: JsonRecord, field: string): JsonRecord {
  const value = before[field]
  return value === undefined ? {} : { [field]: value }
}

/** A commit that changes nothing of it is applied as soon as it is seen. */
function appliedRevision({ app, revisionOf }: KustomizationFacts): string | undefined {
  if (app?.synced === undefined) return undefined
  const { synced, desired } = app
  const commit = desired?.hash === synced.hash ? desired.revision : synced.revision
  return commit === '' ? undefined : revisionOf(commit)
}

/** What was tried last, or is being tried; undefined: what was said before still holds. */
function attemptedRevision(facts: KustomizationFacts): string | undefined {
  const { app, failure, hasFault, revisionOf, sourceRevision } = facts
  // what can't be built was tried, also where nothing was ever built
  if (hasFault && sourceRevision !== '') return revisionOf(sourceRevision)
  if (app?.desired === undefined) return undefined
  const { desired, synced } = app
  const isTried = isApplying(app) || synced?.hash === desired.hash
  const failed = failure?.hash === desired.hash ? failure.revision : undefined
  const commit = isTried ? desired.revision : (failed ?? '')
  return commit === '' ? undefined : revisionOf(commit)
}

function wanted(facts: KustomizationFacts): readonly Condition[] {
  const { app, trouble, sourceProblem, isCurrent } = facts
  if (trouble !== undefined) {
    return [notReady(trouble.reason, trouble.message), ...stalledBy(trouble)]
  }
  if (app === undefined || !isCurrent) {
    return sourceProblem === undefined
      ? inProgress('Reconciliation in progress')
      : [notReady('ArtifactFailed', sourceProblem), retried(sourceProblem)]
  }
  const isApplied = app.state === 'drifted' && app.desired?.hash === app.synced?.hash
  if (app.state === 'synced' || isApplied) return ready(facts)
  if (app.state === 'failed') return failed(facts, app)
  if (isApplying(app)) {
    const waits = facts.waitsFor === undefined ? '' : `; ${facts.waitsFor}`
    return inProgress(`${applying} ${shown(facts)}${waits}`)
  }
  const needed = /^waits for (kustomization:.*)$/.exec(app.reason)?.[1]
  if (needed !== undefined) {
    const message = dependencyText(needed, facts.isInTrouble)
    const isCircle = needed.includes('in a circle')
    const reason = 'DependencyNotReady'
    return [notReady(reason, message), isCircle ? stalled(reason, message) : retried(message)]
  }
  if (app.desired === undefined && sourceProblem !== undefined) {
    return [notReady('ArtifactFailed', sourceProblem), retried(sourceProblem)]
  }
  return inProgress('Reconciliation in progress')
}

const applying = 'Applying and checking revision'

/** Whether a message says that something is being done. */
export function isApplyingText(message: string): boolean {
  return message.startsWith(applying)
}

/** What only waits for others says so. */
function isApplying({ state, reason }: Pick<AppStatus, 'state' | 'reason'>): boolean {
  return state === 'syncing' && reason === ''
}

function ready(facts: KustomizationFacts): readonly Condition[] {
  const { app } = facts
  const reason = app?.reason ?? ''
  const more = reason === '' ? '' : `; ${reason}`
  const message = `Applied revision: ${appliedRevision(facts) ?? ''}${more}`
  return [condition('Ready', 'True', 'ReconciliationSucceeded', message)]
}

/** Codes of problems that say: it was applied, and does not work. */
export const unhealthy: ReadonlySet<string> = new Set(['unhealthy', 'timed_out', 'exited'])

function failed(facts: KustomizationFacts, app: AppStatus): readonly Condition[] {
  const failure = facts.hasFault ? undefined : facts.failure
  const isUnhealthy = unhealthy.has(failure?.code ?? '')
  const reason = facts.hasFault ? 'BuildFailed' : reasonOf(failure, isUnhealthy)
  const isBack = failure?.isRolledBack === true
  const back = isBack ? backText(facts) : ''
  const details = failure?.details ?? []
  const lines = details.length === 0 ? '' : `\n${details.join('\n')}`
  const message = `${app.reason}${back}${lines}`
  const isRetried = app.nextTry !== undefined
  return [
    notReady(reason, message),
    isRetried || facts.hasFault
      ? retried(app.reason)
      : stalled(isBack ? 'RolledBack' : reason, app.reason),
  ]
}

function reasonOf(failure: Failure | undefined, isUnhealthy: boolean): string {
  if (failure?.isPruning === true) return 'PruneFailed'
  return isUnhealthy ? 'HealthCheckFailed' : 'ReconciliationFailed'
}

function backText(facts: KustomizationFacts): string {
  const good = appliedRevision(facts)
  return good === undefined
    ? '; what was begun was taken back'
    : `; rolled back to ${good}, and revision ${shown(facts)} is tried again in growing pauses`
}

function shown(facts: KustomizationFacts): string {
  return attemptedRevision(facts) ?? 'of its source'
}

/** `kustomization:flux-system/apps, which nobody declared` → `dependency 'flux-system/apps' is not ready: nobody declared it` */
export function dependencyText(
  text: string,
  isInTrouble: (key: string) => boolean = () => false,
): string {
  const sentences = text.split(/, (?=kustomization:)/).map((one) => {
    const [, name = one, more = ''] = /^kustomization:([^\s,]+)(?:, (.*))?$/s.exec(one) ?? []
    const unknown = isInTrouble(`kustomization:${name}`)
      ? 'it is in trouble itself'
      : 'nobody declared it'
    const why = more.replace(/^which nobody declared$/, unknown)
    return `dependency '${name}' is not ready${why === '' ? '' : `: ${why}`}`
  })
  return sentences.join('; ').replaceAll(/kustomization:([^\s,]+)/g, "'$1'")
}

function inProgress(message: string): readonly Condition[] {
  return [
    condition('Ready', 'Unknown', 'Progressing', message),
    condition('Reconciling', 'True', 'Progressing', message),
  ]
}

function notReady(reason: string, message: string): Condition {
  return condition('Ready', 'False', reason, message)
}

function retried(message: string): Condition {
  return condition('Reconciling', 'True', 'ProgressingWithRetry', message)
}

function stalledBy({ reason, message, isStalled }: Trouble): readonly Condition[] {
  return isStalled ? [stalled(reason, message)] : [retried(message)]
}

function stalled(reason: string, message: string): Condition {
  return condition('Stalled', 'True', reason, message)
}

/** The other answer, whatever Ready says: does what is in force work? What nobody looked at is as it was. */
function healthy(facts: KustomizationFacts, before: Json | undefined): readonly Condition[] {
  const { app, failure, trouble } = facts
  if (app === undefined || trouble !== undefined) return []
  const { state, reason, details = [] } = app.health
  // of what was taken back, or never applied, the failure says nothing of what runs
  if (state === 'unknown' || (state !== 'healthy' && isInForce(failure))) return known(before)
  const message = [reason, ...(failure?.details ?? details)].join('\n')
  switch (state) {
    case 'healthy':
      return [condition('Healthy', 'True', 'Succeeded', 'Health check passed')]
    case 'progressing':
      return [condition('Healthy', 'Unknown', 'Progressing', message)]
    case 'degraded':
    case 'failed':
      return [condition('Healthy', 'False', 'HealthCheckFailed', message)]
  }
}

function known(before: Json | undefined): readonly Condition[] {
  const one = recordsOf(before).find(({ type }) => type === 'Healthy')
  if (one === undefined) return []
  const status = one['status'] === 'True' ? 'True' : one['status'] === 'False' ? 'False' : 'Unknown'
  return [condition('Healthy', status, textOf(one['reason']), textOf(one['message']))]
}

function condition(
  type: string,
  status: Condition['status'],
  reason: string,
  message: string,
): Condition {
  // kubectl and flux print it as it is
  return { type, status, reason, message: escapeControls(message) }
}
