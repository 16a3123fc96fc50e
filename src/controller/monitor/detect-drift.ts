/** Whether what runs is what was applied: told by the look at a whole engine, and by a plan only where that changed. */
import { isEnd, startsUntil } from '#domains/containers/health.ts'
import { syncOfEach } from '#engine/assess.ts'
import { preview, type Preview } from '#engine/preview.ts'
import type { Plan } from '#model/plan.ts'
import { hashOf } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { isInForce, isLeftHalf } from '../decide/backoff.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { isAtHand, renderDesired, renderInForce } from '../sources/desired-state.ts'
import type { Ports } from '#model/connection.ts'
import type { Permissions, Rendered } from '#model/domain.ts'
import type { Allowed } from '#model/service.ts'
import { adoptionWords, portsAsAdopted } from '../run/adopt.ts'
import type { TargetMonitor } from './target-monitor.ts'
import { keepUnproven } from '../guards/prune-guard.ts'
import { refreshDesired } from '../sources/refresh-desired.ts'
import { reportCrashLoop } from '../guards/crash-loop.ts'
import { lookForRival, noteAsApplied } from '../guards/other-service.ts'
import {
  touch,
  setSeen,
  setChecking,
  setComparison,
  setDrift,
  setProvenAfter,
  type AppState,
} from '../state/app-state.ts'
import { markAllSynced, noteSyncs } from '../state/since.ts'
import { defined } from '#model/defined.ts'

/** After a look. Those that are under way look for themselves when they end. */
export async function detectDriftOfAll(
  service: ServiceState,
  monitor: TargetMonitor,
): Promise<void> {
  const listing = monitor.listing()
  const breathe = yieldToEventLoop()
  for (const app of service.apps.values()) {
    if (app.monitor !== monitor || !service.isOurs(app.key)) continue
    touch(app)
    if (listing === undefined) continue
    if (app.underWay === undefined) await detectDriftInTurn(service, app)
    else setSeen(app, listing.apps.get(app.owner))
    await breathe()
  }
}

/** One that has to be rendered for it is compared beside the others, which do not wait for that. */
async function detectDriftInTurn(service: ServiceState, app: AppState): Promise<void> {
  if (isClean(app) || isAtHand(service, app)) return detectDrift(service, app)
  if (app.isChecking) return
  setChecking(app, true)
  void detectDrift(service, app).finally(() => {
    setChecking(app, false)
    service.wake()
  })
}

/** As it was when it was last found to be as applied. */
function isClean({ persisted, monitor, owner, declared, provenAfter }: AppState): boolean {
  const fingerprint = monitor?.listing()?.apps.get(owner)?.fingerprint ?? 'nothing'
  const { synced, clean } = persisted
  if (synced === undefined) return !isLeftHalf(persisted)
  // no list tells of everything: a limit that was changed by hand is heard, and not seen
  if (provenAfter !== (monitor?.changes(owner) ?? 0)) return false
  return clean?.hash === synced.hash && clean.fingerprint === proof(fingerprint, declared)
}

/** The application was compared with what runs, and nothing changed there since. */
export function isProvenClean(app: AppState): boolean {
  const { isCompared, drift, persisted, missing } = app
  const isKnown = isCompared && drift === undefined && missing.length === 0
  return isKnown && persisted.synced !== undefined && isKept(app) && isClean(app)
}

