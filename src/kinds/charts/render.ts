/** Renders a chart of a snapshot, in a render process. */
import { join } from 'node:path/posix'
import { withOpened } from '#domains/containers/encrypted-files.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { snapshotHash } from '#engine/recorder.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { treeBelow, witnessed } from '#sources/inputs.ts'
import type { RenderAnswer } from '#model/render.ts'
import type { ChartRequest } from './chart-request.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'

export async function renderChartRequest(request: ChartRequest): Promise<RenderAnswer> {
  const { application, path, values, security, since, seed } = request
  const witness = witnessed(treeOfSnapshot(request.files))
  const text = JSON.stringify(values)
  const rendered = await withOpened(
    async () => request.ageKeys,
    (opened) =>
      renderChart({
        tree: treeBelow(witness.tree, path),
        namespace: application.namespace,
        layers: text === '{}' ? [] : [{ kind: 'file', name: 'values of the declaration', text }],
        since,
        seed,
        environment: {},
        policy: security,
        opened,
      }),
  )
  const shown = (problem: ProblemFacts): ProblemFacts =>
    problem.at === undefined
      ? problem
      : { ...problem, at: { ...problem.at, file: join(path, problem.at.file) } }
  return {
    resources: rendered.resources,
    problems: rendered.problems.map(shown),
    warnings: rendered.warnings,
    isIncomplete: rendered.isIncomplete,
    version: rendered.version,
    secrets: rendered.vault.contents(),
    inactive: [],
    hash: snapshotHash(rendered),
    file: 'Chart.yaml',
    read: witness.lines(),
    placed: [],
    needs: undefined,
  }
}
