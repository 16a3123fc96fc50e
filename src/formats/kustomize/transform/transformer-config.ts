/** Which fields each transformer works on: the defaults, and what `configurations` and `crds` add to them. */
import { type FieldSpec, mergeSpecs } from './field-specs.ts'
import { type Gvk, byGvk } from '../names/id.ts'
import { defined } from '#model/defined.ts'

/** Fields that hold the name of a resource of this kind. */
export type NameReference = Gvk & { readonly fieldSpecs: readonly FieldSpec[] }

const specLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'labels',
  'templateLabels',
  'commonAnnotations',
  'varReference',
  'images',
  'replicas',
] as const

export type TransformerConfig = {
  readonly [List in (typeof specLists)[number]]: readonly FieldSpec[]
} & { readonly nameReference: readonly NameReference[] }

export const emptyConfig: TransformerConfig = {
  namePrefix: [],
  nameSuffix: [],
  namespace: [],
  commonLabels: [],
  labels: [],
  templateLabels: [],
  commonAnnotations: [],
  varReference: [],
  images: [],
  replicas: [],
  nameReference: [],
}

/** Adding to nothing is not the same as taking over: a path for all kinds gives way to one for some. */
export function mergeConfigs(one: TransformerConfig, other: TransformerConfig): TransformerConfig {
  if (one === other || other === emptyConfig) return one
  if (one === emptyConfig && settled.has(other)) return other
  const merged = { ...one }
  const lists = Object.fromEntries(
    specLists.map((list) => [list, mergeSpecs(one[list], other[list]).toSorted(byGvk)]),
  )
  return {
    ...merged,
    ...lists,
    nameReference: mergeReferences(one.nameReference, other.nameReference),
  }
}

/** Those that come out of a merge with nothing as they went in. */
const settled = new WeakSet<TransformerConfig>()

export function settledConfig(config: TransformerConfig): TransformerConfig {
  const result = mergeConfigs(emptyConfig, sortedConfig(config))
  settled.add(result)
  return result
}

export function sortedConfig(config: TransformerConfig): TransformerConfig {
  const lists = Object.fromEntries(specLists.map((list) => [list, config[list].toSorted(byGvk)]))
  return { ...config, ...lists, nameReference: config.nameReference.toSorted(byGvk) }
}

export function mergeReferences(
  references: readonly NameReference[],
  more: readonly NameReference[],
): readonly NameReference[] {
  if (references === more) return references
  const result = [...references]
  for (const reference of more) {
    const at = result.findIndex((one) => isSameGvk(one, reference))
    if (at < 0) result.push(reference)
    else {
      const fieldSpecs = mergeSpecs(defined(result[at]).fieldSpecs, reference.fieldSpecs)
      result[at] = { ...defined(result[at]), fieldSpecs }
    }
  }
  return result.toSorted(byGvk)
}

function isSameGvk(a: Gvk, b: Gvk): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind
}
