/** How an application is: what was applied against what runs, and a look at what could be unhealthy. */
import { planOf } from '#engine/plan/plan.ts'
import { keyOf, ownerOf, type Application } from '#model/application.ts'
import type { Kind, Look, Rendered } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Gate, Group, Plan, Skipped } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk, Memory } from '../session.ts'
import type { ResourceStatus, State, Status } from '../views/status.ts'
import { engineIn } from './engine.ts'
import { shownPath } from './shown-path.ts'
import { lastGood, renderedFrom } from '#store/past.ts'
import { sourceOf } from './source.ts'

export async function statusOf(
  record: ApplicationRecord,
  flags: Flags,
  desk: Desk,
  { store, key }: Memory,
): Promise<Status> {
  const { application, lastRun } = record
  const past = await lastGood(application, store)
  const seed = await desk.session.seed(key, keyOf(application), record.since)
  const rendered = past && renderedFrom(past.snapshot, seed)
  const resources = rendered === undefined ? [] : await seenOf(record, rendered, flags, desk)
  const isHalfDone = lastRun?.outcome === 'failed' && !lastRun.isRolledBack
  const { path } = sourceOf(record.source)
  const engine = flags.target ?? engineIn(record.source)?.address ?? null
  const run = past?.run ?? lastRun
  return {
    kind: application.kind,
    name: application.name,
    namespace: application.namespace,
    version: rendered?.version ?? '',
    state: stateOf(resources, isHalfDone),
    run: run?.number ?? 0,
    since: run?.endedAt ?? run?.startedAt ?? record.since,
    path: path === null ? null : shownPath(path),
    engine,
    resources,
  }
}

/** All is well only if everything is; nothing is well if no container is. */
function stateOf(resources: readonly ResourceStatus[], isHalfDone: boolean): State {
  const running = resources.filter(({ ref }) => kindOf(ref) === 'container')
  function isBad({ state }: ResourceStatus): boolean {
    return state === 'unhealthy' || state === 'missing'
  }
  if (resources.some(({ state }) => state === 'unknown')) return 'unknown'
  if (running.length > 0 && running.every(isBad)) return 'failed'
  const isWell = resources.every(({ state }) => state === 'healthy' || state === 'ok')
  return isWell && !isHalfDone && resources.length > 0 ? 'healthy' : 'degraded'
}

async function seenOf(
  { application, since, source }: ApplicationRecord,
  rendered: Rendered,
  flags: Flags,
  { session, signal }: Desk,
): Promise<readonly ResourceStatus[]> {
  const owner = ownerOf(session.instance, application)
  const wanted = rendered.resources
  try {
    const runtime = await session.runtime(flags, application.kind, engineIn(source))
    const quiet = { refresh: false, signal, report: () => undefined }
    const world = await runtime.target.observe({ owner, wanted, ...quiet })
    const { version } = rendered
    const identity = { owner, application, version, revision: '', since }
    const allowed = { recreateVolumes: false, pruneVolumes: false }
    const plan = planOf({ rendered, world, kind: runtime.kind, identity, allowed })
    const found = foundBy(plan)
    const gate = gates[application.kind] ?? 'healthy'
    const look: Looking = (ref, subject) => runtime.target.look(ref, subject, gate, signal)
    return await Promise.all(
      wanted.map((resource) => resourceStatus(resource, found, world, runtime.kind, look)),
    )
  } catch (thrown) {
    signal.throwIfAborted()
    const reason = problemOf(thrown).message
    return wanted.map(({ ref }) => ({ ref, state: 'unknown', reason, drift: [] }))
  }
}

/** A service without a check can't be healthy in Compose's sense: what has started and passes its check, if it has one, is well. */
const gates: Readonly<Partial<Record<Application['kind'], Gate>>> = { stack: 'started' }

type Looking = (ref: Ref, subject: Json) => Promise<Look>

type Found = {
  readonly groups: ReadonlyMap<Ref, Group>
  readonly skipped: ReadonlyMap<Ref, Skipped>
}

function foundBy(plan: Plan): Found {
  return {
    groups: new Map(plan.groups.map((group) => [group.ref, group])),
    skipped: new Map(plan.skipped.map((one) => [one.ref, one])),
  }
}

/** What an unchanged upgrade would have to do is what drifted. */
async function resourceStatus(
  resource: Resource,
  found: Found,
  world: Observation,
  kind: Kind,
  look: Looking,
): Promise<ResourceStatus> {
  const { ref } = resource
  const seen = world.get(ref)
  const skipped = found.skipped.get(ref)
  if (skipped !== undefined) {
    return { ref, state: 'unknown', reason: skipped.problem.message, drift: [] }
  }
  const group = found.groups.get(ref)
  if (seen?.kind !== 'present' || group?.step === 'create') {
    return { ref, state: 'missing', reason: 'it does not exist', drift: [] }
  }
  if (group !== undefined) {
    return { ref, state: 'drifted', reason: group.cause, drift: group.changes }
  }
  if (kindOf(ref) !== 'container') return { ref, state: 'ok', reason: '', drift: [] }
  const seenNow = await look(ref, kind.subject(resource, seen))
  const states = { ok: 'healthy', waiting: 'waiting', failed: 'unhealthy' } as const
  return { ref, state: states[seenNow.state], reason: seenNow.message, drift: [] }
}
