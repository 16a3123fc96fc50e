/** Shows a run line by line: each event gives the lines that are final by then. */
import { usualKind } from '#kinds/all.ts'
import type { Event } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { analysisLines } from './analysis.ts'
import { box, type Row, sections } from './layout.ts'
import { logOf } from './log.ts'
import type { ViewOptions } from './view-options.ts'
import { keptRows, skippedRows } from './results.ts'
import { runSummaryOf } from './run-summary.ts'
import { summaryLines } from './summary.ts'
import { endLines, headingLines, inputLines } from './table.ts'
import { mark } from './paint.ts'
import { thing } from './labels.ts'

export type RunView = { on(event: Event): readonly string[] }

export function runView(view: ViewOptions): RunView {
  const events: Event[] = []
  const log = logOf(view)
  let hasHeading = false
  let told: readonly ProblemFacts[] = []

  function heading(): readonly string[] {
    if (hasHeading) return []
    hasHeading = true
    const summary = runSummaryOf(events)
    const resources = view.isVerbose ? summary.rendered?.resources : undefined
    return [
      ...headingLines(summary, view),
      ...(resources === undefined || resources.length === 0
        ? []
        : analysisLines(resources, summary.application?.kind ?? usualKind.name)),
    ]
  }

  /** The problems that were not shown yet. */
  function input(): readonly string[] {
    const summary = runSummaryOf(events)
    const fresh = summary.problems.filter((problem) => !told.includes(problem))
    told = summary.problems
    return inputLines({ ...summary, problems: fresh }, view)
  }

  function planned(): readonly string[] {
    const summary = runSummaryOf(events)
    if (!view.isVerbose || summary.isDryRun) return []
    if (summary.groups.length === 0 && summary.plan?.unchanged.length === 0) return []
    const at = events.at(-1)?.at ?? 0
    const unchanged = (summary.plan?.unchanged ?? []).map(
      (ref) => `[${view.time(at)}] ${mark('✓', view.paint)} ${thing(ref)} unchanged`,
    )
    const gap = unchanged.length > 0 && summary.groups.length > 0 ? [''] : []
    return [...box('Reconciling Resources'), ...unchanged, ...gap]
  }

  /** The log has shown every group that was begun. The others have only a row. */
  function ended(): readonly string[] {
    const summary = runSummaryOf(events)
    if (!view.isVerbose || summary.isDryRun) return endLines(summary, view)
    if (summary.ended?.outcome === 'refused') return []
    const rows: readonly Row[] = [...skippedRows(summary, view), ...keptRows(summary)]
    return [
      ...log.rest(),
      ...(rows.length === 0 ? [] : ['', ...sections(rows, view.paint)]),
      ...summaryLines(summary, view),
    ]
  }

  function on(event: Event): readonly string[] {
    if (event.type === 'progress') return []
    events.push(event)
    const logged = view.isVerbose ? log.on(event) : []
    switch (event.type) {
      case 'rendered':
        return heading()
      case 'planned':
        return [...heading(), ...input(), ...planned()]
      case 'operation':
      case 'group':
        return logged
      case 'ended':
        return [...heading(), ...input(), ...ended()]
      case 'started':
      case 'opened':
      case 'held':
      case 'warning':
      case 'problem':
        return []
    }
  }

  return { on }
}
