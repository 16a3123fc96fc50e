/** The last lines of a run: counts, duration, whether it went back, status. */
import type { Outcome, Summary } from '#model/event.ts'
import { box } from './layout.ts'
import type { ViewOptions } from './view-options.ts'
import type { Paint } from './paint.ts'
import { gapWords } from './results.ts'
import type { RunSummary } from './run-summary.ts'
import { seconds } from './labels.ts'

export function summaryLines(run: RunSummary, view: ViewOptions): readonly string[] {
  const { ended } = run
  if (ended === undefined) return []
  const { summary, outcome } = ended
  const isIdle = run.groups.length === 0 && outcome === 'succeeded'
  const unchanged =
    isIdle || (view.isVerbose && summary.unchanged > 0) ? `, ${summary.unchanged} unchanged` : ''
  const counts = `${summary.created} created, ${summary.updated} updated, ${summary.deleted} deleted`
  const hasErrors = summary.failed + summary.skipped > 0
  const isWell = outcome === 'succeeded' && !hasErrors
  return [
    ...box('Summary'),
    `Resources: ${counts}${unchanged}`,
    ...(hasErrors ? [errorLine(summary)] : []),
    ...(ended.isRolledBack ? [rolledBack(run, view)] : untouched(run, view)),
    ...(isWell ? [`Duration: ${seconds(ended.milliseconds)}`] : []),
    `Status: ${statusWord(outcome, hasErrors, view.paint)}`,
    ...(isWell || view.isVerbose || outcome === 'interrupted' || !hasMore(run)
      ? []
      : ['', 'Use --verbose for detailed error information']),
  ]
}

/** "Errors: 1 failed, 2 skipped" */
function errorLine({ failed, skipped }: Pick<Summary, 'failed' | 'skipped'>): string {
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `Errors: ${parts.join(', ')}`
}

/** Whether `--verbose` would show anything more. */
function hasMore({ groups, problems, plan }: RunSummary): boolean {
  const told = [...problems, ...(plan?.skipped ?? []).map(({ problem }) => problem)]
  return (
    groups.length > 0 ||
    told.some(({ cause, code }) => code === 'bug' || (cause !== undefined && cause !== ''))
  )
}

export function plannedLines(summary: RunSummary, view: ViewOptions): readonly string[] {
  const planned = { create: 0, update: 0, delete: 0 }
  for (const { group } of summary.groups) {
    planned[group.step === 'replace' ? 'update' : group.step] += 1
  }
  const unchanged = summary.plan?.unchanged.length ?? 0
  const isIdle = summary.groups.length === 0
  const rest = isIdle || (view.isVerbose && unchanged > 0) ? `, ${unchanged} unchanged` : ''
  const errors = summary.ended?.summary ?? { failed: 0, skipped: 0 }
  const hasErrors = errors.failed + errors.skipped > 0
  return [
    ...box('Summary'),
    `Planned: ${planned.create} create, ${planned.update} update, ${planned.delete} delete${rest}`,
    ...(hasErrors ? [errorLine(errors)] : []),
    isIdle ? (hasErrors ? 'Nothing would be changed' : 'Nothing to change') : view.apply,
  ]
}

/** The run failed before its first step. */
function untouched(
  { ended, plan, groups, problems }: RunSummary,
  view: ViewOptions,
): readonly string[] {
  if (ended?.outcome !== 'failed' || plan?.isFirst !== false || view.before === undefined) return []
  const isBegun = groups.some(
    ({ phase, isUndone }) => isUndone || phase === 'done' || phase === 'passed',
  )
  // what could not be put back has its own words
  const isLost = problems.some(({ ref }) => groups.some(({ group }) => group.ref === ref))
  if (isBegun || isLost || groups.length === 0) return []
  return [`Nothing was changed: everything runs as after run ${view.before}`]
}

function rolledBack(summary: RunSummary, view: ViewOptions): string {
  const gaps = gapWords(summary, seconds)
  const run = summary.ended?.rolledBackTo ?? view.before
  const as = run === undefined ? 'before' : `after run ${run}`
  return `Rolled back: everything runs as ${as}${gaps === '' ? '' : `; ${gaps}`}`
}

function statusWord(outcome: Outcome, hasErrors: boolean, paint: Paint): string {
  if (outcome === 'interrupted') return paint('yellow', 'Interrupted')
  return outcome === 'succeeded' && !hasErrors ? paint('green', 'Success') : paint('red', 'Failed')
}
