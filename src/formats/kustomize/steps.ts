/** The generators and transformers that the fields of a kustomization stand for, in the order in which they run. */
import type { Target } from './accumulate.ts'
import { KustomizeError } from './error.ts'
import { mergeSpecs } from './field-specs.ts'
import { generate, withGlobalOptions } from './generate.ts'
import { applyPatch } from './patches.ts'
import { type Transform, jsonTransform } from './plugins.ts'
import { loadedReplacements } from './replacement-files.ts'
import { replaceValues } from './replacements.ts'
import type { Resource } from './resource.ts'
import { noSpec } from './settings.ts'
import { mergePatches } from './strategic-patches.ts'
import { addTexts, setImage, setReplicas } from './transform-fields.ts'
import { addAffix, setNamespaces } from './transform-names.ts'
import type { TransformerConfig } from './transformer-config.ts'

export function builtInGenerators(
  target: Target,
): readonly { readonly kind: string; readonly make: () => Resource }[] {
  const { kustomization, file } = target
  const helm = [
    ...(kustomization.helmCharts ?? []),
    ...(kustomization.helmChartInflationGenerator ?? []),
  ]
  if (helm[0] !== undefined) {
    throw new KustomizeError(
      'Helm charts are not supported here',
      { file, line: helm[0].line },
      'helm',
    )
  }
  const lists = [
    ['ConfigMap', kustomization.configMapGenerator ?? []],
    ['Secret', kustomization.secretGenerator ?? []],
  ] as const
  return lists.flatMap(([kind, list]) =>
    list.map((args) => {
      const options = withGlobalOptions(args?.options, kustomization.generatorOptions)
      const all = { ...args, ...(options === undefined ? {} : { options }) }
      return { kind: `${kind}Generator`, make: () => generate(kind, all, target) }
    }),
  )
}

export type Step = { readonly kind: string; readonly run: Transform }

export function builtInTransformers(target: Target, config: TransformerConfig): readonly Step[] {
  const { kustomization, loader, file, schemas } = target
  const source = { loader, schemas, file }
  const merges = kustomization.patchesStrategicMerge ?? []
  const steps: Step[] = []
  const add = (kind: string, run: Transform): void => void steps.push({ kind, run })
  if (merges.length > 0) add('PatchStrategicMergeTransformer', mergePatches(merges, '', source))
  for (const patch of kustomization.patches ?? []) {
    add('PatchTransformer', (set) => applyPatch(set, patch, source))
  }
  const { namespace, namePrefix, nameSuffix } = kustomization
  if (namespace) {
    const settings = { namespace, isUnsetOnly: false, subjects: 'defaultOnly' } as const
    add('NamespaceTransformer', (set) =>
      setNamespaces(set, { ...settings, specs: config.namespace }),
    )
  }
  if (namePrefix)
    add('PrefixTransformer', (set) => addAffix(set, 'prefix', namePrefix, config.namePrefix))
  if (nameSuffix)
    add('SuffixTransformer', (set) => addAffix(set, 'suffix', nameSuffix, config.nameSuffix))
  steps.push(...labelSteps(target, config))
  const annotations = kustomization.commonAnnotations
  if (annotations !== undefined && annotations.size > 0) {
    add('AnnotationsTransformer', (set) => addTexts(set, annotations, config.commonAnnotations))
  }
  for (const patch of kustomization.patchesJson6902 ?? []) {
    add('PatchJson6902Transformer', jsonTransform(patch, source))
  }
  for (const replica of kustomization.replicas ?? []) {
    add('ReplicaCountTransformer', (set) => setReplicas(set, replica, config.replicas))
  }
  for (const image of kustomization.images ?? []) {
    add('ImageTagTransformer', (set) => setImage(set, image, config.images))
  }
  const replacements = kustomization.replacements ?? []
  if (replacements.length > 0) {
    const loaded = loadedReplacements(replacements, loader)
    add('ReplacementTransformer', (set) => replaceValues(set, loaded))
  }
  return steps
}

const ownLabels = [{ ...noSpec, path: 'metadata/labels', create: true }]

/** `labels` each on their own fields, then `commonLabels` on all. */
function labelSteps(target: Target, config: TransformerConfig): Step[] {
  const { labels = [], commonLabels = new Map<string, string>() } = target.kustomization
  if (labels.length === 0 && commonLabels.size === 0) return []
  const steps = labels.map((label): Step => {
    let specs = mergeSpecs(label.fields ?? [], config.labels)
    if (label.includeSelectors === true) specs = mergeSpecs(specs, config.commonLabels)
    else {
      if (label.includeTemplates === true) specs = mergeSpecs(specs, config.templateLabels)
      specs = mergeSpecs(specs, ownLabels)
    }
    return {
      kind: 'LabelTransformer',
      run: (set) => addTexts(set, label.pairs ?? new Map<string, string>(), specs),
    }
  })
  const run: Transform = (set) => addTexts(set, commonLabels, config.commonLabels)
  return [...steps, { kind: 'LabelTransformer', run }]
}
