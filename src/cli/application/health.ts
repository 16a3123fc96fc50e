/** How an application is: what was applied against what runs, and a look at what could be unhealthy. */
import { assess, unknownAssessment } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import { preview } from '#engine/preview.ts'
import { keyOf, ownerOf, type LastSync } from '#model/application.ts'
import type { Assessment, ResourceAssessment } from '#model/assessment.ts'
import type { Rendered } from '#model/domain.ts'
import type { Plan } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import type { ApplicationRecord, RunRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext, Memory } from '../session.ts'
import type { ResourceStatus, State, Status } from '../views/status.ts'
import { engineIn } from './engine.ts'
import { resourcesIn, worldOf } from './unknown-app.ts'
import { lastGood } from '#store/past.ts'
import { renderedAgain } from './rendered-again.ts'
import { sourceOf } from './source.ts'

export async function statusOf(
  record: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
  { store, key }: Memory,
): Promise<Status> {
  const { application, lastRun } = record
  const past = await lastGood(application, store)
  const seed = await context.session.seed(key, keyOf(application), record.since)
  const rendered = past && (await renderedAgain(application, past.snapshot, seed))
  const seen =
    (await seenByService(record, flags, context)) ??
    (rendered === undefined
      ? await seenByLabels(record, flags, context)
      : await assessed(record, rendered, flags, context))
  const { path } = sourceOf(record.source)
  const engine = flags.target ?? engineIn(record.source)?.address ?? null
  const run = past?.run ?? lastRun
  return {
    kind: application.kind,
    name: application.name,
    namespace: application.namespace,
    version: rendered?.version ?? record.recalled?.version ?? '',
    state: stateOf(seen),
    sync: seen.sync,
    health: seen.health,
    run: run?.number ?? 0,
    since: run?.endedAt ?? run?.startedAt ?? record.recalled?.last?.at ?? record.since,
    path,
    engine,
    resources: seen.resources.map(resourceStatus),
    kept: seen.kept,
    notes: [
      ...(seen.blind === undefined ? [] : [seen.blind]),
      ...failedSince(lastRun, run),
      ...markedAs(record.recalled?.last),
    ],
  }
}

/** The marker of a stack outlives the history. */
function markedAs(last: LastSync | undefined): readonly string[] {
  if (last === undefined) return []
  const { hash, outcome = 'taken over' } = last
  return [`its marker says of the last run: ${outcome}, of everything wanted ${hash.slice(0, 12)}`]
}

type AppSeen = Pick<Assessment, 'sync' | 'health'> & {
  readonly resources: readonly ResourceAssessment[]
  /** Resources that are no longer declared and still kept. */
  readonly kept: Plan['kept']
  /** Why nothing could be seen, where no resource is there to tell it. */
  readonly blind?: string
}

/** A service that looks after the application knows more than one look shows. Both then give the same answer. */
async function seenByService(
  { application }: ApplicationRecord,
  flags: Flags,
  { session, signal }: CommandContext,
): Promise<AppSeen | undefined> {
  const { findService, withService } = await import('../service/find.ts')
  const address = flags.target === undefined ? findService(flags, session) : undefined
  if (address === undefined) return undefined
  try {
    return await withService(address, async (service) => {
      const key = keyOf(application)
      const app = (await service.apps(signal)).find((one) => one.key === key)
      if (app === undefined) return undefined
      const resources = await service.resources(key, signal)
      const { sync, health } = app
      return resources.length === 0 ? undefined : { sync, health, resources, kept: [] }
    })
  } catch {
    // one that does not answer, or does not let us: what runs can be looked at from here too
    signal.throwIfAborted()
    return undefined
  }
}

/** Looks at what runs, by its labels. Whether that is everything nobody knows. */
async function seenByLabels(
  { application, source }: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
): Promise<AppSeen> {
  const blind = 'nothing is kept of what was applied, so there is nothing to compare with'
  try {
    const reached = await context.session.reach(flags, application.kind, engineIn(source))
    const { kind, target } = reached.ports(ownerOf(context.session.instance, application))
    const world = await worldOf(application, target, context)
    const looker = { kind, target, clock: context.session.clock }
    const found = { resources: resourcesIn(world).map(({ resource }) => resource) }
    const seen = { world, plan: { groups: [], skipped: [] } }
    const looks = await lookAtHealth(found, seen, looker, context.signal)
    return { ...assess(found, seen, looks, kind), kept: [], blind }
  } catch (thrown) {
    context.signal.throwIfAborted()
    const reason = problemOf(thrown).message
    return { ...unknownAssessment([], reason), kept: [], blind: `${blind}; ${reason}` }
  }
}

/** The state follows from what runs. A run that failed since then is shown beside it. */
function failedSince(
  last: RunRecord | undefined,
  inForce: RunRecord | undefined,
): readonly string[] {
  if (last?.outcome !== 'failed' || inForce === undefined || last.number === inForce.number) {
    return []
  }
  const end = last.isRolledBack ? 'failed and was rolled back' : 'failed'
  return [`run ${last.number} ${end}; in force is run ${inForce.number}`]
}

/** The application is well if everything is, and failed if nothing that has a health is well. */
function stateOf({ resources, blind }: AppSeen): State {
  const withHealth = resources.filter(({ health }) => health !== undefined)
  if (blind !== undefined || resources.some(({ sync }) => sync.state === 'unknown'))
    return 'unknown'
  if (withHealth.length > 0 && withHealth.every(isBad)) return 'failed'
  return resources.every(isWell) ? 'healthy' : 'degraded'
}

function isBad({ sync, health }: ResourceAssessment): boolean {
  return sync.state === 'missing' || (sync.state === 'synced' && health?.state === 'failed')
}

function isWell({ sync, health }: ResourceAssessment): boolean {
  return sync.state === 'synced' && (health === undefined || health.state === 'healthy')
}

/** The one word that the list shows for a resource. That it is not as declared counts before how it works. */
function resourceStatus({ ref, sync, health }: ResourceAssessment): ResourceStatus {
  if (sync.state !== 'synced') {
    const state = sync.state === 'syncing' ? 'waiting' : sync.state
    return { ref, state, reason: sync.reason, drift: sync.changes, sync, health }
  }
  if (health === undefined) return { ref, state: 'ok', reason: '', drift: [], sync, health }
  const { state, reason } = health
  return { ref, state: words[state], reason, drift: [], sync, health }
}

const words = {
  healthy: 'healthy',
  progressing: 'waiting',
  degraded: 'unhealthy',
  failed: 'unhealthy',
  unknown: 'unknown',
} as const

async function assessed(
  { application, since, source }: ApplicationRecord,
  rendered: Rendered,
  flags: Flags,
  { session, signal }: CommandContext,
): Promise<AppSeen> {
  const { instance, clock } = session
  try {
    const reached = await session.reach(flags, application.kind, engineIn(source))
    const { kind, target } = reached.ports(ownerOf(instance, application))
    const asked = { application, instance, rendered, revision: '', since }
    const seen = await preview(asked, { kind, target }, signal)
    const looks = await lookAtHealth(rendered, seen, { kind, target, clock }, signal)
    return { ...assess(rendered, seen, looks, kind), kept: seen.plan.kept }
  } catch (thrown) {
    signal.throwIfAborted()
    const reason = problemOf(thrown).message
    const refs = rendered.resources.map(({ ref }) => ref)
    return {
      ...unknownAssessment(refs, reason),
      kept: [],
      ...(refs.length === 0 ? { blind: reason } : {}),
    }
  }
}
