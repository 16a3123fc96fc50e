/** Replacements: a value is taken from one resource, or given, and written into fields of others. */
import { at, fail } from '../error.ts'
import { lookup, splitFieldPath } from '../yaml/fields.ts'
import { isSelected, nameOf, type Id } from '../names/id.ts'
import {
  type Kind,
  type Node,
  copyOf,
  isNullOrEmpty,
  overwrite,
  scalar,
  valueOf,
} from '../yaml/node.ts'
import { matches } from './path-matcher.ts'
import { type Resource, gvkIn, isGone, nameIn, namespaceIn, previousIds } from '../load/resource.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import { labelsAndAnnotations, patternsOf } from './selector.ts'
import { type FieldOptions, type Replacement, noId } from '../load/settings.ts'
import { type SecretUse, takenFrom } from './secret-values.ts'
import { setInText } from './structured-text.ts'
import { defined } from '#model/defined.ts'

export function replaceValues(
  set: ResourceSet,
  replacements: readonly Replacement[],
  use: SecretUse,
): void {
  for (const replacement of replacements) {
    const hasSource = replacement.source !== undefined || replacement.sourceValue !== undefined
    if (!hasSource || replacement.targets === undefined) {
      fail('a replacement needs a source and at least one target')
    }
    const value = valueFor(set.list, replacement, use)
    for (const target of defined(replacement.targets)) writeTo(set.list, value, target)
  }
  set.list = set.list.filter((resource) => !isGone(resource))
}

function valueFor(resources: readonly Resource[], replacement: Replacement, use: SecretUse): Node {
  const { source, sourceValue } = replacement
  if (source !== undefined && sourceValue !== undefined) {
    fail('a replacement has both source and sourceValue; one is enough')
  }
  if (sourceValue !== undefined) return scalar(sourceValue)
  const resource = sourceOf(resources, { ...noId, ...source })
  const path = defined(source).fieldPath || 'metadata.name'
  const found = at(resource.place, () => lookup(resource.node, splitFieldPath(path)))
  if (isNullOrEmpty(found)) {
    return fail(`the source ${nameOf({ ...noId, ...source })} has no ${path}`)
  }
  const value = takenFrom(resource, path, defined(found), use)
  return part(value, defined(source).options, path)
}

function idsOf(node: Node): Id[] {
  const now = { ...gvkIn(node), name: nameIn(node), namespace: namespaceIn(node) }
  return [{ ...now, isClusterScoped: false }, ...previousIds(node)]
}

function sourceOf(resources: readonly Resource[], wanted: typeof noId): Resource {
  const found = resources.filter((resource) =>
    idsOf(resource.node).some(
      (id) =>
        (wanted.name === '' || wanted.name === id.name) &&
        (wanted.namespace === '' || wanted.namespace === (id.namespace || 'default')) &&
        isSelected(id, wanted),
    ),
  )
  const [first, second] = found
  if (second !== undefined) return fail(`the source ${nameOf(wanted)} could be several resources`)
  return first ?? fail(`the source ${nameOf(wanted)} is not there`)
}

/** One part of a text that a delimiter splits. */
function part(node: Node, options: FieldOptions | undefined, path: string): Node {
  const delimiter = options?.delimiter ?? ''
  if (delimiter === '') return node
  if (node.kind !== 'scalar') fail('a delimiter needs a single value')
  const parts = valueOf(node).split(delimiter)
  const index = options?.index ?? 0
  const value = parts[index] ?? fail(`${path} of the source has no part ${index}`)
  return { ...copyOf(node), value }
}

type Target = Exclude<Replacement['targets'], undefined>[number]

function writeTo(resources: readonly Resource[], value: Node, target: Target): void {
  const { select } = target
  if (select === undefined) return fail('a target of a replacement needs select')
  const paths = target.fieldPaths?.length ? target.fieldPaths : ['metadata.name']
  const wanted = patternsOf(select)
  const fits = labelsAndAnnotations(select)
  const rejects = (target.reject ?? []).map((one) => ({
    one: one ?? fail('an entry of reject is empty'),
    patterns: patternsOf(defined(one)),
    fits: labelsAndAnnotations(defined(one)),
  }))
  const isRejected = (node: Node, ids: readonly Id[]): boolean =>
    rejects.some(({ one, patterns, fits: byLabels }) => {
      const hasLabels = one.labelSelector !== '' || one.annotationSelector !== ''
      if (hasLabels && byLabels(node)) return true
      const hasId = Object.keys(noId).some((name) => Reflect.get(one, name) !== '')
      return hasId && ids.some((id) => agrees(id, patterns))
    })
  for (const resource of resources) {
    const ids = idsOf(resource.node)
    if (!fits(resource.node) || isRejected(resource.node, ids)) continue
    if (!ids.some((id) => agrees(id, wanted))) continue
    at(resource.place, () => {
      for (const path of paths) writeAt(resource.node, value, path, target.options)
    })
  }
}

function agrees(id: Id, patterns: ReturnType<typeof patternsOf>): boolean {
  return patterns.gvk(id) && patterns.name(id.name) && patterns.namespace(id.namespace)
}

function writeAt(node: Node, value: Node, path: string, options: FieldOptions | undefined): void {
  const create: Kind | undefined = options?.create === true ? value.kind : undefined
  const parts = splitFieldPath(path)
  if (setInText(node, value, parts, create)) return
  const found = matches(node, parts, create) ?? []
  if (found.length === 0) {
    fail(
      `the target has no field ${path}${create === undefined ? '; create: true would make it' : ''}`,
    )
  }
  for (const field of found) write(field, value, options)
}

function write(target: Node, value: Node, options: FieldOptions | undefined): void {
  const copy = copyOf(value)
  const delimiter = options?.delimiter ?? ''
  if (delimiter !== '') {
    if (target.kind !== 'scalar') fail('a delimiter needs a single value')
    copy.value = placed(target.value.split(delimiter), valueOf(copy), options?.index ?? 0).join(
      delimiter,
    )
  }
  if (target.kind === 'scalar') target.value = copy.value
  else overwrite(target, copy)
}

/** Before the first part, after the last one, or in the place of one. */
function placed(parts: readonly string[], value: string, index: number): readonly string[] {
  if (index < 0) return [value, ...parts]
  return index >= parts.length ? [...parts, value] : parts.with(index, value)
}
