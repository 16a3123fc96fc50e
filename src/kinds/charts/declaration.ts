/** How charts are written in tend.yaml, and found in a tree. */
import { ignoreLines } from '#domains/containers/ignore-drift.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isRecord } from '#model/json.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'

const chartName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,199}$/

export const chartDeclaration: KindDeclaration = {
  kind: 'chart',
  names: {
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]*$',
    description: 'A chart, by its name',
    fault(name) {
      if (chartName.test(name)) return undefined
      return {
        message: `${JSON.stringify(name)} is not a name`,
        suggestion: 'use letters, digits, "-", "_" and "."',
      }
    },
  },
  fields: ['namespace', 'ignore'],
  ignoreLines,
  namespace: null,
  hasTextValues: false,
  discovery: {
    files: ['Chart.yaml'],
    isNamedInside: true,
    nameFrom(_folder, text) {
      const value = readYaml(text).documents[0]?.value
      const name = isRecord(value) ? value['name'] : undefined
      return typeof name === 'string' && chartName.test(name) ? name : undefined
    },
    unnamed: () => ({
      message: 'the chart does not say its name',
      suggestion: 'add name: to it',
    }),
  },
}
