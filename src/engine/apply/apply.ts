/** Carries a plan out. Decides nothing: order, concurrency, retries, the way back, reports. */
import type { Summary } from '#model/event.ts'
import type { Plan } from '#model/plan.ts'
import { finish } from './finish.ts'
import { make } from './make.ts'
import { undo } from './undo.ts'
import { failureOf, goesBack, holdBack, supersession, type ApplyContext } from './apply-context.ts'

export type Applied = {
  readonly outcome: 'succeeded' | 'failed' | 'interrupted'
  readonly isRolledBack: boolean
  readonly summary: Summary
}

export async function apply(context: ApplyContext): Promise<Applied> {
  const { progress, stop, options } = context
  await make(context)
  const isUnwell = progress.unwell.length > 0
  const hasFailed = progress.failed.length > 0 || isUnwell
  const isAmiss = failureOf(context) !== undefined || isUnwell
  const isSuperseded = progress.isSuperseded && !hasFailed && !stop.aborted
  let isRolledBack = false
  if (isSuperseded) {
    // the next run finds both, what ran and what was made, as after a run that was cut off
    leaveOrphans(context)
    context.emit({ type: 'problem', problem: supersession(context, 'superseded') })
  } else if ((isAmiss || stop.aborted) && goesBack(context)) {
    isRolledBack = (await undo(context, progress.begun)) && progress.begun.length > 0
    leaveOrphans(context)
  } else {
    if (!context.plan.isFirst) {
      await undo(
        context,
        progress.begun.filter(({ phase }) => phase === 'failed' || phase === 'skipped'),
      )
    }
    if ((hasFailed && options.removesAnyway !== true) || stop.aborted) leaveOrphans(context)
    await finish(context)
  }
  const summary = summaryOf(context)
  const isGood = summary.failed === 0 && summary.skipped === 0 && !isUnwell
  const isWhole = [...progress.standings.values()].every(
    ({ phase }) => phase === 'passed' || phase === 'done',
  )
  const isCut = isSuperseded || (stop.aborted && !isWhole)
  const outcome = isCut ? 'interrupted' : isGood ? 'succeeded' : 'failed'
  return { outcome, isRolledBack, summary }
}

/** Nothing is removed at the end of a failed run, unless the resources have nothing to do with each other. */
function leaveOrphans(context: ApplyContext): void {
  for (const standing of context.progress.standings.values()) {
    const { ref, step } = standing.group
    if (step !== 'delete' || standing.phase !== 'pending') continue
    const message = 'not removed: the run did not succeed'
    holdBack(context, standing, { type: 'dependency', code: 'needs_failed', ref, message })
  }
}

/** Counts what was not begun: a resource that is at fault itself counts as failed, one that waits for such a resource as skipped. */
export function leftAlone({ skipped }: Plan): { failed: number; skipped: number } {
  const waiting = skipped.filter(({ problem }) => problem.type === 'dependency').length
  return { failed: skipped.length - waiting, skipped: waiting }
}

function summaryOf({ progress, plan }: ApplyContext): Summary {
  const counts = { created: 0, updated: 0, deleted: 0, ...leftAlone(plan) }
  for (const { group, phase } of progress.standings.values()) {
    if (phase === 'failed') counts.failed += 1
    else if (phase === 'skipped' || phase === 'pending' || phase === 'begun') counts.skipped += 1
    else if (phase === 'undone') continue
    else if (group.step === 'create') counts.created += 1
    else if (group.step === 'delete') counts.deleted += 1
    else counts.updated += 1
  }
  return { ...counts, unchanged: plan.unchanged.length }
}
