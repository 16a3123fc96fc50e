/** What is known of types during one build: the built-in table, or the OpenAPI document that a kustomization names. */
import { fail } from '../error.ts'
import {
  type MergeList,
  type MergeType,
  knownScope,
  mergeTypes,
  typeOfDefinition,
  typeOfKind,
} from '../patch/merge-keys.ts'
import type { Plain, PlainMap } from '../yaml/plain.ts'
import { defined } from '#model/defined.ts'

/** One type, as far as merging goes. */
export type Schema = {
  /** The type of a field; undefined when nothing is known of it. */
  field(name: string): Schema | undefined
  /** The type of a list's items. */
  items(): Schema | undefined
  /** Set for a list whose items are joined, with the fields to join them by. */
  readonly mergeKeys: readonly string[] | undefined
}

export type Schemas = {
  schemaOf(apiVersion: string, kind: string): Schema | undefined
  isClusterScoped(apiVersion: string, kind: string): boolean
  /** Settings named a document or a version; only the first one of a build counts. */
  use(settings: ReadonlyMap<string, string>, document: PlainMap | undefined, isRoot: boolean): void
}

/** The version of Kubernetes that the table describes. There is no other. */
const builtInVersion = 'v1.21.2'

export function newSchemas(): Schemas {
  let custom: OpenApi | undefined
  let isSet = false
  /** Built-in types that a build asked for before it saw a document stay known; if only their scope, they win over it. */
  let builtIns: 'unasked' | 'asked' | 'used' = 'unasked'
  return {
    schemaOf(apiVersion, kind) {
      if (custom === undefined) builtIns = 'used'
      const own = custom?.schemaOf(apiVersion, kind, builtIns)
      const isKept = builtIns !== 'unasked' || apiVersion.startsWith('kustomize.config.k8s.io/')
      const type = isKept ? typeOfKind.get(`${apiVersion} ${kind}`) : undefined
      const known = type === undefined ? undefined : builtIn(defined(mergeTypes[type]))
      return builtIns === 'asked' ? (known ?? own) : (own ?? known)
    },
    isClusterScoped(apiVersion, kind) {
      const known = knownScope(apiVersion, kind)
      if (known !== undefined) return known === 'cluster'
      if (custom === undefined && builtIns === 'unasked') builtIns = 'asked'
      return custom?.scopes.get(`${apiVersion} ${kind}`) === 'cluster'
    },
    use(settings, document, isRoot) {
      if (isSet && !isRoot) return
      const version = settings.get('version')
      if (document !== undefined) {
        if (version !== undefined) fail('openapi names both a version and a path; one is enough')
        custom = readOpenApi(document)
        isSet = true
        return
      }
      if (version === undefined || version === '') return
      if (version !== builtInVersion) {
        fail(`openapi version ${version} is not built in; only ${builtInVersion} is`)
      }
      isSet = true
    },
  }
}

type BuiltIns = 'unasked' | 'asked' | 'used'

/** A type that is known and of which nothing is joined. */
const opaque: Schema = { field: () => opaque, items: () => opaque, mergeKeys: undefined }

function builtIn(type: MergeType): Schema {
  return {
    field(name) {
      const found = Object.hasOwn(type, name) ? type[name] : undefined
      if (found === undefined) return opaque
      return typeof found === 'string' ? builtIn(defined(mergeTypes[found])) : builtInList(found)
    },
    items: () => undefined,
    mergeKeys: undefined,
  }
}

function builtInList(list: MergeList): Schema {
  return {
    field: () => undefined,
    items: () => (list.of === undefined ? opaque : builtIn(defined(mergeTypes[list.of]))),
    mergeKeys: list.keys,
  }
}

type OpenApi = {
  schemaOf(apiVersion: string, kind: string, builtIns: BuiltIns): Schema | undefined
  readonly scopes: ReadonlyMap<string, 'cluster' | 'namespace'>
}

function readOpenApi(document: PlainMap): OpenApi {
  const definitions = mapIn(document, 'definitions')
  const types = new Map<string, PlainMap>()
  for (const definition of definitions.values()) {
    if (!(definition instanceof Map)) continue
    const named = definition.get('x-kubernetes-group-version-kind')
    for (const gvk of Array.isArray(named) ? named : []) {
      if (gvk instanceof Map) types.set(typeKey(gvk), definition)
    }
  }
  return {
    schemaOf(apiVersion, kind, builtIns) {
      const found = types.get(`${apiVersion} ${kind}`)
      return found === undefined ? undefined : written(found, { definitions, builtIns })
    },
    scopes: scopesIn(mapIn(document, 'paths')),
  }
}

function scopesIn(paths: PlainMap): Map<string, 'cluster' | 'namespace'> {
  const scopes = new Map<string, 'cluster' | 'namespace'>()
  for (const [path, item] of paths) {
    const reading = item instanceof Map ? item.get('get') : undefined
    const gvk = reading instanceof Map ? reading.get('x-kubernetes-group-version-kind') : undefined
    if (!(gvk instanceof Map)) continue
    const key = typeKey(gvk)
    if (path.includes('namespaces/{namespace}')) scopes.set(key, 'namespace')
    else if (!scopes.has(key)) scopes.set(key, 'cluster')
  }
  return scopes
}

function typeKey(gvk: PlainMap): string {
  const group = textIn(gvk, 'group')
  return `${group === '' ? '' : `${group}/`}${textIn(gvk, 'version')} ${textIn(gvk, 'kind')}`
}

type KnownSchemas = { readonly definitions: PlainMap; readonly builtIns: BuiltIns }

function written(type: PlainMap, known: KnownSchemas): Schema {
  return {
    field(name) {
      const found = mapIn(type, 'properties').get(name) ?? type.get('additionalProperties')
      return follow(found, known)
    },
    items: () => (textIn(type, 'type') === 'array' ? follow(type.get('items'), known) : undefined),
    mergeKeys: keysOf(type),
  }
}

function keysOf(type: PlainMap): readonly string[] | undefined {
  const strategy = textIn(type, 'x-kubernetes-patch-strategy')
  if (!strategy.split(',').includes('merge')) return undefined
  const several = type.get('x-kubernetes-list-map-keys')
  if (Array.isArray(several)) return several.map(String)
  const one = textIn(type, 'x-kubernetes-patch-merge-key')
  return one === '' ? [] : [one]
}

/** A reference may lead to another; one that leads nowhere, or in a circle, says nothing. */
function follow(found: Plain | undefined, known: KnownSchemas): Schema | undefined {
  let type = found
  for (let steps = 0; type instanceof Map && steps < 100; steps++) {
    const reference = textIn(type, '$ref')
    if (reference === '') return written(type, known)
    const name = reference.replace(/^#\/definitions\//, '')
    const own = known.definitions.get(name)
    const isOurs = known.builtIns === 'asked' || (known.builtIns === 'used' && own === undefined)
    const builtInType = isOurs ? typeOfDefinition(name) : undefined
    if (builtInType !== undefined)
      return builtInType === 'opaque' ? opaque : builtIn(defined(mergeTypes[builtInType]))
    type = own
  }
  return undefined
}

function mapIn(map: PlainMap, name: string): PlainMap {
  const found = map.get(name)
  return found instanceof Map ? found : new Map<string, Plain>()
}

function textIn(map: PlainMap, name: string): string {
  const found = map.get(name)
  return typeof found === 'string' ? found : ''
}
