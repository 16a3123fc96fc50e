/** Where references of a schema lead: every part of a document by its address, its anchors and its dynamic anchors. */
import { SchemaError } from './schema-error.ts'

export type Path = readonly (string | number)[]
export type Part = { readonly schema: unknown; readonly base: string; readonly path: Path }

export type Draft = 4 | 6 | 7 | 2019 | 2020

type Resource = {
  readonly part: Part
  readonly anchors: Map<string, Part>
  readonly dynamic: Map<string, Part>
}

export type References = {
  readonly root: Part
  readonly draft: Draft
  /** A part of a part: its address is known. */
  inside(part: Part, ...keys: (string | number)[]): Part
  find(reference: string, from: Part): Part
  /** The outermost part on the way here that has the dynamic anchor. */
  findDynamic(reference: string, from: Part, way: readonly string[]): Part
  /** `$recursiveRef` of 2019-09. */
  findRecursive(from: Part, way: readonly string[]): Part
}

const start = 'schema:/values.schema.json'

export function references(document: unknown): References {
  const draft = draftOf(document)
  const resources = new Map<string, Resource>()
  const bases = new Map<object, string>()

  function index(schema: unknown, base: string, path: Path): void {
    if (typeof schema !== 'object' || schema === null) return
    let here = base
    if (!Array.isArray(schema)) {
      const id = fieldOf(schema, draft === 4 ? 'id' : '$id')
      const isIgnored = draft <= 7 && typeof fieldOf(schema, '$ref') === 'string'
      if (typeof id === 'string' && !isIgnored) here = enter(schema, id, base, path)
      anchor(schema, '$anchor', here, path)
      anchor(schema, '$dynamicAnchor', here, path)
      bases.set(schema, here)
    }
    for (const [key, inner] of Object.entries(schema)) {
      if (key !== 'enum' && key !== 'const') index(inner, here, [...path, key])
    }
  }
  /** Up to draft 7 an id of a fragment alone is an anchor. */
  function enter(schema: object, id: string, base: string, path: Path): string {
    const at = resolve(id, base, path)
    if (draft <= 7 && id.startsWith('#')) {
      resources.get(base)?.anchors.set(id.slice(1), { schema, base, path })
      return base
    }
    const own = withoutFragment(at)
    if (!resources.has(own)) open({ schema, base: own, path })
    return own
  }
  function open(part: Part): void {
    resources.set(part.base, { part, anchors: new Map(), dynamic: new Map() })
  }
  function anchor(schema: object, field: string, base: string, path: Path): void {
    const name = fieldOf(schema, field)
    if (typeof name !== 'string') return
    const part = { schema, base, path }
    resources.get(base)?.anchors.set(name, part)
    if (field === '$dynamicAnchor') resources.get(base)?.dynamic.set(name, part)
  }

  const rootPart = { schema: document, base: start, path: [] }
  open(rootPart)
  index(document, start, [])

  function inside(part: Part, ...keys: (string | number)[]): Part {
    let { schema } = part
    for (const key of keys) schema = fieldOf(schema, key)
    const known = typeof schema === 'object' && schema !== null ? bases.get(schema) : undefined
    return { schema, base: known ?? part.base, path: [...part.path, ...keys] }
  }
  function find(reference: string, from: Part): Part {
    const whole = resolve(reference, from.base, from.path)
    const resource = resources.get(withoutFragment(whole))
    if (resource === undefined) throw unresolved(reference, from.path)
    const fragment = decoded(whole.slice(withoutFragment(whole).length + 1))
    if (fragment === '') return resource.part
    if (!fragment.startsWith('/')) {
      const found = resource.anchors.get(fragment)
      if (found === undefined) throw unresolved(reference, from.path)
      return found
    }
    const keys = fragment.slice(1).split('/').map(unescaped)
    let part = resource.part
    for (const key of keys) {
      if (fieldOf(part.schema, key) === undefined) throw unresolved(reference, from.path)
      part = inside(part, key)
    }
    return part
  }
  function findDynamic(reference: string, from: Part, way: readonly string[]): Part {
    const found = find(reference, from)
    const name = reference.slice(reference.indexOf('#') + 1)
    if (resources.get(found.base)?.dynamic.get(name)?.schema !== found.schema) return found
    for (const base of way) {
      const outer = resources.get(base)?.dynamic.get(name)
      if (outer !== undefined) return outer
    }
    return found
  }
  function findRecursive(from: Part, way: readonly string[]): Part {
    const found = find('#', from)
    if (fieldOf(found.schema, '$recursiveAnchor') !== true) return found
    for (const base of way) {
      const outer = resources.get(base)?.part
      if (fieldOf(outer?.schema, '$recursiveAnchor') === true) return outer ?? found
    }
    return found
  }
  const base = bases.get(Object(document)) ?? start
  return { root: { ...rootPart, base }, draft, inside, find, findDynamic, findRecursive }
}

/** Without a word of it the newest. */
function draftOf(document: unknown): Draft {
  const named = fieldOf(document, '$schema')
  if (typeof named !== 'string') return 2020
  if (named.includes('draft-04')) return 4
  if (named.includes('draft-06')) return 6
  if (named.includes('draft-07')) return 7
  return named.includes('2019-09') ? 2019 : 2020
}

export function fieldOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  const found: unknown = Reflect.get(value, key)
  return found
}

function resolve(reference: string, base: string, path: Path): string {
  try {
    return new URL(reference, base).href
  } catch (error) {
    if (error instanceof TypeError)
      throw new SchemaError(`${JSON.stringify(reference)} is not an address`, path)
    throw error
  }
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#')
  return at < 0 ? address : address.slice(0, at)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch (error) {
    if (error instanceof URIError) return fragment
    throw error
  }
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function unresolved(reference: string, path: Path): SchemaError {
  const isElsewhere = !reference.startsWith('#')
  const why = isElsewhere ? 'is outside this file, and nothing is fetched' : 'leads nowhere'
  return new SchemaError(`the reference ${JSON.stringify(reference)} ${why}`, [...path, '$ref'])
}
