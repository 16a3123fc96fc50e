/** What templates see: values, the release, the chart, its files. The environment of the process is not part of it. */
import { filesOf, GoValue } from '#formats/template/render.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ChartInput } from '../chart-input.ts'
import { capabilities } from './capabilities.ts'
import { chartFiles } from './chart-files.ts'
import type { ChartNode, Dependency } from './chart-tree.ts'
import type { DataNode } from './template-sources.ts'
import type { Values } from './values.ts'

/** `missing` hears of files that templates asked for in vain. */
export function templateData(
  input: ChartInput,
  root: ChartNode,
  values: Values,
  missing: (path: string) => void,
): DataNode {
  const { isInstall, revision } = input.release ?? { isInstall: true, revision: 1 }
  const release = {
    Name: root.name,
    Namespace: input.namespace ?? '',
    Service: 'Tend',
    IsInstall: isInstall,
    IsUpgrade: !isInstall,
    Revision: BigInt(revision),
  }
  const shared = { Release: release, Capabilities: capabilities() }
  function dataOf(node: ChartNode, own: Values): DataNode {
    const children = node.children.map((child) => {
      const held = own[child.name]
      return dataOf(child, isRecord(held) ? held : {})
    })
    const data = {
      ...shared,
      Values: withIntegers(own),
      Chart: withIntegers(chartData(node)),
      Files: new GoValue(filesOf(chartFiles(input.tree, node.folder, missing))),
      Subcharts: Object.fromEntries(children.map((child) => [child.node.name, child.data])),
    }
    return { node, data, children }
  }
  return dataOf(root, values)
}

function chartData(node: ChartNode): Values {
  const { fields, chart } = node.file
  const others = Object.entries(fields).map(([key, value]) => [capitalised(key), value] as const)
  return {
    AppVersion: '',
    ...Object.fromEntries(others),
    APIVersion: fields['apiVersion'] ?? '',
    Name: node.name,
    Version: chart?.version ?? '',
    Description: chart?.description ?? '',
    IsRoot: node.folder === '',
    Maintainers: listOf(fields['maintainers']).map(withCapitals),
    Dependencies: node.dependencies.map(dependencyData),
  }
}

function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : []
}

function withCapitals(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [capitalised(key), held]))
}

function dependencyData({ name, alias, version, repository, tags }: Dependency): Values {
  return {
    Name: alias ?? name,
    Alias: alias ?? '',
    Version: version ?? '',
    Repository: repository ?? '',
    Tags: tags,
    Enabled: true,
  }
}

/** As Helm: `appVersion` of Chart.yaml is `.Chart.AppVersion`. */
function capitalised(key: string): string {
  return key.slice(0, 1).toUpperCase() + key.slice(1)
}

/** Whole numbers are integers to templates, so that 1000000 is not printed as 1e+06. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (isList(value)) return value.map(withIntegers)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withIntegers(held)]))
}
