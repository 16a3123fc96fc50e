/** Selecting resources by patterns for group, version, kind, name and namespace, and by labels and annotations. */
import { goRegExp } from './go-regexp.ts'
import { type Gvk, effectiveNamespace } from '../names/id.ts'
import { labelSelector } from './label-selector.ts'
import type { Node } from '../yaml/node.ts'
import { type Resource, currentId, gvkIn, originalId, textsIn } from '../load/resource.ts'

export type Selector = Gvk & {
  readonly name: string
  readonly namespace: string
  readonly labelSelector: string
  readonly annotationSelector: string
}

type ObjectId = Gvk & { readonly name: string; readonly namespace: string }

export type Patterns = {
  gvk(gvk: Gvk): boolean
  name(name: string): boolean
  namespace(namespace: string): boolean
}

/** A pattern has to fit the whole text. */
export function patternsOf(selector: ObjectId): Patterns {
  const group = whole(selector.group)
  const version = whole(selector.version)
  const kind = whole(selector.kind)
  return {
    gvk: (gvk) => group(gvk.group) && version(gvk.version) && kind(gvk.kind),
    name: whole(selector.name),
    namespace: whole(selector.namespace),
  }
}

function whole(pattern: string): (text: string) => boolean {
  if (pattern === '') return () => true
  if (/^[\w-]+$/.test(pattern)) return (text) => text === pattern
  const expression = goRegExp(`^(?:${pattern})$`)
  return (text) => expression.test(text)
}

/** Names fit as they are now or as they were first. */
export function select(resources: readonly Resource[], selector: Selector): Resource[] {
  const patterns = patternsOf(selector)
  const fits = labelsAndAnnotations(selector)
  return resources.filter((resource) => {
    if (!patterns.gvk(gvkIn(resource.node))) return false
    const [now, first] = [currentId(resource), originalId(resource)]
    const isThere = [first, now].some((id) => patterns.namespace(effectiveNamespace(id)))
    if (!isThere || (!patterns.name(first.name) && !patterns.name(now.name))) return false
    return fits(resource.node)
  })
}

/** A selector that is never asked is never found wrong. */
export function labelsAndAnnotations(
  selector: Pick<Selector, 'labelSelector' | 'annotationSelector'>,
): (node: Node) => boolean {
  const made: {
    labels?: ReturnType<typeof labelSelector>
    annotations?: ReturnType<typeof labelSelector>
  } = {}
  return (node) => {
    made.labels ??= labelSelector(selector.labelSelector)
    if (!made.labels(textsIn(node, 'labels'))) return false
    made.annotations ??= labelSelector(selector.annotationSelector)
    return made.annotations(textsIn(node, 'annotations'))
  }
}