/** Notes in the application's state what drifted. */
export async function detectDrift(service: ServiceState, app: AppState): Promise<void> {
  const { monitor } = app
  const listing = monitor?.listing()
  if (listing === undefined || !service.isOurs(app.key)) return
  setSeen(app, listing.apps.get(app.owner))
  touch(app)
  await lookForRival(service, app)
  await believeLabels(service, app)
  const { persisted, seen } = app
  const hash = persisted.synced?.hash
  const fingerprint = seen?.fingerprint ?? 'nothing'
  if (hash === undefined || !isKept(app)) {
    // before it is known as declared there is nothing to compare with
    const isKnown = app.isCompared || app.declared !== undefined
    const missing = await missingAfterFailure(service, app)
    const isCompared = isKnown && missing !== undefined
    setComparison(app, { missing: missing ?? app.missing, isCompared })
    return drifts(service, app, undefined)
  }
  if (isClean(app)) {
    noteAsApplied(app, service.dependencies.clock.now())
    markAllSynced(app, service.dependencies.clock.now())
    setComparison(app, { missing: [], isCompared: true })
    drifts(service, app, undefined)
    return reportCrashLoop(service, app)
  }
  const changes = monitor?.changes(app.owner) ?? 0
  try {
    const { drift, missing, isClean: isProven } = await comparedWith(service, app)
    setComparison(app, { missing, isCompared: true })
    // what is not there does not work, though it is to be left so
    const isIgnored = app.declared?.policy.drift === 'ignore'
    drifts(service, app, isIgnored ? undefined : drift)
    if (app.drift !== undefined && app.underWay === undefined) await reportCrashLoop(service, app)
    if (isProven) noteAsApplied(app, service.dependencies.clock.now())
    if (isProven) setProvenAfter(app, changes)
    if (isProven)
      await remember(service, app, {
        clean: { hash, fingerprint: proof(fingerprint, app.declared) },
      })
  } catch (thrown) {
    const why = problemOf(thrown).message
    service.dependencies.log('debug', 'could not be compared with what runs', { app: app.key, why })
  }
}

/** Containers that a run which failed was to make, and that are not in the lists. Undefined: what it was to make can't be rendered now. */
async function missingAfterFailure(
  service: ServiceState,
  app: AppState,
): Promise<readonly Ref[] | undefined> {
  const { persisted, declared, isGone, fault, refresh, seen } = app
  if (declared === undefined || isGone || !isLeftHalf(persisted)) return []
  if (fault !== undefined || refresh !== undefined) return undefined
  try {
    const { hash, rendered } = await renderDesired(service, app)
    if (hash !== persisted.desired?.hash) return undefined
    const there = new Set(seen?.listed?.map(({ ref }) => ref))
    return rendered.resources
      .map(({ ref }) => ref)
      .filter((ref) => kindOf(ref) === 'container' && !there.has(ref))
  } catch {
    // why it can't be rendered is told by its refresh
    return undefined
  }
}

/** A proof of an earlier release may rest on a comparison that passed over what was in somebody's way. */
function proof(fingerprint: string, declared: AppState['declared']): string {
  // what is not ignored any more has to be looked for
  const { ignore } = declared?.policy ?? {}
  return `2:${fingerprint}${ignore === undefined ? '' : ` ${hashOf(ignore)}`}`
}

/** Half of something new is no drift: that is for the next try. */
function isKept({ persisted, declared, isGone }: AppState): boolean {
  if (declared === undefined || isGone) return false
  if (persisted.begun !== undefined) return false
  const { desired, synced, failure, leftBehind } = persisted
  if (desired?.hash === synced?.hash) return true
  return leftBehind === desired?.hash || isInForce(failure)
}

function drifts(service: ServiceState, app: AppState, drift: string | undefined): void {
  if (drift !== undefined && app.drift === undefined) {
    service.metrics.count('tend_drift_total', { kind: app.application.kind })
    service.dependencies.log('info', 'drifted', { app: app.key, what: drift })
  }
  setDrift(app, drift)
}

/** Truth is on the resources: what they tell counts before what is remembered. */
async function believeLabels(service: ServiceState, app: AppState): Promise<void> {
  const { persisted, seen, declared } = app
  if (app.rival !== undefined) return
  const { mark, since } = declared?.record === undefined ? (seen ?? {}) : {}
  if (since !== undefined && since !== persisted.since) {
    await remember(service, app, { since })
    await refreshDesired(service, app, app.cause).begun
  }
  if (mark === undefined || mark.hash === '' || persisted.isRemoved) return
  const isNewer = persisted.synced === undefined || mark.at > persisted.synced.at
  if (!isNewer || mark.hash === persisted.synced?.hash) return
  const { revision, hash, at } = mark
  const message = app.branch?.status.revision === revision ? app.branch.status.message : ''
  await remember(service, app, { synced: { revision, message, hash, at }, failure: undefined })
}

