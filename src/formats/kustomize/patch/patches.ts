/** Patches of both kinds: reading them, finding what they are for, and laying them over it. */
import { KustomizeError, at, fail } from '../error.ts'
import { apiVersionOf, keyOf, nameOf } from '../names/id.ts'
import { type Operation, applyJsonPatch, readJsonPatch } from './json-patch.ts'
import { setField } from '../yaml/fields.ts'
import type { Loader } from '../load/loader.ts'
import { mergePatch } from './strategic-merge.ts'
import { emptyNode, scalar } from '../yaml/node.ts'
import { type Plain, nodeOfPlain, plainOf } from '../yaml/plain.ts'
import { readResources } from '../load/read-resources.ts'
import { type ResourceSet, append, findByAnyId, touch } from '../load/resource-set.ts'
import {
  type Resource,
  copyOfResource,
  currentId,
  gvkIn,
  isGone,
  isInternalNote,
  isNoted,
  kindOf,
  nameIn,
  namespaceIn,
  note,
  notes,
  originalId,
  previousIds,
  setName,
  setNamespace,
  setTexts,
  storePreviousId,
  textsIn,
} from '../load/resource.ts'
import type { Schemas } from '../load/schemas.ts'
import { type Selector, select } from '../transform/selector.ts'
import type { Patch } from '../load/settings.ts'
import { defined } from '#model/defined.ts'

export type PatchSource = {
  readonly loader: Loader
  readonly schemas: Schemas
  /** Where patches that are written in place stand. */
  readonly file: string
  readonly line?: number
}

/** A patch of `patches`: its text says which of the two kinds it is. */
export function applyPatch(set: ResourceSet, patch: Patch, source: PatchSource): void {
  const inline = (patch.patch ?? '').trim()
  const path = patch.path ?? ''
  if (inline === '' && path === '') fail('a patch needs either patch or path')
  if (inline !== '' && path !== '') fail('a patch has both patch and path; one is enough')
  const text = inline === '' ? source.loader.text(path) : inline
  const file = inline === '' ? source.loader.pathOf(path) : source.file
  const objects = tried(() => readResources(text, file, source.schemas))
  const operations = tried(() => readJsonPatch(text, file))
  const here = { file, line: inline === '' ? 1 : (source.line ?? 1) }
  if (objects.error !== undefined && operations.error !== undefined) {
    const place = inline === '' ? { file, line: objects.error.line ?? 1 } : here
    const reason = `this is neither an object (${objects.error.reason}) nor a list of JSON operations`
    throw new KustomizeError(reason, place)
  }
  if ((objects.value?.length ?? 0) > 0 && (operations.value?.length ?? 0) > 0) {
    fail('the patch is both an object and a list of JSON operations')
  }
  if (objects.error === undefined) {
    const found = objects.value ?? []
    return mergeAll(
      set,
      inline === '' ? found : found.map((one) => ({ ...one, place: here })),
      patch,
    )
  }
  if (patch.target === undefined) throw new KustomizeError('a JSON patch needs a target', here)
  applyOperations(set, operations.value ?? [], patch.target, true)
}

type Attempt<Value> = { readonly value?: Value; readonly error?: KustomizeError }

function tried<Value>(work: () => Value): Attempt<Value> {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof KustomizeError) return { error }
    throw error
  }
}

function mergeAll(set: ResourceSet, patches: readonly Resource[], settings: Patch): void {
  for (const patch of patches) {
    if (settings.options?.allowNameChange === true) note(patch, notes.allowNameChange)
    if (settings.options?.allowKindChange === true) note(patch, notes.allowKindChange)
  }
  if (settings.target !== undefined && patches.length > 0) {
    if (patches.length > 1) {
      throw new KustomizeError(
        'a patch with a target can be only one object',
        defined(patches[1]).place,
      )
    }
    return mergeInto(set, select(set.list, settings.target), defined(patches[0]))
  }
  for (const patch of patches) {
    const target = targetOf(set, patch)
    const before = idsOf(target)
    at(patch.place, () => mergeOne(target, patch))
    if (isGone(target) || idsOf(target) !== before) touch(set)
  }
}

