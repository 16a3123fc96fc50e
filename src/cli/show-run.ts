/** Shows a run while it happens, where lines were asked for, and gives its summary. */
import type { Event } from '#model/event.ts'
import type { Screen } from './screen.ts'
import type { ViewOptions } from './views/view-options.ts'
import { progressOf } from './views/progress.ts'
import { runView } from './views/run-view.ts'
import { runSummaryOf, type RunSummary } from './views/run-summary.ts'

const frame = 100

export async function showRun(
  events: AsyncIterable<Event>,
  options: ViewOptions,
  screen: Screen,
): Promise<RunSummary> {
  const view = screen.format === 'table' ? runView(options) : undefined
  const progress = progressOf(options.paint)
  const kept: Event[] = []
  const { live } = screen
  const drawing =
    live && setInterval(() => live.draw(progress.lines(Date.now(), live.width)), frame)
  try {
    for await (const event of events) {
      if (event.type !== 'progress') kept.push(event)
      progress.on(event)
      tellBeside(event, options, screen)
      const lines = view?.on(event) ?? []
      if (lines.length > 0) screen.print(lines)
    }
  } finally {
    clearInterval(drawing)
    live?.draw([])
  }
  return runSummaryOf(kept)
}

function tellBeside(event: Event, view: ViewOptions, screen: Screen): void {
  if (event.type === 'warning') screen.note(`Warning: ${event.text}`)
  if (event.type === 'held') {
    screen.note(`Waiting for another run to end: ${event.by}, since ${view.time(event.since)}`)
  }
  const texts =
    event.type === 'rendered' ? event.warnings : event.type === 'planned' ? event.plan.warnings : []
  for (const text of texts) screen.note(`Warning: ${text}`)
}
