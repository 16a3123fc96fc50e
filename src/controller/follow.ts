/** The road of one run: taken over, applied, marked. */
import { reconcile } from '#engine/reconcile.ts'
import type { GuardOptions } from '#engine/plan/guard.ts'
import { requestOf, type Options, type Request } from '#engine/request.ts'
import type { Rendered } from '#model/domain.ts'
import type { Event, EventOf, Outcome, Summary, Trigger } from '#model/event.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Allowed } from '#model/service.ts'
import type { Board } from './board.ts'
import { guardFor } from './guard-for.ts'
import type { Marked, Orphan } from '#model/connection.ts'
import { kindFor, renderAnswer, renderedOf, wishOf } from './desired.ts'
import { foundByText } from './found-by.ts'
import { refusalIn } from './refusals.ts'
import { unchanged } from '#model/unchanged.ts'
import type { Unit } from './unit.ts'

export type Wanted = {
  readonly hash: string
  readonly revision: string
  readonly message: string
  readonly rendered: Rendered
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
export async function follow(
  board: Board,
  unit: Unit,
  wanted: Wanted | undefined,
  trigger: Trigger,
  allowed?: Allowed,
): Promise<Result> {
  const { store, leases, clock } = board.parts
  if (unit.post === undefined) throw nowhere(unit)
  const { kind, target } = unit.post.connection().ports(unit.owner, wanted && unit.declared)
  if (wanted !== undefined) await adopt(board, unit, wanted)
  const request = requestFor(board, unit, wanted, trigger, allowed)
  let end: EventOf<'ended'> | undefined
  let number: number | undefined
  let problem: ProblemFacts | undefined
  let isPruning = false
  const { interruption = new AbortController() } = unit
  for await (const event of reconcile(
    request,
    { kind, target, clock, store, leases },
    AbortSignal.any([board.stop, interruption.signal]),
  )) {
    board.tell({ type: 'run', key: unit.key, event })
    count(board, event)
    if (event.type === 'opened') number = event.run
    if (event.type === 'ended') end = event
    const found = problemIn(event)
    if (problem === undefined && found !== undefined) {
      isPruning = event.type === 'group' && event.step === 'delete'
    }
    problem ??= found
  }
  const told = (about: ProblemFacts): ProblemFacts =>
    (wanted && kindFor(board, unit).explain?.(about, wanted.rendered)) ?? about
  const { outcome, isRolledBack, summary } = end ?? failed
  const at = clock.now()
  if (outcome === 'succeeded') await mark(board, unit, wanted, at)
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

/** The first thing that went wrong is the cause of what follows. */
function problemIn(event: Event): ProblemFacts | undefined {
  if (event.type === 'problem') return event.problem
  if (event.type === 'group' && event.phase === 'failed') return event.problem
  if (event.type === 'planned') return refusalIn(event.plan)
  return undefined
}

function count(board: Board, event: Event): void {
  if (event.type !== 'group' || !['passed', 'failed', 'skipped', 'undone'].includes(event.phase))
    return
  board.metrics.count('tend_steps_total', { step: event.step, outcome: event.phase })
}

/** What docker-cd started under this name, and nobody else owns, is taken over as it is. */
async function adopt(board: Board, unit: Unit, { rendered, revision }: Wanted): Promise<void> {
  const { post, application, owner, memo, declared, branch } = unit
  const orphan = post?.sight()?.orphans.get(application.name)
  const isFirst = memo.synced === undefined && board.declarations.isOrigin
  const snapshot = branch?.snapshot
  if (!isFirst || orphan === undefined || declared === undefined || snapshot === undefined) return
  const connection = post?.connection()
  if (connection?.adopt === undefined) return
  const { clock, log } = board.parts
  const started = await renderedAsStarted(board, unit, rendered, orphan)
  const identity = { owner, application, version: rendered.version, revision, since: memo.since }
  const signal = AbortSignal.timeout(patience)
  const { matching, differing } = await connection.adopt(started, identity, clock.now(), signal)
  const counts = { matching: matching.length, differing: differing.length }
  if (counts.matching + counts.differing > 0) log('info', 'adopted', { app: unit.key, ...counts })
}

async function renderedAsStarted(
  board: Board,
  unit: Unit,
  rendered: Rendered,
  orphan: Orphan,
): Promise<Rendered> {
  const wish = wishOf(board, unit)
  const answer = await renderAnswer(board, unit, wish, undefined, orphan)
  return answer === unchanged ? rendered : renderedOf(board, unit, wish, answer)
}

const patience = 30_000

function requestFor(
  board: Board,
  unit: Unit,
  wanted: Wanted | undefined,
  trigger: Trigger,
  allowed: Allowed | undefined,
): Request {
  const { instance, holder } = board.parts
  const { application, memo } = unit
  return requestOf({
    application,
    instance,
    trigger,
    render: wanted && (() => wanted.rendered),
    revision: wanted?.revision ?? '',
    since: memo.since,
    source: sourceFor(unit, wanted),
    holder,
    options: { ...optionsFor(unit, trigger), ...guardFor(unit, wanted?.revision ?? '', allowed) },
  })
}

function sourceFor({ branch, declared, post }: Unit, wanted: Wanted | undefined): JsonRecord {
  const address = post?.address() ?? ''
  // commands find it there again; what TLS takes is not known here
  const engine = /^(unix|ssh):/.test(address) ? { engine: { address } } : {}
  return {
    ...engine,
    path: [branch?.status.shown ?? '', declared?.path ?? '']
      .filter((part) => part !== '')
      .join('/'),
    revision: wanted?.revision ?? '',
    message: wanted?.message ?? '',
  }
}

/** A repair that fails has nothing to go back to. */
function optionsFor({ declared }: Unit, trigger: Trigger): Omit<Options, keyof GuardOptions> {
  const { rollback = 'auto', timeout = 60_000, concurrency = 8 } = declared?.policy ?? {}
  return {
    isAtomic: rollback === 'auto' && trigger !== 'drift',
    waits: true,
    timeout,
    concurrency,
    recreateVolumes: false,
    pruneVolumes: false,
  }
}

/** A run that went well is no failure because it could not be marked: the next look finds the mark missing. */
async function mark(
  board: Board,
  unit: Unit,
  wanted: Wanted | undefined,
  at: number,
): Promise<void> {
  const { from } = unit.memo
  const discovery = board.declarations.discoveries.find(({ name }) => name === from)
  const news: Marked | undefined = wanted && {
    revision: wanted.revision,
    hash: wanted.hash,
    outcome: 'succeeded',
    at,
    ...(discovery === undefined ? {} : { foundBy: foundByText(discovery) }),
  }
  try {
    await unit.post!.connection().mark?.(unit.owner, news, AbortSignal.timeout(patience))
  } catch (thrown) {
    const why = problemOf(thrown).message
    board.parts.log('warning', 'could not be marked', { app: unit.key, why })
  }
}

function nowhere({ key }: Unit): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `it is not known where ${key} runs`,
  })
}
