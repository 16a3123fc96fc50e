/** The one answer to "how is it?": sync from a preview, health from looks, for each resource and for the application. Pure. */
import type { Assessment, Health, ResourceAssessment, Sync } from '#model/assessment.ts'
import type { Kind, Look, Rendered } from '#model/domain.ts'
import type { Outcome } from '#model/event.ts'
import type { Group, Plan } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'

/** What a preview gives, or as much of it as is known. */
export type AssessedResource = {
  readonly world: Observation
  readonly plan: Pick<Plan, 'groups' | 'skipped'>
}

/** `looks`: one for each resource that has a health of its own and is there (`look-at-health.ts` takes them). */
export function assess(
  { resources }: Pick<Rendered, 'resources'>,
  { world, plan }: AssessedResource,
  looks: ReadonlyMap<Ref, Look>,
  kind: Pick<Kind, 'healthGate'>,
): Assessment {
  const groups = new Map(plan.groups.map((group) => [group.ref, group]))
  const skipped = new Map(plan.skipped.map(({ ref, problem }) => [ref, problem.message]))
  const declared = resources.map(({ ref }): ResourceAssessment => {
    const sync = syncOf(ref, world, groups.get(ref), skipped.get(ref))
    return { ref, sync, health: hasHealth(ref, kind) ? healthOf(sync, looks.get(ref)) : undefined }
  })
  const all = [...declared, ...leftOver(plan)]
  return { sync: rolledUpSync(all), health: rolledUpHealth(all), resources: all }
}

/** Whether each declared resource is in sync, where nobody asks for its health. */
export function syncOfEach(
  { resources }: Pick<Rendered, 'resources'>,
  seen: AssessedResource,
): readonly Pick<ResourceAssessment, 'ref' | 'sync'>[] {
  return assess({ resources }, seen, new Map(), {}).resources
}

/** When nothing could be looked at: everything is unknown, for one reason. */
export function unknownAssessment(refs: readonly Ref[], reason: string): Assessment {
  const answer = { state: 'unknown', reason } as const
  const resources = refs.map((ref) => ({ ref, sync: { ...answer, changes: [] }, health: answer }))
  return { sync: answer, health: answer, resources }
}

/** The health of an application that only its runs show: the outcome of the last one. */
export function healthAfterRun(
  outcome: Outcome | undefined,
  reason: string,
): Pick<Health, 'state' | 'reason'> {
  if (outcome === undefined) return { state: 'unknown', reason: 'no run of it ended yet' }
  if (outcome === 'interrupted') return { state: 'unknown', reason: 'its last run was cut off' }
  return outcome === 'succeeded' ? { state: 'healthy', reason: '' } : { state: 'failed', reason }
}

/** Whatever a run of the same declaration would have to change has drifted. */
function syncOf(
  ref: Ref,
  world: Observation,
  group: Group | undefined,
  problem: string | undefined,
): ResourceAssessment['sync'] {
  if (problem !== undefined) return { state: 'unknown', reason: problem, changes: [] }
  if (world.get(ref)?.kind !== 'present' || group?.step === 'create') {
    return { state: 'missing', reason: 'it does not exist', changes: [] }
  }
  if (group === undefined) return { state: 'synced', reason: '', changes: [] }
  return { state: 'drifted', reason: group.cause, changes: group.changes }
}

const healthOfLook = { ok: 'healthy', waiting: 'progressing', failed: 'failed' } as const

function hasHealth(ref: Ref, kind: Pick<Kind, 'healthGate'>): boolean {
  return kind.healthGate?.(ref) !== undefined
}

/** A resource that is missing does not work; one that could not be looked at is unknown. */
function healthOf({ state: sync, reason: why }: Sync, look: Look | undefined): Health {
  if (look === undefined) return { state: sync === 'missing' ? 'failed' : 'unknown', reason: why }
  return healthIn(look)
}

/** What one look at a resource says of its health. */
export function healthIn({ state, message, details, restartCount, exitCode }: Look): Health {
  return {
    state: healthOfLook[state],
    reason: message,
    ...(details === undefined ? {} : { details }),
    ...(restartCount === undefined ? {} : { restartCount }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

/** Resources with our owner that are not declared: a failed run left them behind. */
function leftOver({ groups }: Pick<Plan, 'groups'>): readonly ResourceAssessment[] {
  const reason = 'it is not part of what was last applied well'
  return groups
    .filter(({ step }) => step === 'delete')
    .map(({ ref }) => ({
      ref,
      sync: { state: 'drifted', reason, changes: [] },
      health: undefined,
    }))
}

function rolledUpSync(resources: readonly ResourceAssessment[]): Sync {
  const all = resources.map(({ ref, sync }) => ({ ref, ...sync }))
  if (all.length > 0 && all.every(({ state }) => state === 'missing')) {
    return { state: 'missing', reason: 'nothing of it exists' }
  }
  const worst =
    all.find(({ state }) => state === 'drifted' || state === 'missing') ??
    all.find(({ state }) => state === 'unknown')
  if (worst === undefined) return { state: 'synced', reason: '' }
  const state = worst.state === 'unknown' ? 'unknown' : 'drifted'
  return { state, reason: `${worst.ref}: ${worst.reason}` }
}

/** The health of an application, from the health of its resources. */
export function rolledUpHealth(
  resources: readonly Pick<ResourceAssessment, 'ref' | 'health'>[],
): Health {
  const all = resources.flatMap(({ ref, health }) =>
    health === undefined ? [] : { ref, ...health },
  )
  const inState = (state: Health['state']) => all.filter((one) => one.state === state)
  const [failed] = inState('failed')
  if (failed !== undefined) {
    const isAll = inState('failed').length === all.length
    const { ref, ...health } = failed
    return { ...health, state: isAll ? 'failed' : 'degraded', reason: `${ref}: ${failed.reason}` }
  }
  for (const state of ['unknown', 'progressing'] as const) {
    const [first] = inState(state)
    if (first !== undefined) return { state, reason: `${first.ref}: ${first.reason}` }
  }
  return { state: 'healthy', reason: '' }
}
