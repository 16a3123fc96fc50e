/** What templates see: values, the release, the chart. The environment of the process is not part of it. */
import { isList, isRecord } from '#model/json.ts'
import type { ChartFile } from './chart-file.ts'
import type { ChartInput } from '../chart-input.ts'
import { apiVersions } from './schema/envelope.ts'
import type { TemplateData } from './templates.ts'
import type { Values } from './values.ts'

export function templateData(input: ChartInput, file: ChartFile, values: Values): TemplateData {
  const { name = '', version = '', description = '' } = file.chart ?? {}
  const others = Object.entries(file.fields).map(
    ([key, value]) => [capitalised(key), value] as const,
  )
  const chart = {
    AppVersion: '',
    ...Object.fromEntries(others),
    Name: name,
    Version: version,
    Description: description,
  }
  return {
    Values: withIntegers(values),
    Release: { Name: name, Namespace: input.namespace ?? '', Service: 'Tend' },
    Chart: withIntegers(chart),
    Capabilities: { APIVersions: [...apiVersions] },
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
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIntegers(item)]))
}
