/** Since when each resource of an application is in sync or not, and well or not: from the moment it was first seen so. */
import type { Health, ResourceAssessment, Since } from '#model/assessment.ts'
import type { Ref } from '#model/ref.ts'
import type { ResourceStatus } from '#model/service.ts'
import type { AppState } from './app-state.ts'

type Held = Since & { readonly state: string }
type Noted = { readonly sync: Held; readonly health?: Held | undefined }

/** By applications as the service has them in memory. What was before this process began is told of the application as a whole. */
const noted = new WeakMap<AppState, Map<Ref, Noted>>()

/** Called with what each comparison finds. */
export function noteSyncs(
  app: AppState,
  resources: readonly Pick<ResourceAssessment, 'ref' | 'sync'>[],
  now: number,
): void {
  const before = noted.get(app)
  const whole = app.persisted.answers?.sync
  const after = resources.map(({ ref, sync: { state } }) => {
    const known = before?.get(ref)
    return [ref, { ...known, sync: heldSince(state, known?.sync ?? whole, now) }] as const
  })
  noted.set(app, new Map(after))
}

/** What was just found of each, noted and told. */
export function withSince(
  app: AppState,
  resources: readonly ResourceAssessment[],
  now: number,
): readonly ResourceStatus[] {
  noteSyncs(app, resources, now)
  const known = noted.get(app)
  return resources.map((one) => {
    const { sync, health: before } = known?.get(one.ref) ?? { sync: { since: now, state: '' } }
    const told = { ref: one.ref, sync: { ...one.sync, since: sync.since } }
    if (one.health === undefined) return { ...told, health: undefined }
    const health = heldSince(one.health.state, before ?? firstOf(app, one.health), now)
    known?.set(one.ref, { sync: { state: one.sync.state, since: sync.since }, health })
    const since = judgedSince(app, one.ref) ?? health.since
    return { ...told, health: { ...one.health, since } }
  })
}

/** It was seen that nothing of it drifts any more. */
export function markAllSynced(app: AppState, now: number): void {
  const known = noted.get(app)
  for (const [ref, one] of known ?? []) {
    if (one.sync.state !== 'synced')
      known?.set(ref, { ...one, sync: { state: 'synced', since: now } })
  }
}

function heldSince(state: string, known: Held | undefined, now: number): Held {
  return known?.state === state ? { state, since: known.since } : { state, since: now }
}

/** One that works while the application does not has worked since it was applied; others are as the application is. */
function firstOf(
  { persisted: { answers, synced } }: AppState,
  { state }: Health,
): Held | undefined {
  const isBetter = state === 'healthy' && answers?.health.state !== state
  const since = isBetter ? synced?.at : answers?.health.since
  return since === undefined ? undefined : { state, since }
}

function judgedSince({ monitor, seen }: AppState, ref: Ref): number | undefined {
  const id = seen?.listed?.find((one) => one.ref === ref)?.id
  return id === undefined ? undefined : monitor?.records.judgedSince(id)
}
