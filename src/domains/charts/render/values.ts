/** The values of a chart: values.yaml, and over it the files and settings that the user gave, later ones winning. */
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { ValueLayer } from '../chart-input.ts'
import { readAsHelm } from './helm-yaml.ts'
import { parsePath, settingsIn, SetError, type Key } from './set-grammar.ts'

export type Values = { readonly [key: string]: unknown }

export type ValuesRead = {
  readonly values: Values
  readonly problems: readonly ProblemFacts[]
  /** Where it matters that they are read as Helm reads them. */
  readonly notes: readonly string[]
}

export function readValues(base: string | undefined, layers: readonly ValueLayer[]): ValuesRead {
  const problems: ProblemFacts[] = []
  const notes: string[] = []
  let values: Values = base === undefined ? {} : fileValues('values.yaml', base, problems, notes)
  for (const layer of layers) {
    if (layer.kind === 'file') {
      values = merged(values, fileValues(layer.name, layer.text, problems, notes))
      continue
    }
    try {
      values = applied(values, layer)
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
  return { values, problems, notes }
}

function fileValues(name: string, text: string, problems: ProblemFacts[], notes: string[]): Values {
  const { documents, errors } = readYaml(text)
  const found = errors.map(({ message, line, column }) => ({ message, line, column }))
  const [document] = documents
  const read = errors.length > 0 || document === undefined ? undefined : readAsHelm(text, document)
  if (typeof read === 'string') found.push({ message: read, line: 1, column: 1 })
  const value = (typeof read === 'object' ? read.value : undefined) ?? {}
  if (found.length === 0 && documents.length > 1) {
    found.push({ message: 'there is more than one document', ...documents[1]!.at })
  } else if (found.length === 0 && !isRecord(value)) {
    found.push({
      message: 'expected a map of values',
      ...(documents[0]?.at ?? { line: 1, column: 1 }),
    })
  }
  for (const { message, line, column } of found) {
    const at = { file: name, line, column }
    problems.push({ type: 'configuration', code: 'values_error', message, at })
  }
  if (found.length > 0 || !isRecord(value)) return {}
  for (const { message, line, column } of typeof read === 'object' ? read.differences : []) {
    notes.push(`${name}:${line}:${column} ${message}`)
  }
  return value
}

/** Maps are merged, everything else is replaced, and null takes a key away. */
export function merged(below: Values, above: Values): Values {
  const result = new Map(Object.entries(below))
  for (const [key, value] of Object.entries(above)) {
    const before = result.get(key)
    if (value === null) result.delete(key)
    else if (isRecord(value)) result.set(key, merged(isRecord(before) ? before : {}, value))
    else result.set(key, value)
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
  else if (value === null) result.delete(name)
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
