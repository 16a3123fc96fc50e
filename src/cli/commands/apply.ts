/** `install`, `upgrade` and `plan`: one road, other words. */
import type { Event } from '#model/event.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import { loadChart, type Chart } from '../chart/load.ts'
import { requestFor } from '../application/request.ts'
import { mannerOf, startRun, tellDocument, type Heading } from '../application/start.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Desk } from '../session.ts'
import { showRun } from '../show-run.ts'

export async function applyChart(
  word: string,
  doing: string,
  flags: Flags,
  desk: Desk,
  more: Partial<Heading> = {},
): Promise<number> {
  const memory = await desk.session.memory()
  const chart = await loadChart(word, flags, desk.session, memory)
  const heading = { doing, subject: chart.shown, ...more }
  const { application, since, revision, source } = chart
  if (application === undefined) return nameless(chart, heading, flags, desk)
  const request = requestFor(application, flags, desk, {
    since,
    revision,
    source,
    render: await chart.renderToKeep(),
  })
  const story = await startRun(request, heading, flags, desk, memory)
  return exitCodeOf(story, flags.hasExitCode)
}

/** Its Chart.yaml can't be read or does not say its name: rendering says what is wrong with it. */
async function nameless(chart: Chart, heading: Heading, flags: Flags, desk: Desk): Promise<number> {
  const at = desk.session.clock.now()
  const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }
  async function* events(): AsyncIterable<Event> {
    for (const problem of await problemsOf(chart)) yield { at, type: 'problem', problem }
    yield { at, type: 'ended', outcome: 'refused', isRolledBack: false, summary, milliseconds: 0 }
  }
  const story = await showRun(events(), mannerOf(heading, flags, desk, undefined), desk.screen)
  await tellDocument(story, desk)
  return exitCodeOf(story, false)
}

async function problemsOf(chart: Chart): Promise<readonly ProblemFacts[]> {
  try {
    const { problems } = await chart.render()
    return problems.length > 0 ? problems : [unnamed]
  } catch (thrown) {
    return [factsOf(problemOf(thrown))]
  }
}

const unnamed: ProblemFacts = {
  type: 'configuration',
  code: 'chart_unreadable',
  message: 'Chart.yaml does not say the name of the chart',
  suggestion: 'add a line like: name: my-app',
}
