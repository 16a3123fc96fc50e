/** What every file of apply works with: the ports, the options, the stream of events. */
import type { Clock } from '#model/clock.ts'
import type { Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Lease } from '#model/store.ts'
import type { Vault } from '#model/vault.ts'
import type { WatchFeed } from './watch-feed.ts'
import type { Progress, Standing } from './progress.ts'
import type { Limit } from './tasks.ts'

type Without<Item> = Item extends unknown ? Omit<Item, 'at'> : never

/** An event without its time, which is added when it is sent. */
export type EmittedEvent = Without<Event>

export type Emit = {
  (event: EmittedEvent): void
  /** Resolves when the journal holds everything that was emitted so far. */
  kept(): Promise<void>
}

export type ApplyOptions = {
  readonly isAtomic: boolean
  readonly waits: boolean
  readonly timeout: number
  readonly concurrency: number
  readonly removesAnyway?: boolean
}

export type ApplyContext = {
  readonly plan: Plan
  readonly target: Target
  readonly clock: Clock
  readonly vault: Vault
  readonly feed: WatchFeed
  readonly limit: Limit
  readonly emit: Emit
  readonly options: ApplyOptions
  readonly progress: Progress
  /** What `look` needs for a resource that the run leaves alone. */
  readonly subjects: ReadonlyMap<Ref, Json>
  /** Where each resource is declared. */
  readonly origins: ReadonlyMap<Ref, Place>
  /** What has to be healthy beside what the run changes. */
  readonly gates: readonly { readonly ref: Ref; readonly subject: Json }[]
  /** The user asked to stop: calls under way end, nothing new begins. */
  readonly stop: AbortSignal
  /** Something newer is to be applied, named by the reason: what is under way is brought to its end, and health is not waited for. */
  readonly superseded: AbortSignal
  /** For calls: aborted only when the right to make them is lost. */
  readonly calls: AbortSignal
  /** The right to change anything; undefined: nothing is changed. */
  readonly lease: Lease | undefined
}

/** Whether a failure of this run undoes everything. */
export function goesBack(context: ApplyContext): boolean {
  return context.options.isAtomic && !context.plan.isFirst
}

/** The first failure for which everything is undone. */
export function failureOf(context: ApplyContext): Standing | undefined {
  return context.progress.failed.find((standing) => !isDispensable(context, standing))
}

/** Whether every resource that waits for this one declared that it can go on without it. Its failure then undoes nothing of theirs. */
function isDispensable({ plan }: ApplyContext, { group: { ref } }: Standing): boolean {
  const waits = plan.groups.flatMap(({ needs }) => needs.filter((need) => need.ref === ref))
  return waits.length > 0 && waits.every(({ isOptional }) => isOptional === true)
}

export function fail(context: ApplyContext, standing: Standing, told: ProblemFacts): void {
  if (standing.phase === 'failed' || standing.phase === 'skipped') return
  standing.phase = 'failed'
  context.progress.failed.push(standing)
  const { ref, step } = standing.group
  const at = told.at ?? context.origins.get(ref)
  // a refusal names the line that asks for what is refused
  const isRefusal = told.code === 'denied' || told.code === 'not_possible_here'
  const problem = isRefusal && at !== undefined ? { ...told, at } : told
  standing.problem = problem
  const milliseconds = context.clock.now() - standing.beganAt
  context.emit({ type: 'group', ref, step, phase: 'failed', problem, milliseconds })
}

/** The problem of a resource that was not begun, because something it waits for failed or the run was stopped. */
export function holdBack(context: ApplyContext, standing: Standing, problem: ProblemFacts): void {
  if (standing.phase === 'failed' || standing.phase === 'skipped') return
  standing.phase = 'skipped'
  standing.problem = problem
  const { ref, step } = standing.group
  context.emit({ type: 'group', ref, step, phase: 'skipped', problem })
}

export function interruption(ref: Ref): ProblemFacts {
  const message = 'not done: the run was interrupted'
  return { type: 'runtime', code: 'interrupted', ref, message, recoverable: true }
}

export function supersession({ superseded }: ApplyContext, what: string, ref?: Ref): ProblemFacts {
  const message = `${what}: ${String(superseded.reason)}`
  return { type: 'runtime', code: 'superseded', ref, message, recoverable: true }
}
