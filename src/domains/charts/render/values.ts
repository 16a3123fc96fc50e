/** The values of a chart: values.yaml, and over it the files and settings that the user gave, later ones winning. */
import { readYaml, type YamlDocument } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { ValueLayer } from '../chart-input.ts'
import { readAsHelm } from './helm-yaml.ts'
import { parsePath, settingsIn, SetError, type Key } from './set-grammar.ts'
import { defined } from '#model/defined.ts'

export type Values = { readonly [key: string]: unknown }

/** Where values come from: a file with places, or a flag. */
export type ValueSource = {
  /** Of a file its name, else the flag. */
  readonly name: string
  readonly values: Values
  /** Where a value of a file stands. */
  readonly document: YamlDocument | undefined
}

export type UserValues = {
  readonly values: Values
  /** In the order given. */
  readonly sources: readonly ValueSource[]
  readonly problems: readonly ProblemFacts[]
  /** Where it matters that they are read as Helm reads them. */
  readonly notes: readonly string[]
}

/** What the user gave. A null in it is kept: it takes away what the chart says there. */
export function readUserValues(layers: readonly ValueLayer[]): UserValues {
  const problems: ProblemFacts[] = []
  const notes: string[] = []
  const sources: ValueSource[] = []
  let values: Values = {}
  for (const layer of layers) {
    if (layer.kind === 'file') {
      const read = readValuesFile(layer.name, layer.text)
      problems.push(...read.problems)
      notes.push(...read.notes)
      sources.push(read.source)
      values = merged(values, read.source.values)
      continue
    }
    try {
      values = applied(values, layer)
      sources.push({ name: `--${layer.kind}`, values: applied({}, layer), document: undefined })
    } catch (thrown) {
      if (!(thrown instanceof SetError)) throw thrown
      problems.push({
        type: 'configuration',
        code: 'values_error',
        message: `--${layer.kind}: ${thrown.message}`,
        suggestion:
          'write it as a.b[0]=value; a "," or "." that is meant literally needs a \\ before it',
      })
    }
  }
  return { values, sources, problems, notes }
}

type ValuesFile = {
  readonly source: ValueSource
  readonly problems: readonly ProblemFacts[]
  readonly notes: readonly string[]
}

export function readValuesFile(name: string, text: string): ValuesFile {
  const { documents, errors } = readYaml(text)
  const found = errors.map(({ message, line, column }) => ({ message, line, column }))
  const [document] = documents
  const read = errors.length > 0 || document === undefined ? undefined : readAsHelm(text, document)
  if (typeof read === 'string') found.push({ message: read, line: 1, column: 1 })
  const value = (typeof read === 'object' ? read.value : undefined) ?? {}
  if (found.length === 0 && documents.length > 1) {
    found.push({ message: 'there is more than one document', ...defined(documents[1]).at })
  } else if (found.length === 0 && !isRecord(value)) {
    found.push({
      message: 'expected a map of values',
      ...(documents[0]?.at ?? { line: 1, column: 1 }),
    })
  }
  const problems = found.map(({ message, line, column }): ProblemFacts => {
    const at = { file: name, line, column }
    return { type: 'configuration', code: 'values_error', message, at, suggestion: valuesForm }
  })
  if (problems.length > 0 || !isRecord(value))
    return { source: { name, values: {}, document: undefined }, problems, notes: [] }
  const differences = typeof read === 'object' ? read.differences : []
  return {
    source: { name, values: value, document },
    problems: [],
    notes: differences.map((each) => `${name}:${each.line}:${each.column} ${each.message}`),
  }
}

const valuesForm = 'a file of values is one YAML map: key: value'

/** Maps are merged, everything else is replaced, by null too. */
function merged(below: Values, above: Values): Values {
  const result = new Map(Object.entries(below))
  for (const [key, value] of Object.entries(above)) {
    const before = result.get(key)
    result.set(key, isRecord(value) && isRecord(before) ? merged(before, value) : value)
  }
  return Object.fromEntries(result)
}

function applied(values: Values, layer: Exclude<ValueLayer, { kind: 'file' }>): Values {
  if (layer.kind === 'set-file') return setMap(values, parsePath(layer.path), layer.content)
  const settings = settingsIn(layer.kind, layer.text)
  return settings.reduce((left, { path, value }) => setMap(left, path, value), values)
}

function setMap(values: Values, [key, ...rest]: readonly Key[], value: unknown): Values {
  const result = new Map(Object.entries(values))
  const name = String(key)
  if (rest.length > 0) result.set(name, setIn(result.get(name), rest, value))
  else result.set(name, value)
  return Object.fromEntries(result)
}

/** What lies on the way and is of another shape gives way, as in Helm. */
function setIn(holder: unknown, path: readonly Key[], value: unknown): unknown {
  const [key, ...rest] = path
  if (typeof key !== 'number') return setMap(isRecord(holder) ? holder : {}, path, value)
  const list = isList(holder) ? [...holder] : []
  while (list.length <= key) list.push(null)
  list[key] = rest.length === 0 ? value : setIn(list[key], rest, value)
  return list
}
