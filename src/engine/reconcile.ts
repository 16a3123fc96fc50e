/** The whole road in one function: render, observe, plan, apply, settle, record. */
import { ownerOf } from '#model/application.ts'
import type { Kind, Rendered, Target } from '#model/domain.ts'
import type { Event, Outcome, Summary } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation, Observed } from '#model/resource.ts'
import type { Lease } from '#model/store.ts'
import { vaultOf } from '#model/vault.ts'
import { apply, leftAlone, type Applied } from './apply/apply.ts'
import { watchFeed } from './apply/watch-feed.ts'
import { progressOf } from './apply/progress.ts'
import { retried } from './apply/retry.ts'
import { limitOf } from './apply/tasks.ts'
import { channelOf } from './channel.ts'
import { withLease } from './with-lease.ts'
import { guard } from './plan/guard.ts'
import { preview } from './preview.ts'
import { recorderOf, type Recorder } from './recorder.ts'
import type { Parts, Request } from './request.ts'

/** Never throws: whatever goes wrong is told, and the last event is always `ended`. */
export function reconcile(
  request: Request,
  parts: Parts,
  signal: AbortSignal,
): AsyncIterable<Event> {
  const channel = channelOf<Event>()
  const recorder = recorderOf(request, parts, (event) => channel.push(event))
  void runReconcile(request, parts, signal, recorder).then(
    () => channel.close(),
    (reason: unknown) => channel.fail(reason),
  )
  return channel.stream
}

type End = { readonly outcome: Outcome; readonly isRolledBack: boolean; readonly summary: Summary }

async function runReconcile(
  request: Request,
  parts: Parts,
  signal: AbortSignal,
  recorder: Recorder,
): Promise<void> {
  const { emit } = recorder
  const { application, trigger, isDryRun } = request
  emit({ type: 'started', application, trigger, isDryRun })
  async function toTheEnd(work: () => Promise<End | undefined>): Promise<void> {
    const end = await work().catch((thrown: unknown) => failedEnd(thrown, signal, recorder))
    if (end !== undefined) await recorder.end(end)
  }
  if (isDryRun) return toTheEnd(() => reconcileOnce(request, parts, signal, recorder, undefined))
  return toTheEnd(() =>
    withLease(request, parts, signal, emit, async (stop, lease) => {
      await toTheEnd(() => reconcileOnce(request, parts, stop, recorder, lease))
      return undefined
    }),
  )
}

function failedEnd(thrown: unknown, signal: AbortSignal, { emit }: Recorder): End {
  const problem = signal.aborted
    ? new Problem({ type: 'runtime', code: 'interrupted', message: 'interrupted' })
    : problemOf(thrown)
  emit({ type: 'problem', problem: factsOf(problem) })
  const failure = problem.type === 'configuration' ? 'refused' : 'failed'
  const outcome = signal.aborted ? 'interrupted' : failure
  return { outcome, isRolledBack: false, summary: nothing }
}

async function reconcileOnce(
  request: Request,
  parts: Parts,
  stop: AbortSignal,
  recorder: Recorder,
  lease: Lease | undefined,
): Promise<End> {
  const { target, clock } = parts
  const { emit } = recorder
  const rendered = request.isUninstall ? emptyRender() : await request.render()
  emit({
    type: 'rendered',
    version: rendered.version,
    resources: rendered.resources.map(({ ref, needs }) => ({ ref, needs })),
    warnings: rendered.warnings,
  })
  for (const problem of rendered.problems) emit({ type: 'problem', problem })
  if (rendered.problems.some(({ type }) => type === 'configuration')) return refused

  const { world, plan } = await retried(
    () =>
      preview(
        {
          ...request,
          rendered,
          allowed: request.options,
          refresh: !request.isDryRun && request.trigger === 'manual',
          precedesRun: !request.isDryRun,
          report: (ref, text) => emit({ type: 'progress', ref, text }),
        },
        parts,
        stop,
      ),
    clock,
    stop,
    ({ problem }) => emit({ type: 'progress', ref: '', text: problem.message }),
  )
  guardRemovals(request, rendered, world, plan)
  emit({ type: 'planned', plan })
  if (!request.isDryRun && parts.kind.isWhole === true && plan.skipped.length > 0)
    return refusedEnd(plan)
  const stops = stoppers(plan, parts.kind, request)
  if (request.isDryRun && stops.length > 0) emit({ type: 'warning', text: wouldStop })
  if (!request.isDryRun) for (const problem of stops) emit({ type: 'problem', problem })
  if (!request.isDryRun && stops.length > 0) return refusedEnd(plan)
  const isIdle = plan.groups.length === 0
  const gates = await gatesFor(request, parts, rendered.resources)
  if ((isIdle && gates.length === 0) || request.isDryRun) {
    // what was refused as a whole was never installed
    if (!request.isDryRun && plan.skipped.length === 0) await recorder.note(rendered, lease)
    return withRenderProblems(idle(plan, request.isDryRun), rendered)
  }
  if (!isIdle) {
    if (request.approve !== undefined && !(await request.approve(plan))) return refused
    await recorder.open(rendered, lease)
  }
  const feed = watchFeed(target, ownerOf(request.instance, request.application))
  try {
    const { options } = request
    const limit = limitOf(options.concurrency)
    const progress = progressOf(plan.groups)
    const subjects = subjectsOf(rendered, world, parts)
    const calls = lease?.lost ?? new AbortController().signal
    const origins = new Map(rendered.resources.map(({ ref, origin }) => [ref, origin]))
    const shared = { plan, target, clock, feed, limit, emit, options, progress, subjects, gates }
    const { superseded = new AbortController().signal } = request
    const ends = { stop, calls, superseded, lease }
    const applied = await apply({ ...shared, ...ends, origins, vault: rendered.vault })
    // only waited: what was well in the end is worth a note, as when nothing had to be waited for
    if (isIdle && applied.outcome === 'succeeded') await recorder.note(rendered, lease)
    return withRenderProblems(applied, rendered)
  } finally {
    await feed.close()
  }
}