/** A patch of `patchesStrategicMerge`. */
export function mergeByName(set: ResourceSet, patch: Resource): void {
  mergeInto(set, [targetOf(set, patch)], patch)
}

/** All names that a resource has and had. */
function idsOf(resource: Resource): string {
  return [currentId(resource), ...previousIds(resource.node)].map(keyOf).join('\n\n')
}

function changesId(patch: Resource): boolean {
  return isNoted(patch, notes.allowNameChange) || isNoted(patch, notes.allowKindChange)
}

function targetOf(set: ResourceSet, patch: Resource): Resource {
  const id = originalId(patch)
  const found = findByAnyId(set, keyOf(id))
  if (found.length === 1) return defined(found[0])
  const reason =
    found.length === 0
      ? `there is no ${nameOf(id)} to patch`
      : `${found.length} resources are or were called ${nameOf(id)}; a target would tell which is meant`
  throw new KustomizeError(reason, patch.place)
}

/** Lays a copy of the patch over each of these; the names in the patch do not count. */
function mergeInto(set: ResourceSet, chosen: readonly Resource[], patch: Resource): void {
  let isMoved = changesId(patch)
  for (const resource of chosen) {
    const before = idsOf(resource)
    at(patch.place, () => mergeOne(resource, addressed(patch, resource)))
    isMoved ||= isGone(resource) || idsOf(resource) !== before
  }
  if (!isMoved) return
  const kept = set.list.filter((resource) => !isGone(resource))
  set.list = []
  touch(set)
  for (const resource of kept) append(set, resource)
}

/** A copy of a patch that has the type of the resource it is for. */
function addressed(patch: Resource, resource: Resource): Resource {
  const copy = copyOfResource(patch)
  setTexts(copy.node, 'labels', textsIn(copy.node, 'labels'))
  setTexts(copy.node, 'annotations', textsIn(copy.node, 'annotations'))
  setName(copy.node, nameIn(patch.node))
  setNamespace(copy.node, namespaceIn(patch.node))
  setField(copy.node, 'apiVersion', scalar(apiVersionOf(gvkIn(resource.node))))
  setField(copy.node, 'kind', scalar(kindOf(patch.node)))
  return copy
}

function mergeOne(resource: Resource, patch: Resource): void {
  const [name, namespace, kind] = [
    nameIn(resource.node),
    namespaceIn(resource.node),
    kindOf(resource.node),
  ]
  if (changesId(patch)) storePreviousId(resource)
  const mayRename = isNoted(patch, notes.allowNameChange)
  const mayChangeKind = isNoted(patch, notes.allowKindChange)
  const merged = mergePatch(patch.node, resource.node, resource.schemas)
  resource.node = merged ?? emptyNode('map')
  if (isGone(resource)) return
  if (!mayChangeKind) setField(resource.node, 'kind', scalar(kind))
  if (!mayRename) setName(resource.node, name)
  setNamespace(resource.node, namespace)
}

/** Does JSON operations to all that the target selects. Notes of the build survive whatever they do. */
export function applyOperations(
  set: ResourceSet,
  operations: readonly Operation[],
  target: Selector,
  storesId: boolean,
): void {
  for (const resource of select(set.list, target)) {
    if (storesId) storePreviousId(resource)
    const kept = [...textsIn(resource.node, 'annotations')].filter(([name]) => isInternalNote(name))
    at(resource.place, () => {
      const patched = applyJsonPatch(finite(plainOf(resource.node)), operations)
      if (!(patched instanceof Map)) return fail('a JSON patch must leave an object')
      resource.node = { ...nodeOfPlain(patched), line: resource.node.line }
      const annotations = textsIn(resource.node, 'annotations')
      for (const [name, value] of kept) annotations.set(name, value)
      setTexts(resource.node, 'annotations', annotations)
    })
  }
  touch(set)
}

/** JSON knows neither infinity nor not-a-number, wherever they stand. */
function finite(plain: Plain): Plain {
  if (typeof plain === 'number' && !Number.isFinite(plain)) return fail(`JSON has no ${plain}`)
  if (plain instanceof Map) for (const value of plain.values()) finite(value)
  else if (Array.isArray(plain)) for (const item of plain) finite(item)
  return plain
}
