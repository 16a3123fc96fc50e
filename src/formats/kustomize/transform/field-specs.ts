/** Where transformers work: lists of paths, each for some kinds, and how a path is walked. */
import { fail } from '../error.ts'
import { field, requireKind, setField, splitPath } from '../yaml/fields.ts'
import { type Gvk, isSelected } from '../names/id.ts'
import { type Kind, type Node, emptyNode, nullTag } from '../yaml/node.ts'
import { gvkIn } from '../load/resource.ts'
import { defined } from '#model/defined.ts'

export type FieldSpec = Gvk & { readonly path: string; readonly create: boolean }

/** Adds those that are not there yet; the same path with another `create` is a mistake. */
export function mergeSpecs(
  specs: readonly FieldSpec[],
  more: readonly FieldSpec[],
): readonly FieldSpec[] {
  if (specs === more || more.length === 0) return specs
  const result = [...specs]
  for (const spec of more) {
    const same = result.find((one) => one.path === spec.path && isSelected(one, spec))
    if (same === undefined) result.push(spec)
    else if (same.create !== spec.create) {
      fail(`the path ${spec.path} is given twice, once with create and once without`)
    }
  }
  return result
}

type Creation = { readonly kind: Kind; readonly tag: string }

/** What to do at the end of a path, and what to make where it ends in nothing. */
export type Action = {
  readonly set: (node: Node) => void
  readonly create?: Creation
}

/** The specs that concern an object, found once for each group, version and kind. */
export function specsFor(specs: readonly FieldSpec[]): (node: Node) => readonly FieldSpec[] {
  const known = new Map<string, readonly FieldSpec[]>()
  return (node) => {
    const gvk = gvkIn(node)
    const key = `${gvk.group}\n${gvk.version}\n${gvk.kind}`
    const before = known.get(key)
    if (before !== undefined) return before
    const found = specs.filter((spec) => isSelected(gvk, spec))
    known.set(key, found)
    return found
  }
}

export function atPath(node: Node, spec: Pick<FieldSpec, 'path' | 'create'>, action: Action): void {
  walk(node, pathParts(spec.path), 0, spec.create ? action.create : undefined, action.set)
}

const split = new Map<string, readonly string[]>()

function pathParts(path: string): readonly string[] {
  const known = split.get(path)
  if (known !== undefined) return known
  const parts = splitPath(path, '/')
  if (split.size < 5000) split.set(path, parts)
  return parts
}

function walk(
  node: Node,
  path: readonly string[],
  at: number,
  create: Creation | undefined,
  set: (node: Node) => void,
): void {
  if (at === path.length) return set(node)
  if (node.tag === nullTag) return
  if (node.kind === 'list') {
    for (const item of node.content) walk(item, path, at, create, set)
    return
  }
  if (node.kind === 'scalar') fail(`${path.slice(0, at).join('/')} holds a single value`)
  const found = next(node, path, at, create)
  if (found !== undefined) walk(found, path, at + 1, create, set)
}

/** The field that the path goes through; made if it may be, and a null becomes what is needed. */
function next(
  map: Node,
  path: readonly string[],
  at: number,
  create: Creation | undefined,
): Node | undefined {
  const part = defined(path[at])
  const name = part.endsWith('[]') ? part.slice(0, -2) : part
  if (name === '') fail(`the path ${path.join('/')} has an empty part`)
  const isList = name !== part
  const isLast = at === path.length - 1
  const making = create === undefined || isList ? undefined : isLast ? create : mapCreation
  requireKind(map, 'map')
  let found = field(map, name.trim())
  if (found === undefined) {
    if (making === undefined) return undefined
    found = defined(setField(map, name.trim(), emptyNode(making.kind)))
  }
  const wanted = making ?? (isList ? listCreation : undefined)
  if (found.tag === nullTag && wanted !== undefined) {
    found.kind = wanted.kind
    found.tag = wanted.tag
  }
  return found
}

const mapCreation: Creation = { kind: 'map', tag: '!!map' }
const listCreation: Creation = { kind: 'list', tag: '' }
