/** The result of each step, as rows. */
import type { Change, Group, Skipped } from '#model/plan.ts'
import { nameOf } from '#model/ref.ts'
import type { Row } from './layout.ts'
import type { ViewOptions } from './view-options.ts'
import { problemDetails } from './problems.ts'
import { formerly, type GroupSummary, type RunSummary } from './run-summary.ts'
import { fieldText, pastOf, skipWords } from './labels.ts'

export function resultRows(summary: RunSummary, view: ViewOptions): readonly Row[] {
  return [
    ...summary.groups.flatMap((told) => groupRows(told, summary, view)),
    ...skippedRows(summary, view),
    ...keptRows(summary),
  ]
}

/** Resources that were not touched and are not in the list of bad input. */
export function skippedRows(summary: RunSummary, view: ViewOptions): readonly Row[] {
  const listed = new Set(summary.problems.map(({ ref }) => ref))
  return (summary.plan?.skipped ?? []).flatMap((one): readonly Row[] => {
    const { ref, problem } = one
    if (listed.has(ref)) return []
    if (problem.type === 'dependency') {
      return [{ ref, indicator: '-', words: skipWords(problem) }]
    }
    const below = problemDetails(problem, { ...summary, isVerbose: view.isVerbose })
    return [{ ref, indicator: '✗', words: leftWords(one, summary.isDryRun), below }]
  })
}

/** A resource that does not exist is not "left as it is". */
function leftWords({ isAbsent }: Skipped, isDryRun: boolean): string {
  if (isAbsent === true) return isDryRun ? 'will not be created' : 'not created'
  return isDryRun ? 'will be left as it is' : 'left as it is'
}

export function keptRows(summary: RunSummary): readonly Row[] {
  return (summary.plan?.kept ?? []).map(({ ref, why }) => ({
    ref,
    indicator: '~',
    words: `kept: ${why}`,
  }))
}

/** "put back to run 13 (image registry.example.org/web:1.4.2)" */
export function undoneWords(group: Group, before: number | undefined): string {
  if (group.step === 'create') return 'removed again'
  const run = before === undefined ? '' : ` to run ${before}`
  return `put back${run}${formerly(group.changes, former)}`
}

function groupRows(told: GroupSummary, summary: RunSummary, view: ViewOptions): readonly Row[] {
  const { ref, step } = told.group
  const undone: Row = {
    ref,
    indicator: step === 'create' ? '-' : '~',
    words: undoneWords(told.group, summary.ended?.rolledBackTo ?? view.before),
  }
  switch (told.phase) {
    case 'failed':
      return [failedRow(told, summary, view), ...(told.isUndone ? [undone] : [])]
    case 'skipped':
      return [
        { ref, indicator: '-', words: skipWords(told.problem) },
        // what was never taken away was not put back
        ...(told.isUndone && (step === 'create' || told.gap !== undefined) ? [undone] : []),
      ]
    case 'passed':
    case 'done':
      return [told.isUndone ? undone : { ref, indicator: '✓', words: pastOf(step) }]
    case 'began':
    case 'waiting':
      return [told.isUndone ? undone : { ref, indicator: '-', words: 'not finished' }]
    case 'undone':
      return [undone]
    case undefined:
      return [{ ref, indicator: '-', words: 'not begun' }]
  }
}

function failedRow(told: GroupSummary, summary: RunSummary, view: ViewOptions): Row {
  const about = { ...summary, isVerbose: view.isVerbose }
  const below = told.problem === undefined ? [] : problemDetails(told.problem, about)
  return { ref: told.group.ref, indicator: '✗', words: 'failed', below }
}

function former(change: Change): string {
  return `${change.path} ${fieldText(change.from)}`
}

/** "web-server did not answer for 2.1s, cache for 0.3s" */
export function gapWords(summary: RunSummary, show: (milliseconds: number) => string): string {
  const gaps = summary.groups.filter(
    ({ isUndone, gap }) => isUndone && gap !== undefined && gap > 0,
  )
  // a job answers nobody
  const isJobs = gaps.every(({ problem }) => problem?.code === 'exited')
  return gaps
    .map(({ group, gap }, index) => {
      const verb = index === 0 ? (isJobs ? ' did not run' : ' did not answer') : ''
      return `${nameOf(group.ref)}${verb} for ${show(gap ?? 0)}`
    })
    .join(', ')
}
