/** The resources of a build in order, with an index by id, so that finding one never means looking at all. */
import { KustomizeError, fail } from '../error.ts'
import { keyOf, nameOf } from '../names/id.ts'
import { type Resource, currentId, isGone, previousIds } from './resource.ts'

export type ResourceSet = {
  list: Resource[]
  /** By current id; undefined when it has to be made again. */
  current: Map<string, Resource> | undefined
  /** By current and all previous ids. */
  any: Map<string, Resource[]> | undefined
}

export function emptySet(): ResourceSet {
  return { list: [], current: undefined, any: undefined }
}

/** To be called after anything that may have changed an id. */
export function touch(set: ResourceSet): void {
  set.current = undefined
  set.any = undefined
}

export function append(set: ResourceSet, resource: Resource): void {
  const id = currentId(resource)
  const key = keyOf(id)
  set.current ??= new Map(set.list.map((other) => [keyOf(currentId(other)), other]))
  const other = set.current.get(key)
  if (other !== undefined) {
    const where = `${other.place.file}:${other.place.line}`
    // the fault is with whoever lists it, and he knows where
    const isSame = where === `${resource.place.file}:${resource.place.line}`
    if (isSame) fail(`${nameOf(id)} is declared twice: ${where} is listed twice`)
    throw new KustomizeError(`${nameOf(id)} is declared twice, also in ${where}`, resource.place)
  }
  set.current.set(key, resource)
  set.list.push(resource)
  if (set.any !== undefined) index(set.any, resource)
}

export function appendAll(set: ResourceSet, resources: readonly Resource[]): void {
  for (const resource of resources) append(set, resource)
}

/** Those that are or ever were called this. */
export function findByAnyId(set: ResourceSet, key: string): readonly Resource[] {
  set.any ??= indexOf(set.list)
  return (set.any.get(key) ?? []).filter((resource) => !isGone(resource))
}

/** Puts one in the place of another, which must have the same current id. */
export function replace(set: ResourceSet, old: Resource, by: Resource): void {
  const id = currentId(by)
  if (keyOf(currentId(old)) !== keyOf(id)) {
    const reason = `${nameOf(id)} has become ${nameOf(currentId(old))}, and can't be replaced`
    throw new KustomizeError(reason, by.place)
  }
  set.list[set.list.indexOf(old)] = by
  touch(set)
}

export function dropGone(set: ResourceSet): void {
  if (!set.list.some(isGone)) return
  set.list = set.list.filter((resource) => !isGone(resource))
  touch(set)
}

function indexOf(list: readonly Resource[]): Map<string, Resource[]> {
  const found = new Map<string, Resource[]>()
  for (const resource of list) index(found, resource)
  return found
}

function index(found: Map<string, Resource[]>, resource: Resource): void {
  const keys = new Set([...previousIds(resource.node), currentId(resource)].map(keyOf))
  for (const key of keys) {
    const others = found.get(key)
    if (others === undefined) found.set(key, [resource])
    else others.push(resource)
  }
}