async function gatesFor(
  { application, options, isDryRun }: Request,
  { target, store }: Parts,
  wanted: Rendered['resources'],
): Promise<Gates> {
  if (!options.waits || isDryRun || target.gates === undefined) return []
  // without the history the gates are those of a first run
  const known = await store.application(application).catch(() => undefined)
  return target.gates(wanted, known?.lastRun?.outcome === 'succeeded')
}

type Gates = ReturnType<NonNullable<Target['gates']>>

/** Refuses a plan that removes too much. An uninstall is meant to remove everything. */
function guardRemovals(
  { application, options, isUninstall }: Request,
  { resources }: Rendered,
  world: Observation,
  plan: Plan,
): void {
  if (isUninstall) return
  const existing = [...world.values()].filter(isMade).length
  guard(plan, { declared: resources.length, existing }, application, options)
}

function isMade(seen: Observed): boolean {
  return seen.kind === 'present' && seen.isGiven !== true
}

function subjectsOf(
  rendered: Rendered,
  world: Observation,
  { kind }: Parts,
): ReadonlyMap<Ref, Json> {
  const subjects = new Map<Ref, Json>()
  for (const resource of rendered.resources) {
    const seen = world.get(resource.ref)
    if (seen?.kind === 'present' && resource.problems.length === 0) {
      subjects.set(resource.ref, kind.subject(resource, seen))
    }
  }
  return subjects
}

const nothing = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

const refused = { outcome: 'refused', isRolledBack: false, summary: nothing } as const

/** A dry run warns with this sentence; the plan says what was refused. */
const wouldStop = 'a run now would be refused as a whole, and nothing would be made or changed'

/** The problems that keep the run from touching anything. A repair goes as far as it can. */
function stoppers({ skipped }: Plan, kind: Kind, { trigger }: Request): readonly ProblemFacts[] {
  if (trigger === 'drift') return []
  return skipped.map(({ problem }) => problem).filter((problem) => kind.stops?.(problem) === true)
}

function refusedEnd({ skipped, unchanged }: Plan): End {
  const summary = { ...nothing, unchanged: unchanged.length, skipped: skipped.length }
  return { outcome: 'refused', isRolledBack: false, summary }
}

/** A document without a readable name is no resource that could be skipped, and still a fault of the run. */
function withRenderProblems(applied: Applied, { problems }: Rendered): Applied {
  if (applied.outcome !== 'succeeded' || problems.length === 0) return applied
  return { ...applied, outcome: 'failed' }
}

/** The result where nothing was to be done or touched. What could not be planned still counts. */
function idle(plan: Plan, isDryRun: boolean): Applied {
  const summary = { ...nothing, unchanged: plan.unchanged.length, ...leftAlone(plan) }
  const outcome = plan.skipped.length > 0 ? 'failed' : 'succeeded'
  if (!isDryRun) return { outcome, isRolledBack: false, summary }
  const count = (steps: readonly string[]): number =>
    plan.groups.filter(({ step }) => steps.includes(step)).length
  const planned = {
    created: count(['create']),
    updated: count(['update', 'replace']),
    deleted: count(['delete']),
  }
  return { outcome, isRolledBack: false, summary: { ...summary, ...planned } }
}

function emptyRender(): Rendered {
  const vault = vaultOf(new Map(), new Uint8Array())
  return {
    resources: [],
    problems: [],
    warnings: [],
    isIncomplete: false,
    version: '',
    vault,
  }
}
