/** Holds the values of a chart and of its subcharts against their values.schema.json. */
import { readSchema, SchemaError, type Fault } from '#formats/json-schema/read-schema.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { didYouMean } from '#formats/schema/suggestion.ts'
import { isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { join, type ChartNode } from './chart-tree.ts'
import { valuePlaces, type ValuePath } from './value-places.ts'
import type { Values, ValueSource } from './values.ts'

export function schemaProblems(
  tree: Tree,
  root: ChartNode,
  values: Values,
  given: readonly ValueSource[],
): readonly ProblemFacts[] {
  const placeOf = valuePlaces(root, given)
  function problemsOf(node: ChartNode, own: Values, path: ValuePath): readonly ProblemFacts[] {
    const file = join(node.folder, 'values.schema.json')
    const written = tree.read(file)
    const found =
      written === undefined
        ? []
        : faultsIn(file, Buffer.from(written).toString('utf8'), own, (fault) =>
            told(fault, file, path),
          )
    const below = node.children.flatMap((child) => {
      const held = own[child.name]
      return isRecord(held) ? problemsOf(child, held, [...path, child.name]) : []
    })
    return [...found, ...below]
  }
  function told(fault: Fault, file: string, base: ValuePath): ProblemFacts {
    const { key, isMissing = false } = fault
    const path = [...base, ...fault.path]
    const isUnknown = key !== undefined && !isMissing
    const { at, flag } = placeOf(isUnknown ? [...path, key] : path, isUnknown)
    const name = path.length === 0 ? '' : `${pathText(path)}: `
    return {
      type: 'configuration',
      code: 'values_error',
      message: `${flag === undefined ? '' : `${flag}: `}${name}${fault.message}`,
      at,
      suggestion: isMissing
        ? `set it in a file of values or with --set ${pathText([...path, key ?? ''])}=…; ${file} asks for it`
        : `${file} says so`,
    }
  }
  return problemsOf(root, values, [])
}

function pathText(path: ValuePath): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('')
}

function faultsIn(
  file: string,
  text: string,
  values: Values,
  told: (fault: Fault) => ProblemFacts,
): readonly ProblemFacts[] {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [fault] = readYaml(text).errors
    const at = { file, line: fault?.line ?? 1, column: fault?.column ?? 1 }
    const message = `the schema is not JSON: ${error.message}`
    return [{ type: 'configuration', code: 'values_error', message, at, suggestion: jsonForm }]
  }
  try {
    return readSchema(schema)
      .faultsOf(values)
      .map((fault) => withNearest(fault, schema, told(fault)))
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    const place = readYaml(text).documents[0]?.valueAt(error.path)
    const at = { file, line: place?.line ?? 1, column: place?.column ?? 1 }
    const { message } = error
    return [{ type: 'configuration', code: 'values_error', message, at, suggestion: schemaForm }]
  }
}

const jsonForm = 'keys and texts stand in double quotes, and no comma before a closing brace'
const schemaForm =
  'write it as a JSON Schema of draft 7 or 2020-12, with references inside the file'

/** A key that is not known is often one that is, misspelt. */
function withNearest(fault: Fault, schema: unknown, problem: ProblemFacts): ProblemFacts {
  if (fault.key === undefined || fault.isMissing === true || fault.path.length > 0) return problem
  const known = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}
  const suggestion = didYouMean(fault.key, Object.keys(known)) ?? problem.suggestion
  return { ...problem, suggestion }
}
