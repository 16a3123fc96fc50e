/** `tend template`: the rendered manifests, secrets hidden. */
import type { Invocation } from '../arguments/invocation.ts'
import { chartWord } from '../chart/here.ts'
import { loadChart } from '../chart/load.ts'
import { exitCodeOfProblems } from '../exit-code.ts'
import { tellProblems } from '../failure.ts'
import type { Desk } from '../session.ts'

export async function template(invocation: Invocation, desk: Desk): Promise<number> {
  const { flags } = invocation
  const { session, screen } = desk
  const chart = await loadChart(chartWord(invocation), flags, session, await session.memoryIfAny())
  const { manifests, problems, warnings } = await chart.render()
  for (const warning of warnings) screen.note(`Warning: ${warning}`)
  if (problems.some(({ type }) => type === 'configuration')) return tellProblems(problems, screen)
  if (screen.format !== 'table') {
    const files = manifests.map(({ path, text }) => ({ path, text }))
    await screen.document({ chart: chart.application?.name ?? null, manifests: files })
    return exitCodeOfProblems(problems)
  }
  screen.print(manifests.flatMap(({ path, text }) => ['---', `# Source: ${path}`, text.trimEnd()]))
  return problems.length === 0 ? 0 : beside(problems, desk)
}

/** The manifests are printed all the same: what is wrong is best seen in them. */
function beside(problems: Parameters<typeof tellProblems>[0], { screen }: Desk): Promise<number> {
  return tellProblems(problems, { ...screen, format: 'table' })
}
