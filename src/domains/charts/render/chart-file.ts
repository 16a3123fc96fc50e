/** Reads Chart.yaml: the chart's name, version and description. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { readYaml, type YamlDocument } from '#formats/yaml/read-yaml.ts'
import { isRecord } from '#model/json.ts'
import type { Code, Place, ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import type { ChartRendered } from '../chart-input.ts'
import { helmProblems } from './chart-rules.ts'
import { chartHints } from './schema/hints.ts'
import { chartSchema, type ChartData } from './schema/chart.ts'
import { examine, pathText } from '#formats/schema/examine.ts'
import type { PlacedFault } from '#formats/schema/faults.ts'
import { nearest } from '#formats/schema/suggestion.ts'

export type ChartFile = {
  /** Undefined: there is nothing to go on with. */
  readonly chart: ChartRendered['chart'] | undefined
  /** Everything it says, for templates: charts made for Helm say more. */
  readonly fields: { readonly [key: string]: unknown }
  /** Where a value of it stands. */
  readonly placeOf: (path: YamlPath) => Place
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
}

export function readChartFile(tree: Tree): ChartFile {
  const file = ['Chart.yaml', 'chart.yaml'].find((name) => tree.read(name) !== undefined)
  if (file === undefined) return { ...nothing, problems: [noChart(tree)] }
  const warnings = file === 'Chart.yaml' ? [] : ['chart.yaml should be named Chart.yaml']
  const { documents, errors } = readYaml(Buffer.from(tree.read(file) ?? []).toString('utf8'))
  if (errors.length > 0) {
    const problems = errors.map(({ message, line, column }) =>
      problem('yaml_error', message, { file, line, column }, chartForm),
    )
    return { ...nothing, problems, warnings }
  }
  const document = documents[0]
  if (document === undefined || !isRecord(document.value)) {
    const at = { file, line: 1, column: 1 }
    return {
      ...nothing,
      problems: [problem('chart_unreadable', 'expected a map', at, chartForm)],
      warnings,
    }
  }
  return {
    ...described(file, document, document.value),
    warnings: [...warnings, ...versionWarnings(document.value)],
  }
}

const chartForm = 'it has lines such as name: my-app and version: 1.2.3; see: tend schema Chart'

const nothing = {
  chart: undefined,
  fields: {},
  warnings: [],
  placeOf: () => ({ file: 'Chart.yaml', line: 1, column: 1 }),
} as const

function noChart(tree: Tree): ProblemFacts {
  return {
    type: 'configuration',
    code: 'chart_unreadable',
    message: `there is no Chart.yaml in ${tree.root}`,
    suggestion: 'a chart is a folder with Chart.yaml and templates/',
  }
}

function problem(code: Code, message: string, at: Place, suggestion?: string): ProblemFacts {
  return { type: 'configuration', code, message, at, suggestion }
}

function described(
  file: string,
  document: YamlDocument,
  value: { readonly [key: string]: unknown },
): Omit<ChartFile, 'warnings'> {
  const { data, faults } = examine(chartSchema, value, { name: 'chart' }, chartHints)
  const problems = faults.map((fault) => {
    const { line, column } =
      fault.on === 'key' ? document.keyAt(fault.path) : document.valueAt(fault.path)
    const message = `${pathText(fault.path)}: ${fault.message}`
    const suggestion = fault.suggestion ?? misspelt(fault, value) ?? chartForm
    return problem('chart_unreadable', message, { file, line, column }, suggestion)
  })
  const placeOf = (path: YamlPath): Place => {
    const { line, column } = document.valueAt(path)
    return { file, line, column }
  }
  const chart = chartOf(document, data)
  return {
    chart,
    fields: value,
    placeOf,
    problems: [...problems, ...helmProblems(chart, value, placeOf)],
  }
}

/** Other fields are let through, so that one of them may be the missing one misspelt. */
function misspelt(
  { code, path }: PlacedFault,
  value: { readonly [key: string]: unknown },
): string | undefined {
  const field = String(path[0])
  const key = code === 'missing_field' ? nearest(field, Object.keys(value)) : undefined
  return key === undefined || key === field ? undefined : `${key}: did you mean ${field}?`
}

function chartOf(document: YamlDocument, data: ChartData | undefined): ChartRendered['chart'] {
  const version = data?.version
  return {
    name: data?.name ?? '',
    version:
      typeof version === 'number' ? (document.sourceOf(['version']) ?? '') : (version ?? '0.0.0'),
    description: data?.description ?? '',
  }
}

function versionWarnings(value: { readonly [key: string]: unknown }): readonly string[] {
  const { version } = value
  if (version !== undefined && version !== null && version !== '') return []
  return ['Chart.yaml has no version; 0.0.0 is used']
}