const patience = 8_000

function patienceFor({ monitor }: AppState): number {
  return monitor?.connection().compareTime ?? patience
}

type Compared = {
  readonly drift: string | undefined
  /** Containers that are declared and not there. */
  readonly missing: readonly Ref[]
  /** Everything was compared, and it is as applied. */
  readonly isClean: boolean
}

async function comparedWith(service: ServiceState, app: AppState): Promise<Compared> {
  const rendered = await renderInForce(service, app)
  // nothing is kept of what was applied: that it is there can't be said either
  if (rendered === undefined) return { drift: undefined, missing: [], isClean: false }
  const { plan, world } = await previewFor(
    service,
    app,
    await keepUnproven(service, app, rendered),
    AbortSignal.any([service.stop, AbortSignal.timeout(patienceFor(app))]),
  )
  const now = service.dependencies.clock.now()
  const missing = rendered.resources
    .map(({ ref }) => ref)
    .filter((ref) => kindOf(ref) === 'container' && world.get(ref)?.kind === 'absent')
  const groups = plan.groups.filter(({ ref }) => !isComing(app, ref, now))
  noteSyncs(app, syncOfEach(rendered, { plan: { ...plan, groups }, world }), now)
  const drift = driftIn({ ...plan, groups }, world, app)
  const isWhole = groups.length === plan.groups.length && plan.skipped.length === 0
  return { drift, missing, isClean: drift === undefined && isWhole }
}

/** An engine that was told to stop a container is not ready with that when it tells of the end, ms. */
const untilStopped = 300

/** A container that ended may be started again by its engine in a moment: that is no drift yet. */
function isComing({ seen, monitor, declared }: AppState, ref: Ref, now: number): boolean {
  const one = seen?.listed?.find((listed) => listed.ref === ref)
  if (one === undefined || monitor === undefined || !isEnd(one.state)) return false
  const { records: book } = monitor
  const [endedAt, ends] = [book.endedAt(one.id), book.ends(one.id)]
  const until = startsUntil({ ...one, endedAt }, ends)
  if (until !== undefined) return now < until
  const heardAt = ends.at(-1)?.at ?? endedAt ?? 0
  return declared?.record !== undefined && now < heardAt + untilStopped
}

function driftIn({ groups, skipped }: Plan, world: Observation, app: AppState): string | undefined {
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
  return app.monitor?.connection().mark !== undefined && app.seen?.mark === undefined
    ? 'its record of the last sync is missing'
    : undefined
}

/** What a run would do now. */
export async function planFor(
  service: ServiceState,
  app: AppState,
  rendered: Rendered,
  signal: AbortSignal,
  { adopts = false, prunesVolumes = false }: Pick<Allowed, 'adopts' | 'prunesVolumes'> = {},
): Promise<Plan> {
  const adoption = await portsAsAdopted(app, rendered, adopts, signal)
  const allowed = { recreateVolumes: false, pruneVolumes: prunesVolumes }
  const { plan } = await previewFor(service, app, rendered, signal, adoption?.ports, allowed)
  if (adoption === undefined) return plan
  return { ...plan, warnings: [...adoptionWords(adoption, adoption.which), ...plan.warnings] }
}

export async function previewFor(
  service: ServiceState,
  app: AppState,
  rendered: Rendered,
  signal: AbortSignal,
  ports?: Ports,
  allowed?: Permissions,
): Promise<Preview> {
  const { application, owner, persisted, branch } = app
  const { kind, target } = ports ?? defined(app.monitor).connection().ports(owner, app.declared)
  const { instance } = service.dependencies
  const revision = branch?.status.revision ?? ''
  const words = allowed === undefined ? {} : { allowed }
  const asked = { application, instance, rendered, revision, since: persisted.since, ...words }
  return preview(asked, { kind, target }, signal)
}
