/** Starts a run and shows it: what all verbs that change something end with. */
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import { kindNamed } from '#kinds/all.ts'
import type { Flags } from '../arguments/invocation.ts'
import { ownerOf } from '#model/application.ts'
import { problemOf } from '#model/problem.ts'
import type { CommandContext, Memory, Reached } from '../session.ts'
import { showRun } from '../show-run.ts'
import { runDocument } from '../views/document.ts'
import { localTime, type ViewOptions } from '../views/view-options.ts'
import type { RunSummary } from '../views/run-summary.ts'
import { isSameEngine, reachFor, withEngine } from './engine.ts'
import { livingRuns } from '#store/past.ts'

export type Heading = Pick<ViewOptions, 'doing' | 'subject'> &
  Partial<Pick<ViewOptions, 'explains' | 'apply'>>

export async function startRun(
  request: Request,
  heading: Heading,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
  notes: () => string = () => '',
): Promise<RunSummary> {
  const summary = await followRun(request, heading, flags, context, memory)
  await tellDocument(summary, context, notes())
  return summary
}

/** A document is printed as a whole, so only when everything is over. */
export async function tellDocument(
  summary: RunSummary,
  { screen }: CommandContext,
  notes = '',
): Promise<void> {
  if (screen.format === 'table') return
  await screen.document(notes === '' ? runDocument(summary) : { ...runDocument(summary), notes })
}

/** Runs without printing the document, for verbs that start several runs. */
export async function followRun(
  request: Request,
  heading: Heading,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
): Promise<RunSummary> {
  const { store, leases } = memory
  const { reached, before: was } = await reachFor(
    request.application,
    request.source,
    flags,
    context,
    memory,
  )
  const { place: engine } = reached
  const { kind, target } = reached.ports(ownerOf(request.instance, request.application))
  const isMoved = was !== undefined && engine !== undefined && !isSameEngine(was, engine)
  if (isMoved) tellMove(request, was.address, context)
  const before = request.isDryRun
    ? undefined
    : (await livingRuns(request.application, store)).find(({ outcome }) => outcome === 'succeeded')
  const events = reconcile(
    { ...request, source: withEngine(request.source, engine), isMoved },
    { kind, target, clock: context.session.clock, store, leases },
    context.signal,
  )
  const viewOptions = {
    ...viewOptionsOf(heading, flags, context, before?.number),
    engine: engine?.address,
  }
  const summary = await showRun(events, viewOptions, context.screen)
  await mark(request, summary, reached, context)
  return { ...summary, engine: engine?.address }
}

function tellMove(
  { application, isUninstall }: Request,
  was: string,
  { screen }: CommandContext,
): void {
  const also = isUninstall ? ', and is no longer known here afterwards' : ''
  screen.note(`Warning: ${application.name} was applied on ${was}; what runs there stays${also}`)
}

/** Marks the run on the target. A run that went well does not fail because of the mark: the next run sets it. */
async function mark(
  request: Request,
  summary: RunSummary,
  reached: Reached,
  context: CommandContext,
): Promise<void> {
  const outcome = summary.ended?.outcome
  if (request.isDryRun || reached.mark === undefined) return
  if (outcome === undefined || outcome === 'refused') return
  // nothing was seen of the engine, so there is nothing to say on it
  if (summary.plan === undefined) return
  const owner = ownerOf(request.instance, request.application)
  const { revision } = request
  const at = context.session.clock.now()
  const isGone = request.isUninstall && outcome === 'succeeded'
  if (request.isUninstall && !isGone) return
  try {
    const hash = isGone ? '' : await hashFor(request)
    const news = isGone ? undefined : { revision, hash, outcome, at }
    await reached.mark(owner, news, AbortSignal.timeout(patience))
  } catch (thrown) {
    context.screen.note(`Warning: the stack could not be marked: ${problemOf(thrown).message}`)
  }
}

async function hashFor(request: Request): Promise<string> {
  const kind = await kindNamed(request.application.kind).load?.()
  return kind?.hashOf(await request.render()) ?? ''
}

const patience = 10_000

export function viewOptionsOf(
  heading: Heading,
  flags: Flags,
  { screen }: CommandContext,
  before: number | undefined,
): ViewOptions {
  return {
    explains: false,
    apply: 'Run without --dry-run to apply changes',
    ...heading,
    isVerbose: flags.isVerbose,
    paint: screen.paint,
    before,
    time: localTime,
  }
}
