/** What every part of apply works with: the parts, the options, the stream of events. */
import type { Clock } from '#model/clock.ts'
import type { Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Vault } from '#model/vault.ts'
import type { News } from './news.ts'
import type { Progress, Standing } from './progress.ts'
import type { Limit } from './tasks.ts'

type Without<Item> = Item extends unknown ? Omit<Item, 'at'> : never

/** An event without its time, which is put on where it is sent. */
export type Told = Without<Event>

export type Tell = {
  (event: Told): void
  /** Resolves when the journal holds everything told so far. */
  kept(): Promise<void>
}

export type ApplyOptions = {
  readonly isAtomic: boolean
  readonly waits: boolean
  readonly timeout: number
  readonly concurrency: number
  readonly removesAnyway?: boolean
}

export type Workshop = {
  readonly plan: Plan
  readonly target: Target
  readonly clock: Clock
  readonly vault: Vault
  readonly news: News
  readonly limit: Limit
  readonly tell: Tell
  readonly options: ApplyOptions
  readonly progress: Progress
  /** What `look` needs for a resource that the run leaves alone. */
  readonly subjects: ReadonlyMap<Ref, Json>
  /** What has to be healthy beside what the run changes. */
  readonly gates: readonly { readonly ref: Ref; readonly subject: Json }[]
  /** The user asked to stop: calls under way end, nothing new begins. */
  readonly stop: AbortSignal
  /** For calls: aborted only when the process gives up. */
  readonly calls: AbortSignal
}

/** Whether a failure of this run puts everything back. */
export function goesBack(workshop: Workshop): boolean {
  return workshop.options.isAtomic && !workshop.plan.isFirst
}

/** The first one that puts everything back. */
export function failureOf(workshop: Workshop): Standing | undefined {
  return workshop.progress.failed.find((standing) => !isDispensable(workshop, standing))
}

/** All who wait for it said that they can do without: its failure takes nothing of theirs back. */
function isDispensable({ plan }: Workshop, { group: { ref } }: Standing): boolean {
  const waits = plan.groups.flatMap(({ needs }) => needs.filter((need) => need.ref === ref))
  return waits.length > 0 && waits.every(({ isOptional }) => isOptional === true)
}

export function fail(workshop: Workshop, standing: Standing, problem: ProblemFacts): void {
  if (standing.phase === 'failed' || standing.phase === 'skipped') return
  standing.phase = 'failed'
  workshop.progress.failed.push(standing)
  standing.problem = problem
  const { ref, step } = standing.group
  const milliseconds = workshop.clock.now() - standing.beganAt
  workshop.tell({ type: 'group', ref, step, phase: 'failed', problem, milliseconds })
}

/** Not its own fault: something it waits for failed, or the run was stopped. */
export function holdBack(workshop: Workshop, standing: Standing, problem: ProblemFacts): void {
  if (standing.phase === 'failed' || standing.phase === 'skipped') return
  standing.phase = 'skipped'
  standing.problem = problem
  const { ref, step } = standing.group
  workshop.tell({ type: 'group', ref, step, phase: 'skipped', problem })
}

export function interruption(ref: Ref): ProblemFacts {
  const message = 'not done: the run was interrupted'
  return { type: 'runtime', code: 'interrupted', ref, message, recoverable: true }
}
