/** The generators and transformers that the fields of a kustomization stand for, in the order in which they run. */
import type { Target } from './accumulate.ts'
import { KustomizeError } from '../error.ts'
import { mergeSpecs } from '../transform/field-specs.ts'
import { generate, withGlobalOptions } from '../generate/generate.ts'
import { applyPatch } from '../patch/patches.ts'
import { type Transform, jsonTransform } from '../generate/plugins.ts'
import { loadedReplacements } from '../transform/replacement-files.ts'
import { replaceValues } from '../transform/replacements.ts'
import type { Resource } from './resource.ts'
import { noSpec } from './settings.ts'
import { mergePatches } from '../patch/strategic-patches.ts'
import { addTexts, imageSetter, setReplicas } from '../transform/transform-fields.ts'
import { addAffix, setNamespaces } from '../names/transform-names.ts'
import type { TransformerConfig } from '../transform/transformer-config.ts'

export function builtInGenerators(
  target: Target,
): readonly { readonly kind: string; readonly line: number; readonly make: () => Resource }[] {
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
    ['ConfigMap', 'configMapGenerator', kustomization.configMapGenerator ?? []],
    ['Secret', 'secretGenerator', kustomization.secretGenerator ?? []],
  ] as const
  return lists.flatMap(([kind, field, list]) =>
    list.map((args, i) => {
      const options = withGlobalOptions(args?.options, kustomization.generatorOptions)
      const all = { ...args, ...(options === undefined ? {} : { options }) }
      const line = target.lineOf(field, i)
      return {
        kind: `${kind}Generator`,
        line,
        make: () => generate(kind, all, { ...target, line }),
      }
    }),
  )
}

/** Says which patch it was, where the file does not hold it. */
function named(name: string | undefined, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof KustomizeError) || name === undefined) throw error
    throw new KustomizeError(`${name}: ${error.reason}`, undefined, error.needs)
  }
}

export type Step = { readonly kind: string; readonly line: number; readonly run: Transform }

/** Steps that see themselves to it that an index of ids holds. */
export const keepingIds: ReadonlySet<string> = new Set([
  'PatchTransformer',
  'PatchStrategicMergeTransformer',
])

export function builtInTransformers(target: Target, config: TransformerConfig): readonly Step[] {
  const { kustomization, loader, lineOf, schemas } = target
  const steps: Step[] = []
  function add(kind: string, line: number, run: Transform): void {
    steps.push({ kind, line, run })
  }
  const sourceAt = (line: number) => ({ loader, schemas, file: target.file, line })
  const merges = kustomization.patchesStrategicMerge ?? []
  if (merges.length > 0) {
    const line = lineOf('patchesStrategicMerge')
    add('PatchStrategicMergeTransformer', line, (set) =>
      mergePatches(merges, '', sourceAt(line))(set),
    )
  }
  for (const [i, patch] of (kustomization.patches ?? []).entries()) {
    if (patch.path && target.secrets.leavesOut.has(loader.pathOf(patch.path))) continue
    const line = lineOf('patches', i)
    const own = target.ownPatches ?? Infinity
    add('PatchTransformer', line, (set) =>
      named(i < own ? undefined : `patch ${i - own + 1} that was added`, () =>
        applyPatch(set, patch, sourceAt(line)),
      ),
    )
  }
  const { namespace, namePrefix, nameSuffix, commonAnnotations } = kustomization
  if (namespace) {
    const settings = { namespace, isUnsetOnly: false, subjects: 'defaultOnly' } as const
    add('NamespaceTransformer', lineOf('namespace'), (set) =>
      setNamespaces(set, { ...settings, specs: config.namespace }),
    )
  }
  if (namePrefix) {
    add('PrefixTransformer', lineOf('namePrefix'), (set) =>
      addAffix(set, 'prefix', namePrefix, config.namePrefix),
    )
  }
  if (nameSuffix) {
    add('SuffixTransformer', lineOf('nameSuffix'), (set) =>
      addAffix(set, 'suffix', nameSuffix, config.nameSuffix),
    )
  }
  steps.push(...labelSteps(target, config))
  if (commonAnnotations !== undefined && commonAnnotations.size > 0) {
    add('AnnotationsTransformer', lineOf('commonAnnotations'), (set) =>
      addTexts(set, commonAnnotations, config.commonAnnotations),
    )
  }
  for (const [i, patch] of (kustomization.patchesJson6902 ?? []).entries()) {
    const line = lineOf('patchesJson6902', i)
    add('PatchJson6902Transformer', line, (set) => jsonTransform(patch, sourceAt(line))(set))
  }
  for (const [i, replica] of (kustomization.replicas ?? []).entries()) {
    add('ReplicaCountTransformer', lineOf('replicas', i), (set) =>
      setReplicas(set, replica, config.replicas),
    )
  }
  const setImage = imageSetter(config.images)
  for (const [i, image] of (kustomization.images ?? []).entries()) {
    add('ImageTagTransformer', lineOf('images', i), (set) => setImage(set, image))
  }
  const replacements = kustomization.replacements ?? []
  if (replacements.length > 0) {
    add('ReplacementTransformer', lineOf('replacements'), (set) =>
      replaceValues(set, loadedReplacements(replacements, loader), target.secrets),
    )
  }
  return steps
}

const ownLabels = [{ ...noSpec, path: 'metadata/labels', create: true }]

/** `labels` each on their own fields, then `commonLabels` on all. */
function labelSteps(target: Target, config: TransformerConfig): Step[] {
  const { labels = [], commonLabels = new Map<string, string>() } = target.kustomization
  if (labels.length === 0 && commonLabels.size === 0) return []
  const steps = labels.map((label, i): Step => {
    let specs = mergeSpecs(label.fields ?? [], config.labels)
    if (label.includeSelectors === true) specs = mergeSpecs(specs, config.commonLabels)
    else {
      if (label.includeTemplates === true) specs = mergeSpecs(specs, config.templateLabels)
      specs = mergeSpecs(specs, ownLabels)
    }
    return {
      kind: 'LabelTransformer',
      line: target.lineOf('labels', i),
      run: (set) => addTexts(set, label.pairs ?? new Map<string, string>(), specs),
    }
  })
  const run: Transform = (set) => addTexts(set, commonLabels, config.commonLabels)
  return [...steps, { kind: 'LabelTransformer', line: target.lineOf('commonLabels'), run }]
}
