/** Where transformers work: lists of paths, each for some kinds, and how a path is walked. */
import { fail } from '../error.ts'
import { field, setField, splitPath } from '../yaml/fields.ts'
import { type Gvk, gvkOf, isSelected } from '../names/id.ts'
import { type Kind, type Node, emptyNode, nullTag } from '../yaml/node.ts'
import { apiVersionIn, kindOf } from '../load/resource.ts'
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
  const known = new Map<string, Map<string, readonly FieldSpec[]>>()
  return (node) => {
    const apiVersion = apiVersionIn(node)
    const kind = kindOf(node)
    const ofVersion = known.get(apiVersion) ?? new Map<string, readonly FieldSpec[]>()
    const before = ofVersion.get(kind)
    if (before !== undefined) return before
    const gvk = gvkOf(apiVersion, kind)
    const found = specs.filter((spec) => isSelected(gvk, spec))
    known.set(apiVersion, ofVersion.set(kind, found))
    return found
  }
}

export function atPath(node: Node, spec: Pick<FieldSpec, 'path' | 'create'>, action: Action): void {
  walk(node, pathParts(spec.path), 0, spec.create ? action.create : undefined, action.set)
}

/** A part of a path: the name of a field, and whether that is said to hold a list. */
type Part = {
  readonly written: string
  readonly name: string
  readonly isList: boolean
  readonly isEmpty: boolean
}

const split = new Map<string, readonly Part[]>()

function pathParts(path: string): readonly Part[] {
  const known = split.get(path)
  if (known !== undefined) return known
  const parts = splitPath(path, '/').map((written) => {
    const isList = written.endsWith('[]')
    const bare = isList ? written.slice(0, -2) : written
    return { written, name: bare.trim(), isList, isEmpty: bare === '' }
  })
  if (split.size < 5000) split.set(path, parts)
  return parts
}

function textOf(path: readonly Part[]): string {
  return path.map(({ written }) => written).join('/')
}

function walk(
  node: Node,
  path: readonly Part[],
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
  if (node.kind === 'scalar') fail(`${textOf(path.slice(0, at))} holds a single value`)
  const found = next(node, path, at, create)
  if (found !== undefined) walk(found, path, at + 1, create, set)
}

/** The field that the path goes through; made if it may be, and a null becomes what is needed. */
function next(
  map: Node,
  path: readonly Part[],
  at: number,
  create: Creation | undefined,
): Node | undefined {
  const { name, isList, isEmpty } = defined(path[at])
  if (isEmpty) fail(`the path ${textOf(path)} has an empty part`)
  const isLast = at === path.length - 1
  const making = create === undefined || isList ? undefined : isLast ? create : mapCreation
  let found = field(map, name)
  if (found === undefined) {
    if (making === undefined) return undefined
    found = defined(setField(map, name, emptyNode(making.kind)))
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
