/** Turns a chart into resources. Pure: the same files, values, time and seed give the same bytes. */
import { allowAll } from '#model/policy.ts'
import { factsOf, Problem, type ProblemFacts } from '#model/problem.ts'
import { vaultOf } from '#model/vault.ts'
import { readChartFile, type ChartFile } from './render/chart-file.ts'
import type { ChartInput, ChartRendered } from './chart-input.ts'
import { readManifests } from './render/manifests.ts'
import { maskedText } from './render/masked.ts'
import { judgeDeclared } from './render/policy-check.ts'
import { makeResources } from './render/resources.ts'
import { nameFault } from './render/schema/terms.ts'
import { templateData } from './render/template-data.ts'
import { renderTemplates } from './render/templates.ts'
import { readValues } from './render/values.ts'

/** All problems at once: what can't be read keeps nothing else from being looked at. Throws nothing but bugs. */
export function renderChart(input: ChartInput): ChartRendered {
  try {
    return rendered(input)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return unreadable(input, undefined, [factsOf(thrown)], [])
  }
}

function rendered(input: ChartInput): ChartRendered {
  const file = readChartFile(input.tree)
  const written = input.tree.read('values.yaml')
  const base = written === undefined ? undefined : Buffer.from(written).toString('utf8')
  const { values, problems: valueProblems, notes } = readValues(base, input.layers)
  const before = [...namespaceProblems(input), ...file.problems, ...valueProblems]
  if (file.chart === undefined || valueProblems.length > 0) {
    return unreadable(input, file.chart, before, file.warnings)
  }

  const templates = renderTemplates(input, templateData(input, file, values))
  const manifests = readManifests(templates.files, input.namespace)
  const isWhole = manifests.isWhole && templates.problems.length === 0
  const made = makeResources({ ...manifests, isWhole }, input)
  const ofResources = made.resources.flatMap((resource) => resource.problems)
  const judged = judgeDeclared(manifests.declared, input.policy ?? allowAll)
  const ofChart = [
    ...before,
    ...templates.problems,
    ...manifests.problems,
    ...made.problems,
    ...judged.problems,
  ]
  return {
    chart: file.chart,
    version: file.chart.version,
    resources: made.resources,
    problems: [...ofChart, ...ofResources].toSorted(byPlace),
    warnings: [...file.warnings, ...manifests.warnings, ...made.warnings, ...judged.warnings],
    isIncomplete: manifests.isIncomplete || templates.problems.length > 0,
    vault: vaultOf(made.secrets, input.seed),
    notes,
    manifests: templates.files.map(({ path, text, yaml }) => ({
      path,
      text: maskedText(text, yaml),
    })),
  }
}

function unreadable(
  input: ChartInput,
  chart: ChartFile['chart'],
  problems: readonly ProblemFacts[],
  warnings: readonly string[],
): ChartRendered {
  return {
    chart: chart ?? { name: '', version: '', description: '' },
    version: chart?.version ?? '',
    resources: [],
    problems,
    warnings,
    isIncomplete: true,
    vault: vaultOf(new Map(), input.seed),
    notes: [],
    manifests: [],
  }
}

function namespaceProblems({ namespace }: ChartInput): readonly ProblemFacts[] {
  const fault = namespace === null ? undefined : nameFault(namespace)
  if (fault === undefined) return []
  const { message, suggestion } = fault
  return [{ type: 'configuration', code: 'usage', message: `namespace: ${message}`, suggestion }]
}

function byPlace(one: ProblemFacts, other: ProblemFacts): number {
  const [left, right] = [one.at, other.at]
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined)
  if (left.file !== right.file) return left.file < right.file ? -1 : 1
  return left.line - right.line || left.column - right.column
}
