/** Turns a chart into resources. Pure: the same files, values, time and seed give the same bytes. */
import { allowAll } from '#model/policy.ts'
import { factsOf, Problem, type ProblemFacts } from '#model/problem.ts'
import { vaultOf } from '#model/vault.ts'
import type { ChartFile } from './chart-file.ts'
import { readChartTree, type ChartNode } from './chart-tree.ts'
import { coalesced, plainOf, tableOf } from './coalesce.ts'
import { processDependencies } from './dependencies.ts'
import type { ChartInput, ChartRendered } from '../chart-input.ts'
import { problemsWithout } from './chart-secrets.ts'
import { readManifests } from './manifests.ts'
import { openValues } from './open-values.ts'
import { judgeDeclared } from './policy-check.ts'
import { makeResources } from './resources.ts'
import { nameFault } from './schema/terms.ts'
import { templateData } from './template-data.ts'
import { renderTemplates } from './templates.ts'
import { shownManifests, shownValues } from './shown.ts'
import { readUserValues } from './values.ts'
import { schemaProblems } from './values-schema.ts'

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
  const { tree } = input
  const opened = openValues(input)
  const charts = readChartTree(tree, opened.plain)
  const { root } = charts
  const user = readUserValues(opened.layers)
  const before = [
    ...namespaceProblems(input),
    ...opened.problems,
    ...charts.problems,
    ...user.problems,
  ]
  const notes = [...charts.notes, ...user.notes]
  if (root === undefined || before.some(isOfValues)) {
    return unreadable(input, root?.file.chart, before, charts.warnings)
  }

  const warnings = [...charts.warnings]
  const given = tableOf(user.values)
  const warn = (text: string) => void warnings.push(text)
  processDependencies(root, given, { warn, problem: (problem) => void before.push(problem) })
  const values = plainOf(coalesced(root, given, { keepsNulls: false, warn }))
  before.push(...schemaProblems(tree, root, values, user.sources), ...libraryProblems(root))
  if (before.some(isOfValues)) return unreadable(input, root.file.chart, before, warnings)

  const absent = new Set<string>()
  const data = templateData(input, root, values, (path) => void absent.add(path))
  const templates = renderTemplates(input, data)
  const manifests = readManifests(templates.files, input.namespace)
  const isWhole = manifests.isWhole && templates.problems.length === 0
  const made = makeResources({ ...manifests, isWhole }, input, {
    values,
    encrypted: opened.secrets,
  })
  const resources = made.resources.map((resource) => {
    return { ...resource, problems: problemsWithout(made.known, resource.problems) }
  })
  const ofResources = resources.flatMap((resource) => resource.problems)
  const judged = judgeDeclared(manifests.declared, input.policy ?? allowAll)
  const ofChart = [
    ...before,
    ...templates.problems,
    ...manifests.problems,
    ...made.problems,
    ...judged.problems,
  ]
  const chart = root.file.chart ?? unnamed
  return {
    chart,
    version: chart.version,
    resources,
    problems: [...problemsWithout(made.known, ofChart), ...ofResources].toSorted(byPlace),
    warnings: [
      ...warnings,
      ...templates.warnings,
      ...manifests.warnings,
      ...made.warnings,
      ...judged.warnings,
    ].map((text) => made.known.without(text)),
    isIncomplete: manifests.isIncomplete || templates.problems.length > 0,
    vault: vaultOf(made.secrets, input.seed),
    notes: [...notes, ...[...absent].map(noFile)].map((text) => made.known.without(text)),
    values: shownValues(values, made.known),
    message: made.known.without(templates.notes),
    manifests: shownManifests(templates, ofChart, made.known),
  }
}

const unnamed = { name: '', version: '', description: '' } as const

/** With values that can't be trusted nothing is rendered: every further problem would be one of theirs. */
function isOfValues({ code }: ProblemFacts): boolean {
  return code === 'values_error'
}

function noFile(path: string): string {
  return `.Files.Get: there is no file ${path} in the chart; it counts as empty, as in Helm`
}

function libraryProblems({ isLibrary, file }: ChartNode): readonly ProblemFacts[] {
  if (!isLibrary) return []
  return [
    {
      type: 'configuration',
      code: 'chart_unreadable',
      message: 'a library can only be a part of another chart',
      at: file.placeOf(['type']),
      suggestion: 'put it into charts/ of the chart that uses it, or write type: application',
    },
  ]
}

function unreadable(
  input: ChartInput,
  chart: ChartFile['chart'],
  problems: readonly ProblemFacts[],
  warnings: readonly string[],
): ChartRendered {
  return {
    chart: chart ?? unnamed,
    version: chart?.version ?? '',
    resources: [],
    problems,
    warnings,
    isIncomplete: true,
    vault: vaultOf(new Map(), input.seed),
    notes: [],
    values: {},
    message: '',
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
