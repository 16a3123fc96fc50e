/** A run as text: heading, bad input, rows by kind, summary. The canonical form that tests compare. */
import { usualKind, wordsFor } from '#kinds/all.ts'
import { kindOf } from '#model/ref.ts'
import { box, sections, type Row } from './layout.ts'
import type { ViewOptions } from './view-options.ts'
import { problemCount, problemList, type FaultContext } from './problems.ts'
import { keptRows, resultRows, skippedRows } from './results.ts'
import type { GroupSummary, RunSummary } from './run-summary.ts'
import { plannedLines, summaryLines } from './summary.ts'
import { changeText, pastOf } from './labels.ts'

export function headingLines(summary: RunSummary, view: ViewOptions): readonly string[] {
  const space = summary.application?.namespace
  const where = space === null || space === undefined ? '' : ` (namespace ${space})`
  const name = summary.application && `${summary.application.name}${where}`
  const engine = view.isVerbose && view.engine !== undefined ? [`Engine: ${view.engine}`] : []
  if (summary.isDryRun) {
    return [`Preview: ${view.subject}${name === undefined ? '' : ` → ${name}`}`, ...engine]
  }
  const noun = wordsFor(summary.application ?? { kind: usualKind.name }).title
  const version = view.isVerbose ? summary.rendered?.version : undefined
  return [
    `${view.doing}: ${view.subject}`,
    ...(name === undefined ? [] : [`${noun} name: ${name}`]),
    ...(version === undefined || version === '' ? [] : [`${noun} version: ${version}`]),
    ...engine,
  ]
}

/** What is wrong with the input, all at once; a run that was refused ends here. */
export function inputLines(summary: RunSummary, view: ViewOptions): readonly string[] {
  const { problems } = summary
  const isRefused = summary.ended?.outcome === 'refused'
  if (problems.length === 0) return isRefused ? ['', 'Nothing was changed.'] : []
  const list = ['', ...problemList(problems, view.paint)]
  if (isRefused) return [...list, 'Nothing was changed.']
  const isInput = problems.some(({ at }) => at !== undefined)
  return isInput ? [...list, '', problemCount(problems, fateIn(summary))] : list
}

function fateIn({ isDryRun, plan }: RunSummary): FaultContext {
  const absent = (plan?.skipped ?? []).filter(({ isAbsent }) => isAbsent === true)
  return { isDryRun, absent: new Set(absent.map(({ ref }) => ref)) }
}

/** Rows and summary, once everything is known. */
export function endLines(summary: RunSummary, view: ViewOptions): readonly string[] {
  if (summary.ended?.outcome === 'refused') return []
  // nothing could be seen: then nothing can be said about what would happen
  if (summary.isDryRun && summary.plan === undefined) return ['', 'What would happen is not known.']
  const rows = summary.isDryRun ? plannedRows(summary, view) : resultRows(summary, view)
  const title = summary.isDryRun ? 'Planned Changes' : 'Reconciling Resources'
  return [
    ...(rows.length === 0 ? [] : [...box(title), ...sections(rows, view.paint, onlyGoes(summary))]),
    ...(summary.isDryRun ? plannedLines(summary, view) : summaryLines(summary, view)),
  ]
}

/** Whether the run only removes. Users are removed before what they use, so the kinds are shown in reverse. */
function onlyGoes({ groups }: RunSummary): boolean {
  return groups.length > 0 && groups.every(({ group }) => group.step === 'delete')
}

const planned = { create: '+', update: '~', replace: '~', delete: '-' } as const

function plannedRows(summary: RunSummary, view: ViewOptions): readonly Row[] {
  const unchanged = view.isVerbose ? (summary.plan?.unchanged ?? []) : []
  return [
    ...summary.groups.map((told) => plannedRow(told, view)),
    ...skippedRows(summary, view),
    ...keptRows(summary),
    ...unchanged.map((ref): Row => ({ ref, indicator: '✓', words: 'unchanged' })),
  ]
}

function plannedRow({ group }: GroupSummary, view: ViewOptions): Row {
  const { ref, step, changes, cause } = group
  const isMute = changes.length === 0 && (step === 'update' || step === 'replace')
  const losesData = step === 'replace' && kindOf(ref) === 'volume'
  const why = isMute || losesData || view.explains || view.isVerbose ? [`Why: ${cause}`] : []
  const fields = changes.map((change) => `- ${changeText(change)}`)
  const below = [...(step === 'create' || step === 'delete' ? [] : fields), ...why]
  return { ref, indicator: planned[step], words: `will be ${pastOf(step)}`, below }
}
