/** Generators and transformers in files of their own: the built-in ones, by their kind. */
import {
  type Source,
  list,
  record,
  text,
  textMap,
  flag,
  texts,
  whole,
  type Fields,
  type Values,
} from '../yaml/decode.ts'
import { KustomizeError, at, fail } from '../error.ts'
import { generate } from './generate.ts'
import { addHashes } from './name-hash.ts'
import type { Loader } from '../load/loader.ts'
import { readJsonPatch } from '../patch/json-patch.ts'
import { jsonNode, resourceOf } from '../load/read-resources.ts'
import { parseOne } from '../yaml/parse.ts'
import { plainOf } from '../yaml/plain.ts'
import { type PatchSource, applyOperations, applyPatch } from '../patch/patches.ts'
import { loadedReplacements } from '../transform/replacement-files.ts'
import { replaceValues } from '../transform/replacements.ts'
import type { SecretUse } from '../transform/secret-values.ts'
import { type ResourceSet } from '../load/resource-set.ts'
import { type Resource, annotationOf, apiVersionIn, kindOf } from '../load/resource.ts'
import type { Schemas } from '../load/schemas.ts'
import * as settings from '../load/settings.ts'
import { mergePatches } from '../patch/strategic-patches.ts'
import { addTexts, imageSetter, setReplicas } from '../transform/transform-fields.ts'
import { type SubjectMode, addAffix, setNamespaces } from '../names/transform-names.ts'
import { addValue } from '../transform/value-add.ts'
import { defined } from '#model/defined.ts'

export type Context = {
  readonly loader: Loader
  readonly schemas: Schemas
  readonly secrets: SecretUse
}
export type Transform = (set: ResourceSet) => void

const metadata = record({ name: text, namespace: text })
const affixFields = { prefix: text, suffix: text, fieldSpecs: settings.fieldSpecs }
const target = record({ selector: settings.selector, fieldPath: text, filePathPosition: whole })

/** What a generator's file makes. */
export function pluginGenerator(resource: Resource, context: Context): () => readonly Resource[] {
  requireBuiltIn(resource)
  const kind = kindOf(resource.node)
  const { loader, schemas } = context
  const file = resource.place.file
  if (kind === 'ConfigMapGenerator' || kind === 'SecretGenerator') {
    const args = config(resource, { ...settings.generatorFields, metadata })
    const made = kind === 'ConfigMapGenerator' ? 'ConfigMap' : 'Secret'
    const name = args.name || args.metadata?.name || ''
    const namespace = args.namespace || args.metadata?.namespace || ''
    return () => [generate(made, { ...args, name, namespace }, { loader, schemas, file })]
  }
  if (kind === 'IAMPolicyGenerator') return () => iamPolicy(resource, schemas)
  if (kind === 'HelmChartInflationGenerator') {
    throw new KustomizeError('Helm charts are not supported here', resource.place, 'helm')
  }
  throw new KustomizeError(`${kind} is no generator`, resource.place)
}

const account = record({ name: text, namespace: text, projectId: text })

function iamPolicy(resource: Resource, schemas: Schemas): Resource[] {
  const args = config(resource, {
    cloud: text,
    kubernetesService: account,
    serviceAccount: account,
  })
  if (args.cloud !== 'gke') {
    throw new KustomizeError(`the cloud ${args.cloud ?? ''} is not supported`, resource.place)
  }
  const { name, namespace } = args.kubernetesService ?? {}
  const email = `${args.serviceAccount?.name ?? ''}@${args.serviceAccount?.projectId ?? ''}.iam.gserviceaccount.com`
  const lines = [
    'apiVersion: v1',
    'kind: ServiceAccount',
    'metadata:',
    '  annotations:',
    `    iam.gke.io/gcp-service-account: ${email}`,
    `  name: ${name ?? ''}`,
    ...(namespace ? [`  namespace: ${namespace}`] : []),
  ]
  const { file } = resource.place
  const node = parseOne(`${lines.join('\n')}\n`, file, 'new')
  return node === undefined ? [] : [resourceOf(node, file, schemas)]
}

/** What a transformer's file does. */
export function pluginTransformer(resource: Resource, context: Context): Transform {
  requireBuiltIn(resource)
  const make = transformers[kindOf(resource.node)]
  if (make === undefined) {
    throw new KustomizeError(
      `there is no built-in transformer ${kindOf(resource.node)}`,
      resource.place,
    )
  }
  return at(resource.place, () => make(resource, context))
}

