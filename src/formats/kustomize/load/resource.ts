/** One Kubernetes object on its way through a build: its node, where it was read, what it was called before. */
import { type FileLine, fail } from '../error.ts'
import { field, get, lookupCreate, clearField, setField } from '../yaml/fields.ts'
import { type Gvk, type Id, effectiveNamespace, gvkOf } from '../names/id.ts'
import {
  type Node,
  copyOf,
  isNull,
  isNullOrEmpty,
  none,
  scalar,
  singleQuoted,
  text,
  textTag,
} from '../yaml/node.ts'
import type { Schemas } from './schemas.ts'
import { byBytes } from '../yaml/plain.ts'
import { defined } from '#model/defined.ts'

export type Resource = {
  node: Node
  readonly place: FileLine
  readonly schemas: Schemas
  /** Names of vars whose value comes from here. */
  varNames: readonly string[]
}

const internal = 'internal.config.kubernetes.io'
/** Notes that a build keeps on resources as annotations; none survives it. */
export const notes = {
  previousKinds: `${internal}/previousKinds`,
  previousNames: `${internal}/previousNames`,
  previousNamespaces: `${internal}/previousNamespaces`,
  prefixes: `${internal}/prefixes`,
  suffixes: `${internal}/suffixes`,
  allowNameChange: `${internal}/allowNameChange`,
  allowKindChange: `${internal}/allowKindChange`,
  refBy: `${internal}/refBy`,
  behavior: `${internal}/generatorBehavior`,
  needsHash: `${internal}/needsHashSuffix`,
} as const

export const removedAtTheEnd: ReadonlySet<string> = new Set([
  ...Object.values(notes),
  `${internal}/path`,
  `${internal}/index`,
  `${internal}/seqindent`,
  `${internal}/id`,
  `${internal}/annotations-migration-resource-id`,
  'config.kubernetes.io/path',
  'config.kubernetes.io/index',
  'config.k8s.io/id',
  'kustomize.config.k8s.io/helm-generated',
])

export function isInternalNote(name: string): boolean {
  return (
    name.startsWith(internal) ||
    ['config.kubernetes.io/path', 'config.kubernetes.io/index', 'config.k8s.io/id'].includes(name)
  )
}

export function isGone(resource: Resource): boolean {
  return isNullOrEmpty(resource.node)
}

export function kindOf(node: Node): string {
  return field(node, 'kind')?.value ?? ''
}

export function apiVersionIn(node: Node): string {
  return field(node, 'apiVersion')?.value ?? ''
}

function metadataOf(node: Node): Node | undefined {
  const metadata = field(node, 'metadata')
  return isNullOrEmpty(metadata) ? undefined : metadata
}

function textOf(value: Node | undefined): string {
  return value === undefined || isNullOrEmpty(value) ? '' : value.value
}

export function nameIn(node: Node): string {
  return textOf(field(metadataOf(node), 'name'))
}

export function namespaceIn(node: Node): string {
  return textOf(field(metadataOf(node), 'namespace'))
}

export function gvkIn(node: Node): Gvk {
  return gvkOf(apiVersionIn(node), kindOf(node))
}

/** What the resource is called now. */
export function currentId(resource: Resource): Id {
  const { node } = resource
  const apiVersion = apiVersionIn(node)
  const { group, version, kind } = gvkOf(apiVersion, kindOf(node))
  const metadata = metadataOf(node)
  return {
    group,
    version,
    kind,
    name: textOf(field(metadata, 'name')),
    namespace: textOf(field(metadata, 'namespace')),
    isClusterScoped: resource.schemas.isClusterScoped(apiVersion, kind),
  }
}

