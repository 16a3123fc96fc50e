/** The result of a run of a fleet: its clusters are looked at once more, and every row gets its line in the summary. */
import { observeClusters, type ClusterObservations } from '#domains/fleet/observe/clusters.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import { undeclaredClusters, undeclaredText } from '#domains/fleet/observe/undeclared-clusters.ts'
import { summaryOf, type Ended, type SummaryItem } from '#domains/fleet/look/summary.ts'
import { verified, verifyCode, type Verified } from '#domains/fleet/look/verify.ts'
import type { ClusterRow } from '#model/clusters.ts'
import type { Event, Outcome } from '#model/event.ts'
import type { Plan } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'

/** What the events of a run say about it. */
export type RunTold = {
  readonly plan: Plan
  readonly ended: ReadonlyMap<Ref, Ended>
  readonly outcome: Outcome | undefined
  readonly isDryRun: boolean
}

export type AfterRun = {
  readonly summary: readonly SummaryItem[]
  readonly verified: Verified
  /** Clusters that Tend made and no row names any more, in words; empty: none. */
  readonly undeclared: string
}

/** `renew` reads the rows again: a run that did something has changed them. */
export async function lookAfterRun(
  context: FleetContext,
  renew: () => Promise<FleetContext>,
  told: RunTold,
  signal: AbortSignal,
): Promise<AfterRun> {
  const { plan, ended, isDryRun } = told
  const isUntouched = isDryRun || plan.groups.length === 0
  const after = isUntouched ? context : await renew()
  const known = isUntouched ? (context.memory.observations ?? new Map()) : undefined
  const seen = verified(after, known ?? (await observationsAfter(after, context, signal)))
  const isAsked = context.options.mode === 'reconcile' && !signal.aborted
  const records = new Map(seen.records.map((record) => [record.name, record]))
  return {
    summary: summaryOf({ rows: context.declared.rows, plan, ended, isDryRun, records }),
    verified: seen,
    undeclared: isAsked ? undeclaredText(await undeclaredClusters(after, signal)) : '',
  }
}

const lastLook = 10_000

/** After an interruption only a short look is taken. What was made before it is there, whatever the plan says. */
async function observationsAfter(
  after: FleetContext,
  before: FleetContext,
  signal: AbortSignal,
): Promise<ClusterObservations> {
  const isPresent = ({ desired }: ClusterRow): boolean => desired === 'present'
  if (!signal.aborted) return observeClusters(after, isPresent, signal)
  try {
    return await observeClusters(after, isPresent, AbortSignal.timeout(lastLook))
  } catch {
    // nothing more could be seen in that time: what was seen before is told
    return before.memory.observations ?? new Map()
  }
}

/** The exit code of a dry run that found something to do. */
const driftFound = 3

/** The exit code: 0 all is as declared, 10 a cluster is missing, 11 states differ. `failure` is the exit code that the run alone would have. */
export function codeAfterRun(
  { summary, verified: seen }: AfterRun,
  told: RunTold,
  { mode }: Pick<FleetContext['options'], 'mode'>,
  failure: number,
  isVerified: boolean,
): number {
  const seenCode = mode === 'reconcile' ? verifyCode(seen) : 0
  const verdict = isVerified ? (told.isDryRun && seenCode !== 0 ? driftFound : seenCode) : 0
  // what is only noted down is nothing that anybody would have to look at
  const isNoted = failure === driftFound && !summary.some(({ result }) => result === 'planned')
  const isTold = failure === 1 && seenCode !== 0 && isOnlyDrift(told)
  const code = isNoted || isTold ? 0 : failure
  return code === 0 ? verdict : code
}

/** Whether nothing failed, and clusters were only left as they are until somebody decides about them, together with what depends on them. */
function isOnlyDrift({ plan: { skipped }, ended, outcome }: RunTold): boolean {
  if (outcome === 'interrupted' || [...ended.values()].some(({ phase }) => phase === 'failed'))
    return false
  return (
    skipped.length > 0 &&
    skipped.every(({ problem }) => ['name_taken', 'gone', 'needs_failed'].includes(problem.code))
  )
}

/** Gathers what a stream of events tells; undefined: nothing could be planned. */
export function runToldBy(events: readonly Event[]): RunTold | undefined {
  const planned = events.find((event) => event.type === 'planned')
  if (planned === undefined) return undefined
  const ended = new Map<Ref, Ended>()
  for (const event of events) {
    if (event.type !== 'group' || event.phase === 'undone') continue
    const { phase, problem = ended.get(event.ref)?.problem } = event
    ended.set(event.ref, { phase, problem })
  }
  const end = events.find((event) => event.type === 'ended')
  const started = events.find((event) => event.type === 'started')
  return { plan: planned.plan, ended, outcome: end?.outcome, isDryRun: started?.isDryRun === true }
}
