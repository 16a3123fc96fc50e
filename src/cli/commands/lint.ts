/** `tend lint`: everything that is wrong with a chart, at once, without Podman. */
import { problemOf, factsOf, type ProblemFacts } from '#model/problem.ts'
import { cycleOf, cycleText } from '#engine/graph/graph.ts'
import type { Resource } from '#model/resource.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { chartWord } from '../chart/here.ts'
import { loadChart, type Chart } from '../chart/load.ts'
import type { CommandContext } from '../session.ts'
import { failureDocument } from '../views/document.ts'
import { problemList } from '../views/problems.ts'
import { count } from '../views/labels.ts'

export async function lint(invocation: Invocation, context: CommandContext): Promise<number> {
  const { flags } = invocation
  const { session, screen } = context
  const chart = await loadChart(chartWord(invocation), flags, session, await session.memoryIfAny())
  const { problems, warnings, found, version } = await examined(chart)
  for (const warning of warnings) screen.note(`Warning: ${warning}`)
  const isWell = problems.length === 0
  if (screen.format !== 'table') {
    const status = isWell ? 'succeeded' : 'failed'
    const chartName = chart.application?.name ?? null
    const document = failureDocument(problems, status)
    await screen.document({ ...document, chart: chartName, version, warnings: [...warnings] })
    return isWell ? 0 : 1
  }
  const noted = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`
  const files = new Set(problems.flatMap(({ at }) => (at === undefined ? [] : [at.file])))
  const within = files.size === 0 ? '' : ` in ${count(files.size, 'file')}`
  screen.print(
    isWell
      ? [`${chart.shown}: ${count(found, 'resource')}, no problems${noted}`]
      : [
          ...problemList(problems, screen.paint),
          '',
          `${count(problems.length, 'problem')}${within}.`,
        ],
  )
  return isWell ? 0 : 1
}

async function examined(chart: Chart): Promise<{
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly found: number
  readonly version: string | null
}> {
  try {
    const { problems, warnings: told, notes, resources, version } = await chart.render()
    const warnings = [...told, ...notes]
    const isTold = problems.some(({ code }) => code === 'cycle')
    const all = isTold ? problems : [...problems, ...cycleProblems(resources)]
    return { problems: all, warnings, found: resources.length, version: version || null }
  } catch (thrown) {
    return { problems: [factsOf(problemOf(thrown))], warnings: [], found: 0, version: null }
  }
}

/** Finds cycles, which planning would refuse, without making a plan. */
function cycleProblems(resources: readonly Resource[]): readonly ProblemFacts[] {
  const graph = new Map(
    resources.map(({ ref, needs }) => [ref, needs.map((need) => need.ref)] as const),
  )
  const cycle = cycleOf(graph)
  if (cycle === undefined) return []
  const at = resources.find(({ ref }) => ref === cycle[0])?.origin
  const message = `these need each other in a circle: ${cycleText(cycle)}`
  const suggestion = 'take one of these needs away'
  return [{ type: 'configuration', code: 'cycle', message, at, suggestion }]
}
