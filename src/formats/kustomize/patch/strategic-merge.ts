/** Strategic merge: lays a patch over an object, joining those lists that the schema says are joined. */
import { field, fieldNames, keptNulls, requireKind, setField } from '../yaml/fields.ts'
import { directiveOf, isDeletion } from './directives.ts'
import { joinLists } from './merge-lists.ts'
import { type Node, isNull, nullTag, scalar } from '../yaml/node.ts'
import { byBytes } from '../yaml/plain.ts'
import { apiVersionIn, kindOf } from '../load/resource.ts'
import type { Schema, Schemas } from '../load/schemas.ts'
import { defined } from '#model/defined.ts'

/** The patched object, or nothing when the patch deletes it. One that would replace the whole object leaves it as it is. */
export function mergePatch(patch: Node, dest: Node, schemas: Schemas): Node | undefined {
  return walk(dest, patch, undefined, schemas) === undefined ? undefined : dest
}

export type Side = Node | undefined

export function walk(
  dest: Side,
  patch: Side,
  given: Schema | undefined,
  schemas: Schemas,
): Node | undefined {
  const schema = given ?? ownSchema(dest, schemas) ?? ownSchema(patch, schemas)
  const kind = (isNull(dest) ? undefined : dest?.kind) ?? (isNull(patch) ? undefined : patch?.kind)
  if (kind === undefined) return walkMap(dest, patch, schema, schemas)
  requireKind(dest, kind)
  requireKind(patch, kind)
  if (kind === 'map') return walkMap(dest, patch, schema, schemas)
  if (kind === 'scalar') return patch ?? dest
  if (schema?.mergeKeys === undefined) return patch ?? dest
  return walkList(dest, patch, schema, schemas)
}

/** An object inside another one may say itself what it is. */
function ownSchema(node: Side, schemas: Schemas): Schema | undefined {
  if (node === undefined || isNull(node) || node.kind !== 'map') return undefined
  const [apiVersion, kind] = [apiVersionIn(node), kindOf(node)]
  return apiVersion === '' || kind === '' ? undefined : schemas.schemaOf(apiVersion, kind)
}

function walkMap(
  dest: Side,
  patch: Side,
  schema: Schema | undefined,
  schemas: Schemas,
): Node | undefined {
  adoptStyle(dest, patch)
  const target = mapTarget(dest, patch)
  if (target === undefined) return undefined
  const names = new Set(
    [target, patch].flatMap((side) => (side?.kind === 'map' ? fieldNames(side) : [])),
  )
  for (const name of [...names].toSorted(byBytes)) {
    const [ours, theirs] = [field(target, name), field(patch, name)]
    const value = walk(ours, theirs, schema?.field(name), schemas)
    setField(target, name, value, keyStyleOf(patch, name))
  }
  return target
}

/** The map to go on with; undefined removes the field. */
function mapTarget(dest: Side, patch: Side): Node | undefined {
  if (isNull(dest)) {
    if (patch !== undefined && isDeletion(patch)) return undefined
    if (patch === undefined && dest !== undefined && dest.value.length > 0) {
      const kept = scalar(dest.value, nullTag)
      keptNulls.add(kept)
      return kept
    }
    return patch
  }
  if (patch !== undefined && patch.tag === nullTag) return undefined
  const directive = patch === undefined ? 'merge' : directiveOf(patch)
  if (directive === 'delete') return undefined
  return directive === 'replace' ? patch : dest
}

function walkList(dest: Side, patch: Side, schema: Schema, schemas: Schemas): Node | undefined {
  adoptStyle(dest, patch)
  const target = listTarget(dest, patch)
  if (target === undefined) return undefined
  return joinLists(target, patch, schema, (ours, theirs, items) =>
    walk(ours, theirs, items, schemas),
  )
}

function listTarget(dest: Side, patch: Side): Node | undefined {
  if (isNull(dest)) return patch
  if (patch !== undefined && patch.tag === nullTag) return undefined
  const directive = patch === undefined ? 'merge' : directiveOf(patch)
  if (directive === 'delete') return undefined
  return directive === 'replace' ? patch : dest
}

/** An empty map or list takes the style of what is laid over it. */
function adoptStyle(dest: Side, patch: Side): void {
  if (dest === undefined || patch === undefined || dest.kind === 'scalar') return
  if (dest.content.length === 0) dest.style = patch.style
}

function keyStyleOf(map: Side, name: string): number {
  if (map === undefined || map.kind !== 'map') return 0
  const at = map.content.findIndex((key, i) => i % 2 === 0 && key.value === name)
  return at < 0 ? 0 : defined(map.content[at]).style
}
