/** Carries out one run: adopts what may be adopted, reconciles, and marks the result on the target. */
import { reconcile } from '#engine/reconcile.ts'
import type { GuardOptions } from '#engine/plan/guard.ts'
import { requestOf, type Options, type Parts, type Request } from '#engine/request.ts'
import type { Rendered } from '#model/domain.ts'
import type { Event, EventOf, Outcome, Summary, Trigger } from '#model/event.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Allowed } from '#model/service.ts'
import type { ServiceState } from '../state/service-state.ts'
import { guardFor } from '../guards/removal-guard.ts'
import type { Marked, Ports } from '#model/connection.ts'
import { checkRight } from '../guards/check-right.ts'
import { adoptFor, explainLeft } from './adopt.ts'
import { kindFor } from '../sources/desired-state.ts'
import type { RecordedRun } from '../sources/recorded-run.ts'
import { discoveredByText } from '../discovery/discovered-by.ts'
import { refusalIn } from '../guards/refused-plan.ts'
import { touch, type AppState } from '../state/app-state.ts'
import { noteGate } from '../state/gate-waits.ts'
import { defined } from '#model/defined.ts'

export type Wanted = {
  readonly hash: string
  readonly revision: string
  readonly message: string
  readonly rendered: Rendered
  /** Of an application that comes from no source: what is kept with the run, and whether the run before is still the last one. */
  readonly recorded?: Pick<RecordedRun, 'source' | 'isStill'>
}

export type Result = {
  readonly at: number
  readonly outcome: Outcome
  readonly isRolledBack: boolean
  readonly summary: Summary
  readonly problem: ProblemFacts | undefined
  /** The problem is one of a removal. */
  readonly isPruning?: boolean
  readonly number: number | undefined
}

const nothing = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

export const failed = {
  outcome: 'failed',
  isRolledBack: false,
  summary: nothing,
  number: undefined,
} as const

/** Without something that is wanted everything goes. */
export async function executeRun(
  service: ServiceState,
  app: AppState,
  wanted: Wanted | undefined,
  trigger: Trigger,
  allowed?: Allowed,
): Promise<Result> {
  const { clock } = service.dependencies
  const ports = portsFor(app, wanted)
  const left =
    wanted === undefined ? [] : await adoptFor(service, app, wanted, allowed?.adopts === true)
  const request = runRequest(service, app, wanted, ports, trigger, allowed)
  let end: EventOf<'ended'> | undefined
  let number: number | undefined
  let problem: ProblemFacts | undefined
  let isPruning = false
  const { interruption = new AbortController() } = app
  for await (const event of reconcile(
    request,
    partsOf(service, ports),
    AbortSignal.any([service.stop, interruption.signal]),
  )) {
    await ports.hear?.(event)
    service.emit({ type: 'run', key: app.key, event })
    count(service, event)
    if (event.type === 'warning') tellWarning(service, app, event)
    if (noteGate(app, event)) {
      touch(app)
      service.wake()
    }
    if (event.type === 'opened') number = event.run
    if (event.type === 'ended') end = event
    const found = problemIn(event)
    if (problem === undefined && found !== undefined) {
      isPruning = event.type === 'group' && event.step === 'delete'
    }
    problem ??= found
  }
  const told = (about: ProblemFacts): ProblemFacts =>
    explainLeft((wanted && kindFor(service, app).explain?.(about, wanted.rendered)) ?? about, left)
  const { isRolledBack, summary } = end ?? failed
  const outcome = outcomeOf(end, wanted, problem)
  const at = clock.now()
  const changed = summary.created + summary.updated + summary.deleted > 0
  if (outcome === 'succeeded') await mark(service, app, wanted, at, changed)
  return {
    at,
    outcome,
    isRolledBack,
    summary,
    number,
    isPruning: isPruning && wanted !== undefined,
    problem: outcome === 'succeeded' || problem === undefined ? undefined : told(problem),
  }
}

/** What a run would do now: with its request and its ports, and nothing is applied or remembered. */
export async function* dryRun(
  service: ServiceState,
  app: AppState,
  wanted: Wanted,
  trigger: Trigger,
  allowed?: Allowed,
): AsyncIterable<Event> {
  const ports = portsFor(app, wanted)
  const request = { ...runRequest(service, app, wanted, ports, trigger, allowed), isDryRun: true }
  for await (const event of reconcile(request, partsOf(service, ports), service.stop)) {
    await ports.hear?.(event)
    yield event
  }
}

function portsFor(app: AppState, wanted: Wanted | undefined): Ports {
  if (app.monitor === undefined) throw nowhere(app)
  return app.monitor.connection().ports(app.owner, wanted && app.declared)
}

function partsOf({ dependencies }: ServiceState, { kind, target, leases }: Ports): Parts {
  const { clock, store } = dependencies
  return { kind, target, clock, store, leases: leases ?? dependencies.leases }
}