const transformers: {
  readonly [kind: string]: (resource: Resource, context: Context) => Transform
} = {
  AnnotationsTransformer: (resource) => {
    const args = config(resource, { annotations: textMap, fieldSpecs: settings.fieldSpecs })
    return (set) => addTexts(set, args.annotations ?? new Map(), args.fieldSpecs ?? [])
  },
  LabelTransformer: (resource) => {
    const args = config(resource, { labels: textMap, fieldSpecs: settings.fieldSpecs })
    return (set) => addTexts(set, args.labels ?? new Map(), args.fieldSpecs ?? [])
  },
  HashTransformer: () => addHashes,
  ImageTagTransformer: (resource) => {
    const args = config(resource, { imageTag: settings.image, fieldSpecs: settings.fieldSpecs })
    const setImage = imageSetter(args.fieldSpecs ?? [])
    return (set) => setImage(set, args.imageTag ?? {})
  },
  ReplicaCountTransformer: (resource) => {
    const args = config(resource, { replica: settings.replica, fieldSpecs: settings.fieldSpecs })
    return (set) => setReplicas(set, args.replica ?? {}, args.fieldSpecs ?? [])
  },
  NamespaceTransformer: (resource) => {
    const args = config(resource, {
      metadata,
      fieldSpecs: settings.fieldSpecs,
      unsetOnly: flag,
      setRoleBindingSubjects: text,
    })
    return (set) =>
      setNamespaces(set, {
        namespace: args.metadata?.namespace ?? '',
        specs: args.fieldSpecs ?? [],
        isUnsetOnly: args.unsetOnly === true,
        subjects: subjectMode(args.setRoleBindingSubjects ?? ''),
      })
  },
  PrefixTransformer: (resource) => affix(resource, ['prefix']),
  SuffixTransformer: (resource) => affix(resource, ['suffix']),
  PrefixSuffixTransformer: (resource) => affix(resource, ['prefix', 'suffix']),
  PatchTransformer: (resource, context) => {
    const args = config(resource, settings.patchFields)
    return (set) => applyPatch(set, args, sourceOf(resource, context))
  },
  PatchJson6902Transformer: (resource, context) => {
    const args = config(resource, { target: settings.selector, path: text, jsonOp: text })
    return jsonTransform(
      { target: args.target, path: args.path, patch: args.jsonOp },
      sourceOf(resource, context),
    )
  },
  PatchStrategicMergeTransformer: (resource, context) => {
    const args = config(resource, { paths: texts, patches: text })
    return mergePatches(args.paths ?? [], args.patches ?? '', sourceOf(resource, context))
  },
  ReplacementTransformer: (resource, context) => {
    const args = config(resource, { replacements: list(settings.replacementEntry) })
    const loaded = loadedReplacements(args.replacements ?? [], context.loader)
    return (set) => replaceValues(set, loaded, context.secrets)
  },
  ValueAddTransformer: (resource, context) => {
    const fields = { value: text, targets: list(target), targetFilePath: text }
    const args = config(resource, fields)
    const more = args.targetFilePath ? targetsIn(args.targetFilePath, context.loader) : []
    const targets = [...(args.targets ?? []), ...more].map((one) => one ?? {})
    const value = args.value?.trim() || (context.loader.root.split('/').at(-1) ?? '')
    return (set) => addValue(set, value, targets)
  },
}

function targetsIn(path: string, loader: Loader) {
  const file = loader.pathOf(path)
  const node = parseOne(loader.text(path), file, 'old')
  const source: Source = { file, isStrict: false, isLoose: true }
  return (
    (node === undefined ? undefined : record({ targets: list(target) })(node, source))?.targets ??
    []
  )
}

/** A patch of `patchesJson6902`; it has to name what it is for. */
export function jsonTransform(
  patch: {
    readonly target?: settings.Patch['target'] | undefined
    readonly path?: string | undefined
    readonly patch?: string | undefined
  },
  source: PatchSource,
): Transform {
  const { path, target: wanted } = patch
  if (!wanted?.name) fail('a JSON patch needs a target with a name')
  if (!path && !patch.patch) fail('a JSON patch needs either patch or path')
  if (path && patch.patch) fail('a JSON patch has both patch and path; one is enough')
  const words = path ? source.loader.text(path) : defined(patch.patch)
  const operations = readJsonPatch(words, path ? source.loader.pathOf(path) : source.file) ?? []
  if (operations.length === 0) fail('the JSON patch is empty')
  return (set) => applyOperations(set, operations, defined(wanted), false)
}

function affix(resource: Resource, sides: readonly ('prefix' | 'suffix')[]): Transform {
  const args = config(resource, affixFields, true)
  const specs = args.fieldSpecs ?? fail('fieldSpecs is missing')
  return (set) => {
    for (const side of sides) addAffix(set, side, args[side] ?? '', specs)
  }
}

function subjectMode(mode: string): SubjectMode {
  if (mode === '') return 'defaultOnly'
  if (mode === 'defaultOnly' || mode === 'allServiceAccounts' || mode === 'none') return mode
  return fail(`setRoleBindingSubjects can be defaultOnly, allServiceAccounts or none, not ${mode}`)
}

function sourceOf(resource: Resource, context: Context): PatchSource {
  return { ...context, file: resource.place.file }
}

/** The settings in a plugin's file, read as if it had been printed first. */
function config<Of extends Fields>(resource: Resource, fields: Of, isExact = false): Values<Of> {
  const source: Source = { file: resource.place.file, isStrict: false, isLoose: true, isExact }
  const node = jsonNode(plainOf(resource.node), resource.place.line)
  return record(fields)(node, source) ?? {}
}

function requireBuiltIn(resource: Resource): void {
  if (apiVersionIn(resource.node) === 'builtin') return
  const isFunction = annotationOf(resource.node, 'config.kubernetes.io/function') !== undefined
  const what = isFunction ? 'a function' : `a plugin of ${apiVersionIn(resource.node)}`
  throw new KustomizeError(
    `${kindOf(resource.node)} is ${what}; only apiVersion: builtin works here`,
    resource.place,
    'function',
  )
}
