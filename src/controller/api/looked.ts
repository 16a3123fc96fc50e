/** Each resource of an application with both answers, without ever waiting long for an engine: what can't be seen is unknown. */
import { assess, unknownAssessment } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import type { Preview } from '#engine/preview.ts'
import type { Look, Rendered } from '#model/domain.ts'
import { problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ResourceStatus } from '#model/service.ts'
import type { ServiceState } from '../state/service-state.ts'
import { isProvenClean, previewFor } from '../monitor/detect-drift.ts'
import { isLeftHalf } from '../decide/backoff.ts'
import { renderDesired, renderInForce } from '../sources/desired-state.ts'
import type { AppState } from '../state/app-state.ts'
import { withSince } from '../state/since.ts'

export type Looked = {
  /** What is in force, or what failed and was not undone; of what never ran, what its source says. */
  readonly rendered: Rendered
  readonly resources: readonly ResourceStatus[]
  /** Undefined: it was not looked at, because nobody had to or nobody could. */
  readonly seen: Preview | undefined
}

/** How long an engine may take to answer, ms: a page that stands open is worth more than its last word. */
const patience = 4_000

/** `mustSee`: also where it is known that nothing drifted. */
export async function lookedAt(
  service: ServiceState,
  app: AppState,
  signal: AbortSignal,
  mustSee = false,
): Promise<Looked> {
  const rendered = await renderedFor(service, app)
  const now = service.dependencies.clock.now()
  const since = app.persisted.answers?.health.since ?? now
  const problem = app.monitor?.problem()
  if (app.monitor === undefined || problem !== undefined) {
    const why = problem?.message ?? 'it is not known where it runs'
    return unseen(rendered, why, since, app.monitor?.since() ?? now)
  }
  const each: ReadonlyMap<Ref, Look> = app.health?.each ?? new Map()
  if (!mustSee && isProvenClean(app) && app.seen?.listed !== undefined) {
    const { kind } = app.monitor.connection().ports(app.owner, app.declared)
    const world = new Map(rendered.resources.map(({ ref }) => [ref, asRecorded] as const))
    const { resources } = assess(rendered, { world, plan: nothingToDo }, each, kind)
    return { rendered, seen: undefined, resources: withSince(app, resources, now) }
  }
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  try {
    const { kind, target } = app.monitor.connection().ports(app.owner, app.declared)
    const seen = await previewFor(service, app, rendered, limited)
    const others = rendered.resources.filter(({ ref }) => !each.has(ref))
    const { clock } = service.dependencies
    const looks = await lookAtHealth({ resources: others }, seen, { kind, target, clock }, limited)
    const { resources } = assess(rendered, seen, new Map([...looks, ...each]), kind)
    return { rendered, seen, resources: withSince(app, resources, clock.now()) }
  } catch (thrown) {
    signal.throwIfAborted()
    const late = `it took longer than ${patience / 1000} s to look`
    return unseen(rendered, limited.aborted ? late : problemOf(thrown).message, since, now)
  }
}

const asRecorded = {
  kind: 'present',
  recorded: undefined,
  outputs: {},
  live: null,
  spares: [],
} as const
const nothingToDo = { groups: [], skipped: [] }

/** Throws a problem where not even that is known what it declares. */
async function renderedFor(service: ServiceState, app: AppState): Promise<Rendered> {
  return (await renderTried(service, app)) ?? (await renderDesired(service, app)).rendered
}

/** What a run was last to bring about: also one that failed and left what it had made. Undefined: there was none. */
export async function renderTried(
  service: ServiceState,
  app: AppState,
): Promise<Rendered | undefined> {
  const { persisted, fault, branch } = app
  const isReadable = fault === undefined && branch?.snapshot !== undefined
  if (!isReadable || !isLeftHalf(persisted)) return renderInForce(service, app)
  return (await renderDesired(service, app)).rendered
}

/** `blindSince`: since when nobody sees whether it is in sync, ms. */
function unseen(rendered: Rendered, reason: string, since: number, blindSince: number): Looked {
  const refs = rendered.resources.map(({ ref }) => ref)
  const resources = unknownAssessment(refs, reason).resources.map(({ ref, sync, health }) => ({
    ref,
    sync: { ...sync, since: blindSince },
    health: health && { ...health, since },
  }))
  return { rendered, seen: undefined, resources }
}
