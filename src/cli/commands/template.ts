/** `tend template`: the rendered manifests, secrets hidden; what failed as far as it was rendered, with the error at its place. */
import type { ShownManifest } from '#domains/charts/chart-input.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { chartWord } from '../chart/here.ts'
import { loadChart } from '../chart/load.ts'
import { exitCodeOfProblems } from '../exit-code.ts'
import { tellProblems } from '../failure.ts'
import type { CommandContext } from '../session.ts'
import { failureDocument } from '../views/document.ts'
import { valueLines } from '../chart/shown-values.ts'

export async function template(invocation: Invocation, context: CommandContext): Promise<number> {
  const { flags } = invocation
  const { session, screen } = context
  const chart = await loadChart(chartWord(invocation), flags, session, await session.memoryIfAny())
  const { manifests, problems, warnings, values } = await chart.render()
  for (const warning of warnings) screen.note(`Warning: ${warning}`)
  if (flags.isDebug) for (const line of await valueLines(values)) screen.note(line)
  if (screen.format !== 'table') {
    const files = manifests.map(({ path, text, faults }) =>
      faults.length === 0
        ? { path, text }
        : { path, text, faults: faults.map((each) => ({ ...each })) },
    )
    const about = { chart: chart.application?.name ?? null, manifests: files }
    const isBroken = problems.some(({ type }) => type === 'configuration')
    await screen.document(isBroken ? { ...failureDocument(problems), ...about } : about)
    return exitCodeOfProblems(problems)
  }
  screen.print(manifests.flatMap((each) => ['---', `# Source: ${each.path}`, ...linesOf(each)]))
  return problems.length === 0 ? 0 : tellProblems(problems, screen)
}

/** Each error stands behind the line that it is about, as a comment. */
function linesOf({ text, faults }: ShownManifest): readonly string[] {
  const lines = text.trimEnd().split('\n')
  return lines.flatMap((line, index) => [
    line,
    ...faults
      .filter((fault) => Math.min(fault.line, lines.length) === index + 1)
      .map((fault) => `# ✗ ${fault.text.replaceAll('\n', ' ')}`),
  ])
}
