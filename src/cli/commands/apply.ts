/** `install`, `upgrade` and `plan`: the same steps with other words. */
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import { engineIn, withEngine } from '../application/engine.ts'
import { isPath } from '../chart/locate.ts'
import { loadChart, type Chart } from '../chart/load.ts'
import { refuse } from '../application/refuse.ts'
import { requestFor } from '../application/request.ts'
import { startRun, type Heading } from '../application/start.ts'
import { sourceOf } from '../application/source.ts'
import { shownPath } from '../views/paths.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import type { RunSummary } from '../views/run-summary.ts'

export async function applyChart(
  word: string,
  doing: string,
  flags: Flags,
  context: CommandContext,
  more: (chart: Chart) => Partial<Heading> = () => ({}),
): Promise<number> {
  const memory = await context.session.memory()
  const chart = await loadChart(word, flags, context.session, memory)
  const heading = { doing, subject: chart.shown, ...more(chart) }
  const { application, since, revision, source } = chart
  if (application === undefined) return refuse(await problemsOf(chart), heading, flags, context)
  const request = requestFor(application, flags, context, {
    since,
    revision,
    source: isPath(word) ? source : withEngine(source, engineIn(chart.record?.source)),
    render: await chart.renderToKeep(),
  })
  tellMove(chart, context)
  const summary = await startRun(request, heading, flags, context, memory, () => chart.message())
  tellNotes(chart, summary, context)
  return exitCodeOf(summary, flags.hasExitCode)
}

/** Prints what the author of the chart wants users to know, as Helm does. */
function tellNotes(
  chart: Chart,
  { isDryRun, ended }: RunSummary,
  { screen }: CommandContext,
): void {
  const notes = chart.message().trimEnd()
  if (notes === '' || isDryRun || ended?.outcome !== 'succeeded' || screen.format !== 'table')
    return
  screen.print(['', 'NOTES:', ...notes.split('\n')])
}

/** Warns when a chart is applied from another folder: a copy has the same name, and so changes what the first one installed. */
function tellMove({ application, record, source }: Chart, { screen }: CommandContext): void {
  const before = sourceOf(record?.source).path
  const now = sourceOf(source).path
  if (application === undefined || before === null || now === null || before === now) return
  screen.note(
    `Note: ${application.name} was last applied from ${shownPath(before)}, and now from ${shownPath(now)}; -n NAMESPACE makes a copy of its own`,
  )
}

/** A Chart.yaml without a readable name is no problem here: the render says what is wrong with it. */
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
