/** The files of values in plain: what was encrypted is secret, leaf by leaf. */
import { isEncryptedProblem, keysAdvice } from '#domains/containers/encrypted-files.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { ChartInput, ValueLayer } from '../chart-input.ts'

type OpenedValues = {
  /** The text of a file of values in the chart, opened. */
  readonly plain: (file: string, content: Uint8Array) => string
  readonly layers: readonly ValueLayer[]
  /** Texts that were encrypted. */
  readonly secrets: readonly string[]
  readonly problems: readonly ProblemFacts[]
}

export function openValues({ layers, opened }: ChartInput): OpenedValues {
  const secrets: string[] = []
  const problems: ProblemFacts[] = []
  return {
    plain: plainOf,
    layers: layers.map((layer) =>
      layer.kind === 'file'
        ? { ...layer, text: plainOf(layer.name, Buffer.from(layer.text)) }
        : layer,
    ),
    secrets,
    problems,
  }

  function plainOf(file: string, content: Uint8Array): string {
    const plain = opened?.(file, content) ?? content
    if (typeof plain === 'string') {
      const suggestion = isEncryptedProblem(plain) ? keysAdvice : undefined
      const at = { file, line: 1, column: 1 }
      const message = `it ${plain}`
      problems.push({ type: 'configuration', code: 'values_error', message, suggestion, at })
      return ''
    }
    const text = Buffer.from(plain).toString('utf8')
    if (plain !== content) {
      for (const { value } of readYaml(text).documents) secrets.push(...leavesIn(value))
    }
    return text
  }
}

function leavesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (isList(value)) return value.flatMap(leavesIn)
  return isRecord(value) ? Object.values(value).flatMap(leavesIn) : []
}
