/** Labels, annotations, images and replicas: the transformers that set values in well-known fields. */
import { at, fail } from '../error.ts'
import { type Action, type FieldSpec, atPath, specsFor } from './field-specs.ts'
import { field, requireKind, setField, setScalar } from '../yaml/fields.ts'
import { goRegExp } from './go-regexp.ts'
import { isSelected } from '../names/id.ts'
import { type Node, isNull, scalar } from '../yaml/node.ts'
import { byBytes } from '../yaml/plain.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import { currentId, isGone, kindOf, previousIds } from '../load/resource.ts'
import type { Image, Replica } from '../load/settings.ts'
import { defined } from '#model/defined.ts'

const mapCreation = { kind: 'map', tag: '!!map' } as const

/** Labels or annotations, by the paths at which they belong. */
export function addTexts(
  set: ResourceSet,
  texts: ReadonlyMap<string, string>,
  specs: readonly FieldSpec[],
): void {
  if (texts.size === 0) return
  const concerning = specsFor(specs)
  const keys = [...texts.keys()].toSorted(byBytes)
  for (const resource of set.list) {
    at(resource.place, () => {
      for (const key of keys) {
        const action = setting(key, defined(texts.get(key)))
        for (const spec of concerning(resource.node)) atPath(resource.node, spec, action)
      }
    })
  }
}

/** All places of one object that a label is new to hold the same node: a later change of one changes all. */
function setting(key: string, value: string): Action {
  const shared = scalar(value, '!!str')
  return { set: (node) => void setField(node, key, shared), create: mapCreation }
}

/** A name is a pattern, in which a dot stands for any letter; one without other signs needs no engine. */
function imageTest(name: string): (value: string) => boolean {
  if (!/^[\w./:@-]*$/.test(name)) {
    const pattern = goRegExp(`^${name}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`)
    return (value) => pattern.test(value)
  }
  const letters = Array.from(name)
  const dot = name.indexOf('.')
  const head = dot < 0 ? name : name.slice(0, dot)
  return (value) => {
    if (!value.startsWith(head)) return false
    const given = Array.from(value)
    const fits = letters.every((letter, i) =>
      letter === '.' ? given[i] !== undefined && given[i] !== '\n' : given[i] === letter,
    )
    const tail = fits ? given.slice(letters.length).join('') : ' '
    return /^(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$/.test(tail)
  }
}

/** Where an object names images: in what looks like containers anywhere, and by the paths of the configuration. */
type ImageFields = { readonly anywhere: readonly Node[]; readonly byPath: readonly Node[] }

/**
 * Sets images of one kustomization after each other. None of them changes where images stand, so that each object is
 * searched for them once.
 */
export function imageSetter(specs: readonly FieldSpec[]): (set: ResourceSet, image: Image) => void {
  const concerning = specsFor(specs)
  const known = new Map<Node, ImageFields>()
  function fieldsIn(node: Node): ImageFields {
    const before = known.get(node)
    if (before !== undefined) return before
    const anywhere: Node[] = []
    const byPath: Node[] = []
    inContainers(node, anywhere)
    const action = { set: (image: Node): void => void byPath.push(image) }
    for (const spec of concerning(node)) atPath(node, spec, action)
    const found = { anywhere, byPath }
    known.set(node, found)
    return found
  }
  return (set, image) => {
    const isImage = imageTest(image.name ?? '')
    const update = (node: Node): void => {
      requireKind(node, 'scalar')
      if (isNull(node) || !isImage(node.value)) return
      setScalar(node, changedImage(node.value, image))
    }
    for (const resource of set.list) {
      if (kindOf(resource.node) === 'CustomResourceDefinition') continue
      at(resource.place, () => {
        const { anywhere, byPath } = fieldsIn(resource.node)
        for (const node of anywhere) update(node)
        for (const node of byPath) update(node)
      })
    }
  }
}

/** Images of any `containers` or `initContainers`, wherever in an object they stand. */
function inContainers(node: Node, images: Node[]): void {
  if (node.kind === 'list') {
    for (const item of node.content) if (item.kind !== 'scalar') inContainers(item, images)
    return
  }
  if (node.kind !== 'map') return
  for (let i = 0; i < node.content.length; i += 2) {
    const value = defined(node.content[i + 1])
    if (value.kind === 'scalar') continue
    inContainers(value, images)
    const name = defined(node.content[i]).value
    if ((name !== 'containers' && name !== 'initContainers') || value.kind !== 'list') continue
    for (const container of value.content) {
      if (isNull(container)) continue
      requireKind(container, 'map')
      const image = field(container, 'image')
      if (image !== undefined) images.push(image)
    }
  }
}

function changedImage(value: string, change: Image): string {
  const parts = splitImage(value)
  const name = change.newName || parts.name
  let { tag, digest } = parts
  if (change.newTag || change.digest) {
    tag = change.newTag ?? ''
    digest = change.digest ?? ''
  } else if (change.tagSuffix) {
    tag += change.tagSuffix
    digest = ''
  }
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
}

/** A colon before the first slash belongs to the name of a registry. */
function splitImage(image: string): { name: string; tag: string; digest: string } {
  const slash = Math.max(image.indexOf('/'), 0)
  const at = image.indexOf('@', slash)
  const colon = image.indexOf(':', slash)
  if (at < 0 && colon < 0) return { name: image, tag: '', digest: '' }
  if (at >= 0 && (colon < 0 || at < colon)) {
    return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) }
  }
  const name = image.slice(0, colon)
  if (at < 0) return { name, tag: image.slice(colon + 1), digest: '' }
  return { name, tag: image.slice(colon + 1, at), digest: image.slice(at + 1) }
}

/** The number of replicas of everything that is or was called so. */
export function setReplicas(set: ResourceSet, replica: Replica, specs: readonly FieldSpec[]): void {
  const name = replica.name ?? ''
  let isFound = false
  const create = { kind: 'scalar', tag: '!!int' } as const
  const write = (node: Node): void => setScalar(node, String(replica.count ?? 0), '!!int')
  for (const spec of specs) {
    for (const resource of set.list) {
      if (isGone(resource)) continue
      const ids = [...previousIds(resource.node), currentId(resource)]
      if (!ids.some((id) => id.name === name && isSelected(id, spec))) continue
      isFound = true
      if (!isSelected(currentId(resource), spec)) continue
      at(resource.place, () => atPath(resource.node, spec, { set: write, create }))
    }
  }
  if (!isFound) {
    const kinds = specs.map((spec) => spec.kind).join(', ')
    fail(`replicas: nothing called ${JSON.stringify(name)} is one of ${kinds}`)
  }
}
