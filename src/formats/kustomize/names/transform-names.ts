/** Prefixes and suffixes of names, and the namespace: the transformers that change what a resource is called. */
import { KustomizeError, at, fail } from '../error.ts'
import { type FieldSpec, atPath, specsFor } from '../transform/field-specs.ts'
import { field, get, setField, setScalar } from '../yaml/fields.ts'
import { type Id, isSelected, keyOf, nameOf } from './id.ts'
import { type Node, emptyNode, isNull, valueOf } from '../yaml/node.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import {
  type Resource,
  addNote,
  annotationOf,
  apiVersionIn,
  currentId,
  gvkIn,
  isGone,
  kindOf,
  notes,
  originalId,
  storePreviousId,
} from '../load/resource.ts'
import { defined } from '#model/defined.ts'

const textCreation = { kind: 'scalar', tag: '!!str' } as const

/** Kinds whose name is not theirs to change. */
function keepsName({ group, kind }: Id): boolean {
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace') return true
  return kind === 'APIService' && group === 'apiregistration.k8s.io'
}

export function addAffix(
  set: ResourceSet,
  side: 'prefix' | 'suffix',
  affix: string,
  specs: readonly FieldSpec[],
): void {
  for (const resource of set.list) {
    const id = originalId(resource)
    if (keepsName(id)) continue
    for (const spec of specs) {
      if (!isSelected(id, spec)) continue
      if (spec.path === 'metadata/name' && affix !== '') {
        addNote(resource, side === 'prefix' ? notes.prefixes : notes.suffixes, affix)
        storePreviousId(resource)
      }
      if (!isSelected(gvkIn(resource.node), spec)) continue
      const set = (node: Node): void =>
        setScalar(node, side === 'prefix' ? affix + node.value : node.value + affix)
      at(resource.place, () => atPath(resource.node, spec, { set, create: textCreation }))
    }
  }
}

export type SubjectMode = 'defaultOnly' | 'allServiceAccounts' | 'none'

type NamespaceSettings = {
  readonly namespace: string
  readonly specs: readonly FieldSpec[]
  /** Only where there is none yet. */
  readonly isUnsetOnly: boolean
  readonly subjects: SubjectMode
}

export function setNamespaces(set: ResourceSet, settings: NamespaceSettings): void {
  if (settings.namespace === '') return
  const counts = new Map<string, number>()
  const keys = set.list.map((resource) => keyOf(currentId(resource)))
  for (const key of keys) count(counts, key, 1)
  const inNamespace = namespaceSetter(settings)
  let i = 0
  for (const resource of set.list) {
    const key = defined(keys[i++])
    if (isGone(resource)) continue
    if (annotationOf(resource.node, 'kustomize.config.k8s.io/helm-generated') === 'true') continue
    count(counts, key, -1)
    storePreviousId(resource)
    at(resource.place, () => inNamespace(resource))
    const id = currentId(resource)
    if (count(counts, keyOf(id), 1) > 1) {
      const reason = `in the namespace ${settings.namespace} there would be two of ${nameOf(id)}`
      throw new KustomizeError(reason, resource.place)
    }
  }
}

function count(counts: Map<string, number>, key: string, more: number): number {
  const now = (counts.get(key) ?? 0) + more
  counts.set(key, now)
  return now
}

/** Puts one resource into the namespace. */
export function namespaceSetter(settings: NamespaceSettings): (resource: Resource) => void {
  const specs = specsFor(settings.specs.filter((spec) => spec.path !== 'metadata/namespace'))
  const set = (node: Node): void => {
    if (settings.isUnsetOnly && node.kind === 'scalar' && valueOf(node) !== '') return
    setScalar(node, settings.namespace, '!!str')
  }
  const ownNamespace = { path: 'metadata/namespace', create: true }
  const inMetadata = { set, create: { kind: 'scalar', tag: '' } as const }
  const elsewhere = { set, create: textCreation }
  return (resource) => {
    const { node } = resource
    const apiVersion = apiVersionIn(node)
    const kind = kindOf(node)
    if (!resource.schemas.isClusterScoped(apiVersion, kind)) {
      atPath(node, ownNamespace, inMetadata)
    }
    const isBinding = kind === 'RoleBinding' || kind === 'ClusterRoleBinding'
    if (isBinding) bindSubjects(node, settings.subjects, set)
    for (const spec of specs(node)) {
      if (apiVersion !== 'v1' && spec.path === 'metadata/name') continue
      if (isBinding && isBindingSpec(spec)) continue
      atPath(node, spec, elsewhere)
    }
  }
}

function isBindingSpec(spec: FieldSpec): boolean {
  const isBinding = spec.kind === 'RoleBinding' || spec.kind === 'ClusterRoleBinding'
  return isBinding && spec.path === 'subjects/namespace'
}

/** Subjects of a binding: by default only the one called default follows. */
function bindSubjects(node: Node, mode: SubjectMode, set: (node: Node) => void): void {
  if (mode === 'none') return
  const subjects = get(node, 'subjects')
  if (isNull(subjects)) return
  if (defined(subjects).kind !== 'list') fail('subjects is no list')
  const [name, value] = mode === 'defaultOnly' ? ['name', 'default'] : ['kind', 'ServiceAccount']
  for (const subject of defined(subjects).content) {
    const found = get(subject, defined(name))
    if (isNull(found) || valueOf(found) !== value) continue
    const namespace =
      field(subject, 'namespace') ?? setField(subject, 'namespace', emptyNode('scalar'))
    set(defined(namespace))
  }
}
