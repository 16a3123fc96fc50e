/** The shapes of settings that occur in a kustomization and in files of their own. */
import {
  flag,
  list,
  record,
  strictText,
  strictTexts,
  text,
  textMap,
  texts,
  whole,
  type Reader,
  type Values,
} from '../yaml/decode.ts'
import type { FieldSpec } from '../transform/field-specs.ts'
import type { Selector } from '../transform/selector.ts'

const gvk = { group: strictText, version: strictText, kind: strictText }
const id = { ...gvk, name: strictText, namespace: strictText }
const selectorFields = { ...id, labelSelector: text, annotationSelector: text }

function given<Value>(reader: Reader<Value | undefined>, otherwise: Value): Reader<Value> {
  return (node, source) => reader(node, source) ?? otherwise
}

export const selector: Reader<Selector | undefined> = (node, source) => {
  const read = record(selectorFields)(node, source)
  return read === undefined ? undefined : { ...noSelector, ...read }
}

export const noId = { group: '', version: '', kind: '', name: '', namespace: '' }
export const noSelector: Selector = { ...noId, labelSelector: '', annotationSelector: '' }

const specFields = record({ ...gvk, path: text, create: flag })
export const noSpec: FieldSpec = { group: '', version: '', kind: '', path: '', create: false }

export const fieldSpec: Reader<FieldSpec> = (node, source) => ({
  ...noSpec,
  ...specFields(node, source),
})
export const fieldSpecs = list(fieldSpec)

export const generatorOptions = record({
  labels: textMap,
  annotations: textMap,
  disableNameSuffixHash: flag,
  immutable: flag,
})
export type GeneratorOptions = Exclude<ReturnType<typeof generatorOptions>, undefined>

export const generatorFields = {
  namespace: strictText,
  name: strictText,
  behavior: strictText,
  literals: strictTexts,
  files: strictTexts,
  envs: strictTexts,
  env: strictText,
  options: generatorOptions,
  type: text,
}
const { type: _, ...configMapFields } = generatorFields
export const configMapGenerator = record(configMapFields)
export const secretGenerator = record(generatorFields)
export type GeneratorArgs = Values<typeof generatorFields>

const patchOptions = record({ allowNameChange: flag, allowKindChange: flag })
export const patchFields = { path: text, patch: text, target: selector, options: patchOptions }
export const patch = given(record(patchFields), {})
export type Patch = Values<typeof patchFields>

const imageFields = {
  name: text,
  newName: text,
  tagSuffix: text,
  newTag: text,
  digest: text,
}
export const image = given(record(imageFields), {})
export type Image = Values<typeof imageFields>

const replicaFields = { name: text, count: whole }
export const replica = given(record(replicaFields), {})
export type Replica = Values<typeof replicaFields>

const labelFields = {
  pairs: textMap,
  includeSelectors: flag,
  includeTemplates: flag,
  fields: fieldSpecs,
}
export const label = given(record(labelFields), {})

const fieldOptions = record({ delimiter: text, index: whole, encoding: text, create: flag })
export type FieldOptions = Exclude<ReturnType<typeof fieldOptions>, undefined>

/** A text that was not given differs from an empty one. */
const optionalText: Reader<string | undefined> = (node, source) =>
  node.tag === '!!null' ? undefined : text(node, source)

const replacementSource = record({ ...id, fieldPath: text, options: fieldOptions })
const replacementTarget = given(
  record({
    select: selector,
    reject: list(selector),
    fieldPaths: texts,
    options: fieldOptions,
  }),
  {},
)
const replacementFields = {
  source: replacementSource,
  targets: list(replacementTarget),
  sourceValue: optionalText,
}
export const replacement = given(record(replacementFields), {})
export type Replacement = Values<typeof replacementFields>
export const replacementEntry = given(record({ ...replacementFields, path: text }), {})
export type ReplacementEntry = Replacement & { readonly path?: string }

const varTarget = record({ ...id, apiVersion: text })
const varFields = { name: text, objref: varTarget, fieldref: record({ fieldPath: text }) }
export const variable = given(record(varFields), {})
export type Var = Values<typeof varFields>

export const sortOptions = record({
  order: text,
  legacySortOptions: record({ orderFirst: texts, orderLast: texts }),
})
export type SortOptions = Exclude<ReturnType<typeof sortOptions>, undefined>
