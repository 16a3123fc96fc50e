/** The kustomization file: which fields it has, the older spellings it accepts, and what it must not be. */
import {
  anything,
  list,
  record,
  text,
  textMap,
  texts,
  type Source,
  type Values,
} from '../yaml/decode.ts'
import { type EntryLine, entryLines } from './entry-lines.ts'
import { KustomizeError } from '../error.ts'
import { parseOne } from '../yaml/parse.ts'
import {
  type GeneratorArgs,
  configMapGenerator,
  generatorOptions,
  image,
  label,
  patch,
  replacementEntry,
  replica,
  secretGenerator,
  sortOptions,
  variable,
} from './settings.ts'
import { defined } from '#model/defined.ts'

const metadata = record({ name: text, namespace: text, labels: textMap, annotations: textMap })
const fields = {
  apiVersion: text,
  kind: text,
  metadata,
  openapi: textMap,
  namePrefix: text,
  nameSuffix: text,
  namespace: text,
  commonLabels: textMap,
  labels: list(label),
  commonAnnotations: textMap,
  patchesStrategicMerge: texts,
  patchesJson6902: list(patch),
  patches: list(patch),
  images: list(image),
  imageTags: list(image),
  replacements: list(replacementEntry),
  replicas: list(replica),
  vars: list(variable),
  sortOptions,
  resources: texts,
  components: texts,
  crds: texts,
  bases: texts,
  configMapGenerator: list(configMapGenerator),
  secretGenerator: list(secretGenerator),
  helmGlobals: anything,
  helmCharts: list(anything),
  helmChartInflationGenerator: list(anything),
  generatorOptions,
  configurations: texts,
  generators: texts,
  transformers: texts,
  validators: texts,
  buildMetadata: texts,
}
const read = record(fields)

export type Kustomization = Values<typeof fields>

const versions = new Map([
  ['Kustomization', 'kustomize.config.k8s.io/v1beta1'],
  ['Component', 'kustomize.config.k8s.io/v1alpha1'],
])
const replacements = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
  ['vars', 'replacements'],
] as const

/** What was read, and a warning for each field that has a newer name. */
export function readKustomization(
  content: string,
  file: string,
  mayBeEmpty = false,
): {
  readonly kustomization: Kustomization
  readonly lineOf: EntryLine
  readonly warnings: readonly string[]
} {
  const source: Source = { file, isStrict: true, isLoose: false }
  const node = parseOne(content, file, 'old')
  const found = (node === undefined ? undefined : read(node, source)) ?? {}
  const lineOf = entryLines(node)
  const warnings = replacements
    .filter(([old]) => found[old] !== undefined)
    .map(([old, now]) => `${file}:${lineOf(old)}: '${old}' is deprecated; use '${now}' instead`)
  const kustomization = modern(found)
  if (!mayBeEmpty && isEmpty(kustomization))
    throw new KustomizeError('this kustomization is empty', { file, line: 1 })
  checkKind(kustomization, file)
  return { kustomization, lineOf, warnings }
}

/** Older fields moved to where they belong now. */
function modern(found: Kustomization): Kustomization {
  const { bases, imageTags, ...rest } = found
  const kind = found.kind || 'Kustomization'
  return {
    ...rest,
    kind,
    apiVersion: found.apiVersion || (versions.get(kind) ?? defined(versions.get('Kustomization'))),
    ...optional('resources', joined(found.resources, bases)),
    ...optional('images', joined(found.images, imageTags)),
    ...optional('configMapGenerator', found.configMapGenerator?.map(pluralEnv)),
    ...optional('secretGenerator', found.secretGenerator?.map(pluralEnv)),
  }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value }
}

function joined<Item>(
  one: readonly Item[] | undefined,
  other: readonly Item[] | undefined,
): readonly Item[] | undefined {
  return other === undefined || other.length === 0 ? one : [...(one ?? []), ...other]
}

function pluralEnv(args: GeneratorArgs | undefined): GeneratorArgs {
  if (args?.env === undefined || args.env === '') return args ?? {}
  return { ...args, envs: [...(args.envs ?? []), args.env] }
}

function isEmpty(kustomization: Kustomization): boolean {
  return Object.entries(kustomization).every(
    ([name, value]) =>
      name === 'kind' || name === 'apiVersion' || value === undefined || value === '',
  )
}

function checkKind(kustomization: Kustomization, file: string): void {
  const kind = kustomization.kind ?? ''
  const version = versions.get(kind)
  const place = { file, line: 1 }
  if (version === undefined) {
    throw new KustomizeError(`kind is ${kind}, it should be Kustomization or Component`, place)
  }
  if (kustomization.apiVersion !== version) {
    const found = kustomization.apiVersion
    throw new KustomizeError(`apiVersion of a ${kind} should be ${version}, not ${found}`, place)
  }
}
