/** Which subcharts take part, under which names, and what they give to the chart above them: Helm's `dependencies`. */
import { GoError } from '#formats/template/errors.ts'
import { satisfies } from '#formats/template/semver/constraint.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { ChartNode, Dependency } from './chart-tree.ts'
import { coalesced, copyOf, fillTable, tableAt, valueAt, type Table } from './coalesce.ts'

type Notices = {
  warn(text: string): void
  problem(problem: ProblemFacts): void
}

/** Changes the nodes: those that are switched off go, those with an alias get its name, imported values are put in. */
export function processDependencies(root: ChartNode, given: Table, notices: Notices): void {
  enable(root, given, [], notices)
  importValues(root, notices)
}

function enable(node: ChartNode, given: Table, path: readonly string[], notices: Notices): void {
  const stated = node.dependencies.map((dependency) => ({
    dependency,
    chart: chartFor(node, dependency),
  }))
  const isStated = new Set(stated.map(({ chart }) => chart?.folder))
  node.children = [
    ...node.children.filter(({ folder }) => !isStated.has(folder)),
    ...stated.flatMap(({ dependency, chart }) =>
      chart === undefined ? [] : [{ ...chart, name: nameOf(dependency) }],
    ),
  ]
  const values = coalesced(node, given, { keepsNulls: false, warn: () => undefined })
  const off = new Set<string>()
  for (const { dependency, chart } of stated) {
    if (!isEnabled(dependency, values, path, notices)) off.add(nameOf(dependency))
    else if (chart === undefined) notices.problem(missing(node, dependency))
    else checkVersion(dependency, chart, notices)
  }
  node.children = node.children.filter(({ name }) => !off.has(name))
  node.dependencies = node.dependencies.filter((each) => !off.has(nameOf(each)))
  for (const child of node.children) enable(child, values, [...path, child.name], notices)
}

function nameOf({ alias, name }: Dependency): string {
  return alias ?? name
}

/** Each use of a chart is one of its own: two aliases of one chart have two sets of values. */
function chartFor(node: ChartNode, { name }: Dependency): ChartNode | undefined {
  const found = node.children.find((child) => child.name === name)
  return found && freshCopy(found)
}

function freshCopy(node: ChartNode): ChartNode {
  const children = node.children.map(freshCopy)
  return { ...node, values: copyOf(node.values), children }
}

/** Tags first; the first condition that leads to a truth value decides. */
function isEnabled(
  { name, tags, conditions, at }: Dependency,
  values: Table,
  path: readonly string[],
  notices: Notices,
): boolean {
  let enabled = true
  const found = tags.map((tag) => [tag, tableAt(values, ['tags'])?.get(tag)] as const)
  const flags = found.flatMap(([tag, value]) => {
    if (typeof value === 'boolean') return [value]
    if (value !== undefined)
      notices.warn(
        `${at.file}:${at.line}:${at.column} the tag ${tag} of ${name} is neither true nor false`,
      )
    return []
  })
  if (flags.length > 0) enabled = flags.includes(true)
  for (const condition of conditions) {
    const value = valueAt(values, [...path, ...condition.split('.')])
    if (typeof value === 'boolean') return value
    if (value !== undefined)
      notices.warn(
        `${at.file}:${at.line}:${at.column} the condition ${condition} of ${name} is neither true nor false`,
      )
  }
  return enabled
}

function missing(node: ChartNode, { name, repository, at }: Dependency): ProblemFacts {
  const folder = [node.folder, 'charts', name].filter((part) => part !== '').join('/')
  const from = repository === undefined ? '' : `; ${repository} is not asked`
  return {
    type: 'configuration',
    code: 'chart_unreadable',
    message: `the dependency ${name} is not in ${folder}${from}`,
    at,
    suggestion: repository?.startsWith('file://')
      ? `copy it there: cp -r ${repository.slice('file://'.length)} ${folder}`
      : `put it there: helm pull, then unpack it into ${folder}`,
  }
}

function checkVersion({ name, version, at }: Dependency, chart: ChartNode, notices: Notices): void {
  if (version === undefined || isCompatible(version, chart.version)) return
  notices.problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `the dependency ${name} is to have version ${version}, and ${chart.folder} has ${chart.version}`,
    at,
    suggestion: `put a version that fits into ${chart.folder}, or change the version here`,
  })
}

export function isCompatible(constraint: string, version: string): boolean {
  try {
    return satisfies(constraint, version)
  } catch (error) {
    if (error instanceof GoError) return false
    throw error
  }
}

/** What a child gives to its parent counts less than what the parent says itself. */
function importValues(node: ChartNode, notices: Notices): void {
  for (const child of node.children) importValues(child, notices)
  if (node.dependencies.length === 0) return
  const options = { keepsNulls: true, warn: () => undefined }
  const values = coalesced(node, new Map(), options)
  const imported: Table = new Map()
  for (const dependency of node.dependencies) {
    const { imports, at } = dependency
    for (const { child, parent } of imports) {
      const path = [nameOf(dependency), ...child.split('.')]
      const found = tableAt(values, path)
      if (found === undefined) {
        notices.warn(
          `${at.file}:${at.line}:${at.column} import-values: the values of ${nameOf(dependency)} have no map ${child}`,
        )
        continue
      }
      fillTable(imported, nested(parent, copyOf(found)), '', options)
    }
  }
  const own = copyOf(values)
  fillTable(own, imported, '', options)
  node.values = own
}

function nested(path: string, table: Table): Table {
  if (path === '.') return table
  return path.split('.').reduceRight((inner, key) => new Map([[key, inner]]), table)
}
