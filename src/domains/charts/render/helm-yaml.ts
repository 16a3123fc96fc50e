/** What Helm makes of a file of values: YAML 1.1, where `no` is false and 0777 is 511; and where that differs from YAML 1.2. */
import { budget } from '#formats/template/budget.ts'
import { GoError } from '#formats/template/errors.ts'
import { toBytes, toText } from '#formats/template/bytes.ts'
import type { Value } from '#formats/template/values.ts'
import { readYaml } from '#formats/template/yaml/read.ts'
import type { YamlDocument } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'

export type Reading = {
  readonly value: unknown
  /** Scalars that a reader of YAML 1.2 takes for something else. */
  readonly differences: readonly Difference[]
}

export type Difference = {
  readonly line: number
  readonly column: number
  readonly message: string
}

const limits = { outputBytes: 16 * 1024 * 1024, steps: 20_000_000, depth: 1000 }

/** The message of what Helm refuses too, such as `.inf`. */
export function readAsHelm(text: string, document: YamlDocument): Reading | string {
  try {
    const value = plainOf(readYaml(toBytes(text), budget(limits)))
    return { value, differences: differencesIn(document, value) }
  } catch (thrown) {
    if (thrown instanceof GoError) return thrown.message
    throw thrown
  }
}

function plainOf(value: Value): unknown {
  if (typeof value === 'string') return toText(value)
  if (typeof value !== 'object' || value === null) return value
  if (value.kind === 'list') return value.items.map(plainOf)
  if (value.kind !== 'dict') return null
  return Object.fromEntries([...value.entries].map(([key, item]) => [toText(key), plainOf(item)]))
}

type Path = readonly (string | number)[]

function differencesIn(document: YamlDocument, helms: unknown): readonly Difference[] {
  const found: Difference[] = []
  function compare(newer: unknown, older: unknown, path: Path): void {
    if (isList(newer) && isList(older)) {
      for (const [index, item] of newer.entries()) compare(item, older[index], [...path, index])
    } else if (isRecord(newer) && isRecord(older)) {
      for (const [key, item] of Object.entries(newer)) {
        if (Object.hasOwn(older, key)) compare(item, older[key], [...path, key])
        else found.push(keyDifference(document, [...path, key]))
      }
    } else if (newer !== older) found.push(valueDifference(document, path, older))
  }
  compare(document.value ?? {}, helms ?? {}, [])
  return found
}

function keyDifference(document: YamlDocument, path: Path): Difference {
  const message = `the key ${path.join('.')} is no text in YAML 1.1, which values are read as, as in Helm: put it in quotes`
  return { ...document.keyAt(path), message }
}

function valueDifference(document: YamlDocument, path: Path, value: unknown): Difference {
  const source = document.sourceOf(path) ?? ''
  const message = `${path.join('.')}: ${source} is ${kindOf(value)} ${String(value)}, for values are read as YAML 1.1, as in Helm; "${source}" is the text`
  return { ...document.valueAt(path), message }
}

function kindOf(value: unknown): string {
  return typeof value === 'boolean' ? 'the truth value' : `the ${typeof value}`
}
