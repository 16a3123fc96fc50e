/** Files that tell transformers of further fields: `configurations`, and `crds` with their OpenAPI extensions. */
import { type Source, list, record, strictText } from '../yaml/decode.ts'
import { KustomizeError, fail } from '../error.ts'
import { type FieldSpec, mergeSpecs } from '../transform/field-specs.ts'
import type { Loader } from './loader.ts'
import { parseOne } from '../yaml/parse.ts'
import { type PlainMap, plainOfSettings } from '../yaml/plain.ts'
import type { Node } from '../yaml/node.ts'
import { fieldSpecs, noSpec } from './settings.ts'
import { defaultConfig } from '../transform/default-config.ts'
import {
  type NameReference,
  type TransformerConfig,
  emptyConfig,
  mergeConfigs,
  mergeReferences,
  sortedConfig,
} from '../transform/transformer-config.ts'
import { defined } from '#model/defined.ts'

const nameReference = record({
  group: strictText,
  version: strictText,
  kind: strictText,
  fieldSpecs,
})
const read = record({
  namePrefix: fieldSpecs,
  nameSuffix: fieldSpecs,
  namespace: fieldSpecs,
  commonLabels: fieldSpecs,
  labels: fieldSpecs,
  templateLabels: fieldSpecs,
  commonAnnotations: fieldSpecs,
  varReference: fieldSpecs,
  images: fieldSpecs,
  replicas: fieldSpecs,
  nameReference: list(nameReference),
})

/** The defaults and what these files add. */
export function configured(loader: Loader, paths: readonly string[]): TransformerConfig {
  let config = emptyConfig
  for (const path of paths) config = mergeConfigs(config, readConfiguration(loader, path))
  return paths.length === 0 ? defaultConfig : mergeConfigs(defaultConfig, config)
}

function readConfiguration(loader: Loader, path: string): TransformerConfig {
  const file = loader.pathOf(path)
  const source: Source = { file, isStrict: true, isLoose: true }
  const node = parseOne(loader.text(path), file, 'old')
  if (node === undefined) return emptyConfig
  refuseRepeats(node, file)
  const { nameReference: references, ...lists } = read(node, source) ?? {}
  const named = (references ?? []).map((one) => ({ ...noSpec, fieldSpecs: [], ...one }))
  return sortedConfig({ ...emptyConfig, ...lists, nameReference: named })
}

function refuseRepeats(node: Node, file: string): void {
  const seen = new Set<string>()
  if (node.kind === 'map') {
    for (let i = 0; i < node.content.length; i += 2) {
      const key = defined(node.content[i])
      if (seen.has(key.value)) {
        throw new KustomizeError(`${key.value} is given twice`, { file, line: key.line })
      }
      seen.add(key.value)
    }
  }
  for (const item of node.content) refuseRepeats(item, file)
}

/** Custom resources whose OpenAPI says which fields are names, labels or annotations. */
export function configFromCrds(loader: Loader, paths: readonly string[]): TransformerConfig {
  let config = emptyConfig
  for (const path of paths) {
    const node = parseOne(loader.text(path), loader.pathOf(path), 'old')
    const types = node === undefined ? null : plainOfSettings(node)
    if (!(types instanceof Map)) return fail(`${path} holds no definitions`)
    for (const name of types.keys()) {
      if (isObject(propertiesOf(types, name))) config = mergeConfigs(config, fromType(types, name))
    }
  }
  return config
}

function propertiesOf(types: PlainMap, name: string): PlainMap {
  const type = types.get(name)
  const schema = type instanceof Map ? (lowered(type).get('schema') ?? null) : null
  const properties = schema instanceof Map ? schema.get('properties') : null
  return properties instanceof Map ? properties : new Map()
}

/** `Schema` and `schema` are the same to a reader of JSON in Go. */
function lowered(map: PlainMap): PlainMap {
  return new Map([...map].map(([key, value]) => [key.toLowerCase(), value]))
}

function isObject(properties: PlainMap): boolean {
  return properties.has('kind') && properties.has('apiVersion') && properties.has('metadata')
}

type ConfigurationFields = {
  annotations: FieldSpec[]
  labels: FieldSpec[]
  names: FieldSpec[]
  references: NameReference[]
  steps: number
}

function fromType(types: PlainMap, name: string): TransformerConfig {
  const found: ConfigurationFields = {
    annotations: [],
    labels: [],
    names: [],
    references: [],
    steps: 0,
  }
  collect(types, name, defined(name.split('.').at(-1)), [], found)
  return sortedConfig({
    ...emptyConfig,
    commonAnnotations: mergeSpecs([], found.annotations),
    commonLabels: mergeSpecs([], found.labels),
    namePrefix: mergeSpecs([], found.names),
    nameReference: mergeReferences([], found.references),
  })
}

/** Definitions that refer to each other in circles would never end. */
const stepLimit = 10_000

function collect(
  types: PlainMap,
  type: string,
  kind: string,
  path: readonly string[],
  found: ConfigurationFields,
): void {
  if (path.length > 100 || found.steps++ > stepLimit) fail(`the definition of ${kind} never ends`)
  for (const [name, property] of propertiesOf(types, type)) {
    if (!(property instanceof Map)) continue
    const here = [...path, name]
    const spec: FieldSpec = { ...noSpec, kind, path: here.join('/') }
    const extension = (key: string): string | undefined => {
      const value = property.get(`x-kubernetes-${key}`)
      return typeof value === 'string' ? value : undefined
    }
    if (extension('annotation') !== undefined) found.annotations.push(spec)
    if (extension('label-selector') !== undefined) found.labels.push(spec)
    if (extension('identity') !== undefined) found.names.push(spec)
    const [version, target] = [extension('object-ref-api-version'), extension('object-ref-kind')]
    if (version !== undefined && target !== undefined) {
      const nameKey = extension('object-ref-name-key') ?? 'name'
      const fieldSpec = { ...spec, path: [...here, nameKey].join('/') }
      found.references.push({ group: '', version, kind: target, fieldSpecs: [fieldSpec] })
    }
    const reference = property.get('$ref')
    if (typeof reference === 'string') collect(types, reference, kind, here, found)
  }
}