/** What it was called before, oldest first. */
export function previousIds(node: Node): Id[] {
  const annotations = field(metadataOf(node), 'annotations')
  const names = field(annotations, notes.previousNames)?.value
  if (names === undefined) return []
  const namespaces = (field(annotations, notes.previousNamespaces)?.value ?? '').split(',')
  const kinds = (field(annotations, notes.previousKinds)?.value ?? '').split(',')
  const { group, version } = gvkIn(node)
  const all = names.split(',')
  if (all.length !== namespaces.length || all.length !== kinds.length) {
    fail('a name holds a comma, or a patch changed annotations that only a build may change')
  }
  return all.map((name, i) => ({
    group,
    version,
    kind: defined(kinds[i]),
    name,
    namespace: defined(namespaces[i]),
    isClusterScoped: false,
  }))
}

/** What it was called when it was read. */
export function originalId(resource: Resource): Id {
  return previousIds(resource.node)[0] ?? currentId(resource)
}

export function storePreviousId(resource: Resource): void {
  const id = currentId(resource)
  addNote(resource, notes.previousNames, id.name)
  addNote(resource, notes.previousNamespaces, effectiveNamespace(id))
  addNote(resource, notes.previousKinds, id.kind)
}

export function annotationOf(node: Node, name: string): string | undefined {
  return field(field(metadataOf(node), 'annotations'), name)?.value
}

/** Adds to a list that is kept as one annotation with commas. */
export function addNote(resource: Resource, name: string, value: string): void {
  if (value === '') return
  const before = annotationOf(resource.node, name)
  annotate(resource.node, name, before === undefined ? value : `${before},${value}`)
}

export function notesOf(resource: Resource, name: string): string[] {
  return annotationOf(resource.node, name)?.split(',') ?? []
}

export function isNoted(resource: Resource, name: string): boolean {
  return annotationOf(resource.node, name) === 'enabled'
}

/** Sets one annotation; an empty map that was there does not count. */
export function annotate(node: Node, name: string, value: string): void {
  const metadata = get(node, 'metadata')
  const before = get(metadata, 'annotations')
  if (before !== undefined && before.content.length > 0) {
    setField(before, name, scalar(value, textTag, singleQuoted))
    return
  }
  if (before !== undefined) clearField(metadata, 'annotations')
  const after = get(node, 'metadata')
  if (after !== undefined && after.content.length === 0) clearField(node, 'metadata')
  const annotations = lookupCreate(node, 'map', ['metadata', 'annotations'])
  setField(annotations, name, scalar(value, textTag, singleQuoted))
}

export type Texts = Map<string, string>

export function textsIn(node: Node, name: 'labels' | 'annotations'): Texts {
  const texts: Texts = new Map()
  const content = field(metadataOf(node), name)?.content ?? none
  if (content.length % 2 !== 0) fail(`metadata.${name} is no map`)
  for (let i = 0; i < content.length; i += 2)
    texts.set(defined(content[i]).value, defined(content[i + 1]).value)
  return texts
}

/** Puts these in the place of what was there; none removes the field. */
export function setTexts(node: Node, name: 'labels' | 'annotations', texts: Texts): void {
  const metadata = lookupCreate(node, 'map', ['metadata'])
  clearField(metadata, name)
  if (texts.size === 0) return
  const map = lookupCreate(metadata, 'map', [name])
  for (const key of [...texts.keys()].toSorted(byBytes))
    setField(map, key, text(defined(texts.get(key))))
}

export function note(resource: Resource, name: string, value = 'enabled'): void {
  setTexts(resource.node, 'annotations', textsIn(resource.node, 'annotations').set(name, value))
}

export function setName(node: Node, name: string): void {
  setField(lookupCreate(node, 'map', ['metadata']), 'name', scalar(name))
}

export function setNamespace(node: Node, namespace: string): void {
  const metadata = get(node, 'metadata')
  if (namespace === '') {
    if (!isNull(metadata)) clearField(metadata, 'namespace')
    return
  }
  setField(lookupCreate(node, 'map', ['metadata']), 'namespace', scalar(namespace))
}

export function copyOfResource(resource: Resource): Resource {
  return { ...resource, node: copyOf(resource.node) }
}
