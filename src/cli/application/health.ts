/** How an application is: what was applied against what runs, and a look at what could be unhealthy. */
import { setTimeout as sleep } from 'node:timers/promises'
import { preview } from '#engine/preview.ts'
import { keyOf, type Application, type LastSync } from '#model/application.ts'
import type { Kind, Look, Rendered } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Gate, Group, Plan, Skipped } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observation, Present, Resource } from '#model/resource.ts'
import type { ApplicationRecord, RunRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk, Memory, Runtime } from '../session.ts'
import type { ResourceStatus, State, Status } from '../views/status.ts'
import { engineIn } from './engine.ts'
import { resourcesIn, worldOf } from './forgotten.ts'
import { lastGood } from '#store/past.ts'
import { renderedAgain } from './rendered-again.ts'
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
  const rendered = past && renderedAgain(past.snapshot, seed)
  const seen =
    rendered === undefined
      ? await seenByLabels(record, flags, desk)
      : await seenOf(record, rendered, flags, desk)
  const { path } = sourceOf(record.source)
  const engine = flags.target ?? engineIn(record.source)?.address ?? null
  const run = past?.run ?? lastRun
  return {
    kind: application.kind,
    name: application.name,
    namespace: application.namespace,
    version: rendered?.version ?? record.recalled?.version ?? '',
    state: stateOf(seen),
    run: run?.number ?? 0,
    since: run?.endedAt ?? run?.startedAt ?? record.recalled?.last?.at ?? record.since,
    path,
    engine,
    resources: seen.resources,
    kept: seen.kept,
    notes: [
      ...(seen.blind === undefined ? [] : [seen.blind]),
      ...failedSince(lastRun, run),
      ...markedAs(record.recalled?.last),
    ],
  }
}

/** The stack's marker outlives the history. */
function markedAs(last: LastSync | undefined): readonly string[] {
  if (last === undefined) return []
  const { hash, outcome = 'taken over' } = last
  return [`its marker says of the last run: ${outcome}, of everything wanted ${hash.slice(0, 12)}`]
}

type Seen = {
  readonly resources: readonly ResourceStatus[]
  /** No longer declared, and kept all the same. */
  readonly kept: Plan['kept']
  /** Why nothing could be seen, where no resource is there to tell it. */
  readonly blind?: string
}

/** What runs of it can be looked at; whether that is all of it nobody knows. */
async function seenByLabels(
  { application, source }: ApplicationRecord,
  flags: Flags,
  desk: Desk,
): Promise<Seen> {
  const blind = 'nothing is kept of what was applied, so there is nothing to compare with'
  try {
    const runtime = await desk.session.runtime(flags, application.kind, engineIn(source))
    const world = await worldOf(application, runtime, desk)
    const look = lookingAt(application, runtime, desk.signal)
    const resources = resourcesIn(world).map(async ({ resource, seen }) =>
      lookedAt(resource, seen, runtime.kind, look),
    )
    return { resources: await Promise.all(resources), kept: [], blind }
  } catch (thrown) {
    desk.signal.throwIfAborted()
    return { resources: [], kept: [], blind: `${blind}; ${problemOf(thrown).message}` }
  }
}

/** Those that have just started are given a moment: after a way back the old ones have. */
function lookingAt({ kind }: Application, { target }: Runtime, signal: AbortSignal): Looking {
  const gate = gates[kind] ?? 'healthy'
  return (ref, subject) => settledLook(() => target.look(ref, subject, gate, signal), signal)
}

/** How it is follows from what runs; a run that failed since then is told beside it. */
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

/** All is well only if everything is; nothing is well if no container is. */
function stateOf({ resources, blind }: Seen): State {
  const running = resources.filter(({ ref }) => kindOf(ref) === 'container')
  function isBad({ state }: ResourceStatus): boolean {
    return state === 'unhealthy' || state === 'missing'
  }
  if (blind !== undefined || resources.some(({ state }) => state === 'unknown')) return 'unknown'
  if (running.length > 0 && running.every(isBad)) return 'failed'
  const isWell = resources.every(({ state }) => state === 'healthy' || state === 'ok')
  return isWell ? 'healthy' : 'degraded'
}

async function seenOf(
  { application, since, source }: ApplicationRecord,
  rendered: Rendered,
  flags: Flags,
  { session, signal }: Desk,
): Promise<Seen> {
  const { instance } = session
  const wanted = rendered.resources
  try {
    const runtime = await session.runtime(flags, application.kind, engineIn(source))
    const asked = { application, instance, rendered, revision: '', since }
    const { world, plan } = await preview(asked, runtime, signal)
    const found = foundBy(plan)
    const look = lookingAt(application, runtime, signal)
    const resources = await Promise.all(
      wanted.map((resource) => resourceStatus(resource, found, world, runtime.kind, look)),
    )
    return { resources: [...resources, ...leftOver(plan)], kept: plan.kept }
  } catch (thrown) {
    signal.throwIfAborted()
    const reason = problemOf(thrown).message
    const resources = wanted.map(
      ({ ref }) => ({ ref, state: 'unknown', reason, drift: [] }) as const,
    )
    return { resources, kept: [], ...(wanted.length === 0 ? { blind: reason } : {}) }
  }
}

/** Ours, and not part of what is in force: what a failed run made and did not take away. */
function leftOver({ groups }: Plan): readonly ResourceStatus[] {
  const extra = groups.filter(({ step }) => step === 'delete')
  const reason = 'it is not part of what was last applied well'
  return extra.map(({ ref }) => ({ ref, state: 'drifted', reason, drift: [] }))
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
  return lookedAt(resource, seen, kind, look)
}

async function lookedAt(
  resource: Resource,
  seen: Present,
  kind: Kind,
  look: Looking,
): Promise<ResourceStatus> {
  const { ref } = resource
  if (kindOf(ref) !== 'container') return { ref, state: 'ok', reason: '', drift: [] }
  const seenNow = await look(ref, kind.subject(resource, seen))
  const states = { ok: 'healthy', waiting: 'waiting', failed: 'unhealthy' } as const
  return { ref, state: states[seenNow.state], reason: seenNow.message, drift: [] }
}

/** ms */
const patience = 2_500

/** The first look that does not say "in a moment", or the last one that there is time for. */
async function settledLook(look: () => Promise<Look>, signal: AbortSignal): Promise<Look> {
  for (let waited = 0; ;) {
    const seen = await look()
    const delay = Math.max(20, seen.againIn ?? Number.POSITIVE_INFINITY)
    waited += delay
    if (seen.state !== 'waiting' || waited > patience) return seen
    await sleep(delay, undefined, { signal })
  }
}
