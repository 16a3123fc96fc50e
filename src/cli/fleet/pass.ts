/** One pass over a fleet: rows are read under the lease of the table, a run is made, and its result is looked at. */
import { reconcile } from '#engine/reconcile.ts'
import { requestOf, type Request } from '#engine/request.ts'
import { codeAfterRun, lookAfterRun, type AfterRun, type RunTold } from '#kinds/fleet/after-run.ts'
import { noteFailure } from '#kinds/fleet/note-failure.ts'
import type { RunResult } from '#kinds/fleet/asked.ts'
import { fleetApplication } from '#kinds/fleet/application.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { heldLeases, tableLeases } from '#kinds/fleet/table-leases.ts'
import type { Clusters } from '#model/clusters.ts'
import type { Rendered, Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import { Problem } from '#model/problem.ts'
import type { Lease } from '#model/store.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { progressLines } from '#domains/fleet/look/progress-lines.ts'
import { renderFleet } from '#domains/fleet/render/render.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { FleetContext, RunOptions } from '#domains/fleet/fleet-context.ts'
import type { Flags } from '../arguments/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import { showRun } from '../show-run.ts'
import { localTime } from '../views/view-options.ts'
import type { RunSummary } from '../views/run-summary.ts'
import { withWho } from '../application/with-who.ts'

export type Pass = {
  readonly run: RunSummary
  readonly summary: AfterRun['summary']
  /** Undefined when the run ended before anything could be seen. */
  readonly verified: AfterRun['verified'] | undefined
  readonly code: number
}

type PassInput = {
  readonly clusters: Clusters
  readonly settings: FleetSettings
  readonly options: RunOptions
  readonly doing: string
  readonly isDryRun: boolean
  /** The lease of a caller that makes several passes without a gap. */
  readonly lease?: Lease
}

/** Reads the rows once the lease is held: while this waits for it, another process may change them. A dry run needs no lease. */
export async function pass(input: PassInput, flags: Flags, context: CommandContext): Promise<Pass> {
  const { clusters, settings, options, lease } = input
  const { session, signal } = context
  const read = (): Promise<FleetContext> => openFleetContext(clusters, settings, options, session)
  let fleet: FleetContext | undefined
  let broken: unknown
  async function render(): Promise<Rendered> {
    try {
      fleet = await read()
      return renderFleet({ ...fleet, database: clusters.file })
    } catch (thrown) {
      broken = thrown
      throw thrown
    }
  }
  const { store } = await session.memory()
  const leases = lease === undefined ? tableLeases(clusters) : heldLeases(lease)
  const [kind, target] = [
    fleetKind(options.recreates ? 'asked' : 'told later'),
    targetOn(() => fleet),
  ]
  const request = await passRequest(render, input, flags, context)
  try {
    const parts = { kind, target, clock: session.clock, store, leases }
    const events = noted(reconcile(request, parts, signal), input)
    const shown = { ...input, file: clusters.file }
    const summary = await showFleetRun(events, shown, flags, context)
    // who could not even begin has nothing to sum up
    if (broken !== undefined) throw broken
    if (fleet === undefined) throw new Problem(summary.problems[0] ?? interrupted)
    return await judged(fleet, read, summary, input, context)
  } finally {
    fleet?.close()
  }
}

/** What fails is written into its row at once. */
async function* noted(
  events: AsyncIterable<Event>,
  { clusters, isDryRun }: PassInput,
): AsyncIterable<Event> {
  for await (const event of events) {
    if (!isDryRun) await noteFailure(clusters, event)
    yield event
  }
}

export const interrupted = { type: 'runtime', code: 'interrupted', message: 'interrupted' } as const

/** The target works with the rows that were read for this run. */
function targetOn(context: () => FleetContext | undefined): Target {
  function target(): Target {
    const now = context()
    if (now === undefined) throw new TypeError('rows are read before anything is looked at')
    return fleetTarget(now)
  }
  return {
    observe: (request) => target().observe(request),
    operate: (operation, context) => target().operate(operation, context),
    look: (...asked) => target().look(...asked),
    watch: (...asked) => target().watch(...asked),
  }
}

const pause = 250

/** Takes the lease for several passes: it is held from the first to the last. */
export async function leaseOf(
  { clusters }: Pick<PassInput, 'clusters'>,
  flags: Flags,
  { session, screen, signal }: CommandContext,
): Promise<Lease> {
  const { clock, holder } = session
  const deadline = clock.now() + flags.timeout
  for (let isTold = false; ; isTold = true) {
    const taken = await tableLeases(clusters).take('', holder)
    if ('release' in taken) return taken
    const since = localTime(taken.since)
    if (!isTold) screen.note(`Waiting for another run to end: ${taken.name}, since ${since}`)
    if (clock.now() >= deadline) {
      throw new Problem({
        type: 'runtime',
        code: 'held',
        message: `another run of this fleet goes on: ${taken.name}`,
        suggestion: 'wait for it to end; a killed one lets go by itself within seconds',
      })
    }
    await clock.sleep(pause, signal)
  }
}

/** Prints a run as it happens. `doing`: the words for it. */
export function showFleetRun(
  events: AsyncIterable<Event>,
  { doing, file, options: { mode }, isDryRun }: Shown,
  flags: Flags,
  { screen }: CommandContext,
): Promise<RunSummary> {
  const isWatched = screen.live !== undefined || screen.format !== 'table' || flags.isVerbose
  const lineOf = isWatched || isDryRun ? undefined : progressLines()
  async function* noting(): AsyncIterable<Event> {
    for await (const event of events) {
      const line = lineOf?.(event)
      if (line !== undefined) screen.note(line)
      yield event
    }
  }
  return showRun(
    noting(),
    {
      doing,
      subject: file,
      isVerbose: flags.isVerbose,
      explains: true,
      paint: screen.paint,
      before: undefined,
      apply:
        flags.fleet.isFromDb || mode !== 'reconcile'
          ? 'Run without --dry-run to apply changes'
          : 'Run with --from-db in place of --dry-run to apply changes',
      time: localTime,
    },
    flags.isVerbose ? screen : { ...screen, format: 'json' },
  )
}

type Shown = Pick<PassInput, 'doing' | 'isDryRun' | 'options'> & { readonly file: string }

async function passRequest(
  render: Request['render'],
  { clusters, settings, options, isDryRun }: PassInput,
  flags: Flags,
  { session }: CommandContext,
): Promise<Request> {
  const application = fleetApplication(settings)
  const { store } = await session.memory()
  const known = await store.application(application)
  const { timeout, concurrency, allowEmpty, allowMassDelete } = flags
  const none = { recreateVolumes: false, pruneVolumes: false }
  const trigger = 'manual'
  return requestOf({
    application,
    instance: session.instance,
    trigger,
    isDryRun,
    render,
    // a cluster carries no label that it could be written on
    revision: '',
    since: known?.since ?? session.clock.now(),
    source: withWho({ database: clusters.file, mode: options.mode }, trigger),
    holder: session.holder,
    // one cluster that fails is nobody else's trouble
    options: {
      ...none,
      isAtomic: false,
      removesAnyway: true,
      waits: true,
      timeout,
      concurrency,
      allowEmpty,
      allowMassDelete,
    },
  })
}

async function judged(
  context: FleetContext,
  read: () => Promise<FleetContext>,
  summary: RunSummary,
  { options, isDryRun }: PassInput,
  { session, screen, signal }: CommandContext,
): Promise<Pass> {
  const { plan, groups } = summary
  if (plan === undefined) return unplanned(summary)
  const ended = new Map(groups.map(({ group, phase, problem }) => [group.ref, { phase, problem }]))
  const told: RunTold = { plan, ended, outcome: summary.ended?.outcome, isDryRun }
  const after = await lookAfterRun(context, read, told, signal)
  return passOf(summary, { after, told }, options, { session, screen })
}

/** Nothing could be seen. */
export function unplanned(run: RunSummary): Pass {
  return { run, summary: [], verified: undefined, code: exitCodeOf(run, true) }
}

/** What a run came to. */
export function passOf(
  run: RunSummary,
  { after, told }: Pick<RunResult, 'after' | 'told'>,
  options: RunOptions,
  { session, screen }: Pick<CommandContext, 'session' | 'screen'>,
): Pass {
  if (after.undeclared !== '') screen.note(`Warning: ${after.undeclared}`)
  const isVerified = session.environment['SKIP_DB_VERIFY'] !== '1'
  const code = codeAfterRun(after, told, options, exitCodeOf(run, true), isVerified)
  return { run, summary: after.summary, verified: after.verified, code }
}