/** Another run came first, and what was to be repaired is in force no more: nothing was done, and nothing failed. */
function outcomeOf(
  end: EventOf<'ended'> | undefined,
  wanted: Wanted | undefined,
  problem: ProblemFacts | undefined,
): Outcome {
  const { outcome } = end ?? failed
  const isOvertaken = wanted?.recorded !== undefined && problem === undefined
  return outcome === 'refused' && isOvertaken ? 'interrupted' : outcome
}

/** The first thing that went wrong is the cause of what follows. */
function problemIn(event: Event): ProblemFacts | undefined {
  if (event.type === 'problem') return event.problem
  if (event.type === 'group' && event.phase === 'failed') return event.problem
  if (event.type === 'planned') return refusalIn(event.plan)
  return undefined
}

const toldOf = new WeakMap<AppState, Set<string>>()
const mostTold = 100

/** Once, though every run meets it again. What a render warns of is told when it is rendered. */
function tellWarning(service: ServiceState, app: AppState, event: EventOf<'warning'>): void {
  const { ref, text: warning } = event
  const told = toldOf.get(app) ?? new Set()
  toldOf.set(app, told)
  if (ref === undefined || told.has(warning) || told.size >= mostTold) return
  told.add(warning)
  service.dependencies.log('warning', 'a run warns', { app: app.key, resource: ref, warning })
}

function count(service: ServiceState, event: Event): void {
  if (event.type !== 'group' || !['passed', 'failed', 'skipped', 'undone'].includes(event.phase))
    return
  service.metrics.count('tend_steps_total', { step: event.step, outcome: event.phase })
}

const patience = 30_000

function runRequest(
  service: ServiceState,
  app: AppState,
  wanted: Wanted | undefined,
  ports: Ports,
  trigger: Trigger,
  allowed: Allowed | undefined,
): Request {
  const { instance, holder } = service.dependencies
  const { application, persisted } = app
  const by = allowed?.by ?? (trigger === app.cause.trigger ? app.cause.by : undefined)
  return requestOf({
    application,
    instance,
    trigger,
    superseded: app.applying?.superseded.signal,
    render: wanted && (() => ports.render?.() ?? wanted.rendered),
    revision: wanted?.revision ?? '',
    since: persisted.since,
    source: wanted?.recorded ? unnamed(wanted.recorded.source) : sourceFor(app, wanted, by),
    holder,
    ...(wanted?.recorded === undefined ? {} : { approve: wanted.recorded.isStill }),
    options: {
      ...optionsFor(app, trigger),
      ...guardFor(app, wanted?.revision ?? '', allowed),
      pruneVolumes: allowed?.prunesVolumes === true,
      ...(kindFor(service, app).removesAnyway ? { removesAnyway: true } : {}),
    },
  })
}

function sourceFor(
  { branch, declared, monitor }: AppState,
  wanted: Wanted | undefined,
  by: string | undefined,
): JsonRecord {
  const address = monitor?.address() ?? ''
  // commands find it there again; what TLS takes is not known here
  const engine = /^(unix|ssh):/.test(address) ? { engine: { address } } : {}
  return {
    ...engine,
    path: [branch?.status.shown ?? '', declared?.path ?? '']
      .filter((part) => part !== '')
      .join('/'),
    revision: wanted?.revision ?? '',
    message: wanted?.message ?? '',
    ...(by === undefined ? {} : { by }),
  }
}

/** Whoever applied it before did not ask for this run. */
function unnamed(source: Json): Json {
  if (!isRecord<Json>(source)) return source
  const { by: _, ...rest } = source
  return rest
}

/** A repair that fails has nothing to go back to. */
function optionsFor({ declared }: AppState, trigger: Trigger): Omit<Options, keyof GuardOptions> {
  const { rollback = 'auto', timeout = 60_000, concurrency = 8 } = declared?.policy ?? {}
  return {
    isAtomic: rollback === 'auto' && trigger !== 'drift',
    // by its record: what starts slowly holds up no other repair
    waits: declared?.record === undefined,
    timeout,
    concurrency,
    recreateVolumes: false,
    pruneVolumes: false,
  }
}

/** A run that went well is no failure because it could not be marked: the next look finds the mark missing. */
async function mark(
  service: ServiceState,
  app: AppState,
  wanted: Wanted | undefined,
  at: number,
  changed: boolean,
): Promise<void> {
  const { from } = app.persisted
  const discovery = service.declarations.discoveries.find(({ name }) => name === from)
  const news: Marked | undefined = wanted && {
    revision: wanted.revision,
    hash: wanted.hash,
    outcome: 'succeeded',
    at,
    changed,
    ...(discovery === undefined ? {} : { foundBy: discoveredByText(discovery) }),
  }
  try {
    checkRight(service, app.key)
    await defined(app.monitor).connection().mark?.(app.owner, news, AbortSignal.timeout(patience))
  } catch (thrown) {
    const why = problemOf(thrown).message
    service.dependencies.log('warning', 'could not be marked', { app: app.key, why })
  }
}

function nowhere({ key }: AppState): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `it is not known where ${key} runs`,
  })
}
