/** Builds a kustomization: reads it and all it refers to, and gives the resources and their YAML text. */
import {
  type Target,
  accumulate,
  loadTarget,
  newAccumulated,
  useOpenApi,
} from './load/accumulate.ts'
import { type Amendments, amended } from './load/amend.ts'
import { KustomizeError, type FileLine, at } from './error.ts'
import { addTexts } from './transform/transform-fields.ts'
import { addHashes } from './generate/name-hash.ts'
import { type Files, type Loader, type LoadRestrictor, rootLoader } from './load/loader.ts'
import { fixNameReferences } from './names/name-references.ts'
import { originKey, transformationsKey } from './transform/origin.ts'
import { plainOf } from './yaml/plain.ts'
import { type JsonObject, jsonObject } from './yaml/plain-json.ts'
import { printYaml } from './print/print.ts'
import { checkMetadata } from './load/read-resources.ts'
import {
  type Resource,
  annotationOf,
  isGone,
  removedAtTheEnd,
  setTexts,
  textsIn,
} from './load/resource.ts'
import { type ResourceSet, append, emptySet } from './load/resource-set.ts'
import { newSchemas } from './load/schemas.ts'
import { noSpec } from './load/settings.ts'
import { type SecretUse, newSecretUse } from './transform/secret-values.ts'
import { sortResources } from './print/sort.ts'
import { resolveVars } from './transform/vars.ts'
import type { Kustomization } from './load/kustomization.ts'

export type { Files, LoadRestrictor } from './load/loader.ts'
export type { Json, JsonObject } from './yaml/plain-json.ts'

export type BuildOptions = {
  /** `none` keeps the order of reading, `legacy` sorts; `unspecified` leaves it to the kustomization, else sorts. */
  readonly reorder?: 'none' | 'legacy' | 'unspecified'
  readonly loadRestrictor?: LoadRestrictor
}

export type Built = {
  /** Each object and the place of the file it was read from. */
  readonly resources: readonly {
    readonly object: JsonObject
    readonly place: FileLine
  }[]
  readonly text: string
  readonly warnings: readonly string[]
  /** Whether a value of a Secret was carried into another object. */
  readonly takesFromSecrets: boolean
}

export type BuildRequest = {
  readonly files: Files
  readonly path: string
  readonly options?: BuildOptions
  /** Laid over the kustomization; one that is empty is then no mistake. */
  readonly amendments?: Amendments
  /**
   * To see what came from secrets: the same build without these files of patches, and with other values where one is taken from
   * a Secret.
   */
  readonly otherwise?: ReadonlySet<string> | undefined
}

export function buildKustomization(request: BuildRequest): Built {
  try {
    return build(request)
  } catch (error) {
    if (error instanceof RangeError) throw new KustomizeError('something is nested too deeply')
    throw error
  }
}

function build(request: BuildRequest): Built {
  const { files, path, options = {} } = request
  const warnings: string[] = []
  const loader = rootLoader(files, path, options.loadRestrictor ?? 'LoadRestrictionsRootOnly')
  const secrets = newSecretUse(request.otherwise)
  const target = rootTarget(request, loader, warnings, secrets)
  const metadata = target.kustomization.buildMetadata ?? []
  const place = { file: target.file, line: 1 }
  const resources = at(place, () => {
    useOpenApi(target, true)
    const all = accumulate(target, newAccumulated())
    addHashes(all.set)
    fixNameReferences(all.set.list, all.config.nameReference)
    const unused = resolveVars(all.set.list, all.vars, all.config.varReference, secrets)
    if (unused.length > 0) warnings.push(`vars that are never mentioned: ${unused.join(', ')}`)
    all.set = withoutLocal(all.set.list)
    all.set.list = [
      ...ordered(all.set.list, target.kustomization, options.reorder ?? 'unspecified'),
    ]
    if (metadata.includes('managedByLabel')) {
      const label = new Map([['app.kubernetes.io/managed-by', 'kustomize-v5.8.1']])
      addTexts(all.set, label, [{ ...noSpec, path: 'metadata/labels', create: true }])
    }
    for (const resource of all.set.list) tidy(resource, metadata)
    return all.set.list
  })
  return { ...printed(resources), warnings, takesFromSecrets: secrets.taken > 0 }
}

function rootTarget(
  { amendments }: BuildRequest,
  loader: Loader,
  warnings: string[],
  secrets: SecretUse,
): Target {
  const mayBeEmpty = amendments !== undefined
  const rest = { schemas: newSchemas(), warnings, secrets, originPath: undefined }
  const read = loadTarget(loader, rest, mayBeEmpty)
  const own = read.kustomization
  const kustomization = mayBeEmpty
    ? at({ file: read.file, line: 1 }, () => amended(own, amendments, loader))
    : own
  return {
    ...read,
    kustomization,
    ownPatches: own.patches?.length ?? 0,
    originPath: (kustomization.buildMetadata ?? []).length === 0 ? undefined : { path: '' },
  }
}

/** What is only there for other tools is left out; of the rest each has a name of its own. */
function withoutLocal(resources: readonly Resource[]): ResourceSet {
  const set = emptySet()
  for (const resource of resources) {
    if (isGone(resource)) continue
    checkMetadata(resource.node, resource.place)
    const local = annotationOf(resource.node, 'config.kubernetes.io/local-config')
    if (local === undefined || local === 'false') append(set, resource)
  }
  return set
}

function ordered(
  resources: readonly Resource[],
  kustomization: Kustomization,
  reorder: 'none' | 'legacy' | 'unspecified',
): readonly Resource[] {
  if (kustomization.sortOptions !== undefined)
    return sortResources(resources, kustomization.sortOptions)
  return reorder === 'none' ? resources : sortResources(resources, { order: 'legacy' })
}

/** Takes the notes of the build away, and what nobody asked to see. */
function tidy(resource: Resource, metadata: readonly string[]): void {
  const annotations = textsIn(resource.node, 'annotations')
  const isAsked =
    metadata.includes('originAnnotations') && metadata.includes('transformerAnnotations')
  if (annotations.size === 0 && isAsked) return
  for (const name of annotations.keys()) if (removedAtTheEnd.has(name)) annotations.delete(name)
  if (!metadata.includes('originAnnotations')) annotations.delete(originKey)
  if (!metadata.includes('transformerAnnotations')) annotations.delete(transformationsKey)
  setTexts(resource.node, 'annotations', annotations)
}

/** One by one, so that no more than one stands in memory three times. */
function printed(resources: readonly Resource[]): Pick<Built, 'resources' | 'text'> {
  const texts: string[] = []
  const objects: Built['resources'][number][] = []
  for (const { node, place } of resources) {
    const plain = at(place, () => plainOf(node))
    texts.push(at(place, () => printYaml(plain)))
    const object = jsonObject(plain)
    if (object !== undefined) objects.push({ object, place })
  }
  return { resources: objects, text: texts.join('---\n') }
}
