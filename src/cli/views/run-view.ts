/** A run shown line by line as its events come: each event gives the lines that are final by then. */
import type { Event } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { analysisLines } from './analysis.ts'
import { box, type Row, sections } from './layout.ts'
import { logOf } from './log.ts'
import type { Manner } from './manner.ts'
import { keptRows, skippedRows } from './results.ts'
import { storyOf } from './story.ts'
import { summaryLines } from './summary.ts'
import { endLines, headingLines, inputLines } from './table.ts'
import { mark } from './paint.ts'
import { thing } from './words.ts'

export type RunView = { on(event: Event): readonly string[] }

export function runView(manner: Manner): RunView {
  const events: Event[] = []
  const log = logOf(manner)
  let hasHeading = false
  let told: readonly ProblemFacts[] = []

  function heading(): readonly string[] {
    if (hasHeading) return []
    hasHeading = true
    const story = storyOf(events)
    const resources = manner.isVerbose ? story.rendered?.resources : undefined
    return [
      ...headingLines(story, manner),
      ...(resources === undefined || resources.length === 0
        ? []
        : analysisLines(resources, story.application?.kind ?? 'chart')),
    ]
  }

  /** Problems not told yet. */
  function input(): readonly string[] {
    const story = storyOf(events)
    const fresh = story.problems.filter((problem) => !told.includes(problem))
    told = story.problems
    return inputLines({ ...story, problems: fresh }, manner)
  }

  function planned(): readonly string[] {
    const story = storyOf(events)
    if (!manner.isVerbose || story.isDryRun) return []
    if (story.groups.length === 0 && story.plan?.unchanged.length === 0) return []
    const at = events.at(-1)?.at ?? 0
    const unchanged = (story.plan?.unchanged ?? []).map(
      (ref) => `[${manner.time(at)}] ${mark('✓', manner.paint)} ${thing(ref)} unchanged`,
    )
    const gap = unchanged.length > 0 && story.groups.length > 0 ? [''] : []
    return [...box('Reconciling Resources'), ...unchanged, ...gap]
  }

  /** The log told of every group; what was never begun has only its row. */
  function ended(): readonly string[] {
    const story = storyOf(events)
    if (!manner.isVerbose || story.isDryRun) return endLines(story, manner)
    if (story.ended?.outcome === 'refused') return []
    const rows: readonly Row[] = [...skippedRows(story, manner), ...keptRows(story)]
    return [
      ...log.rest(),
      ...(rows.length === 0 ? [] : ['', ...sections(rows, manner.paint)]),
      ...summaryLines(story, manner),
    ]
  }

  function on(event: Event): readonly string[] {
    if (event.type === 'progress') return []
    events.push(event)
    const logged = manner.isVerbose ? log.on(event) : []
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
