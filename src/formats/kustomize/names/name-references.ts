/** After names have changed: every field that names a resource follows. */
import { KustomizeError, at, fail } from '../error.ts'
import { atPath } from '../transform/field-specs.ts'
import { field, get, requireKind, setField, setScalar } from '../yaml/fields.ts'
import { type Gvk, type Id, effectiveNamespace, isSelected, nameOf, noNamespace } from './id.ts'
import { type Node, isNull, scalar } from '../yaml/node.ts'
import { plainOf } from '../yaml/plain.ts'
import {
  type Resource,
  currentId,
  nameIn,
  namespaceIn,
  notes,
  notesOf,
  originalId,
  previousIds,
} from '../load/resource.ts'
import type { FieldSpec } from '../transform/field-specs.ts'
import type { NameReference } from '../transform/transformer-config.ts'
import { defined } from '#model/defined.ts'

export function fixNameReferences(
  resources: readonly Resource[],
  references: readonly NameReference[],
): void {
  const all = resources.map((resource) => ({
    resource,
    now: currentId(resource),
    before: previousIds(resource.node),
  }))
  const candidates = candidatesByName(all)
  let made: Homes | undefined
  const homes = (): Homes => (made ??= homesOf(resources))
  const known = new Map<string, readonly Reference[]>()
  for (const one of all) {
    const id = firstId(one)
    const key = `${id.group}\n${id.version}\n${id.kind}`
    let concerning = known.get(key)
    if (concerning === undefined) {
      concerning = referencesOf(id, references)
      known.set(key, concerning)
    }
    if (concerning.length > 0) fixOne(one, concerning, candidates, homes)
  }
}

/** `spec` makes nothing: a name that is not there refers to nothing. */
type Reference = { readonly spec: FieldSpec; readonly target: Gvk }

function referencesOf(id: Gvk, references: readonly NameReference[]): Reference[] {
  return references.flatMap((target) =>
    target.fieldSpecs
      .filter((spec) => isSelected(id, spec))
      .map((spec) => ({ spec: { ...spec, create: false }, target })),
  )
}

/** A resource that may be meant: what it is called now, and was before. */
type Candidate = {
  readonly resource: Resource
  readonly now: Id
  readonly before: readonly Id[]
}

/** By every name that a resource had before; one that was never renamed needs no following. */
function candidatesByName(all: readonly Candidate[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>()
  for (const candidate of all) {
    if (candidate.before.length === 0) continue
    for (const name of new Set(candidate.before.map((id) => id.name))) {
      const others = found.get(name)
      if (others === undefined) found.set(name, [candidate])
      else others.push(candidate)
    }
  }
  return found
}

/** For each namespace in which resources were first: the ids of namespaces in which they are now. */
type Homes = ReadonlyMap<string, ReadonlyMap<string, Id>>

function homesOf(resources: readonly Resource[]): Homes {
  const homes = new Map<string, Map<string, Id>>()
  for (const resource of resources) {
    const [first, now] = [effectiveNamespace(originalId(resource)), currentId(resource)]
    const key = `${effectiveNamespace(now)}\n${now.namespace}`
    const found = homes.get(first)
    if (found === undefined) homes.set(first, new Map([[key, now]]))
    else found.set(key, now)
  }
  return homes
}

type Referrer = {
  readonly resource: Resource
  readonly id: Id
  readonly candidates: ReadonlyMap<string, Candidate[]>
  readonly homes: () => Homes
  readonly subjectNamespaces: ReadonlySet<string>
}

function fixOne(
  { resource, now: id }: Candidate,
  references: readonly Reference[],
  candidates: ReadonlyMap<string, Candidate[]>,
  homes: () => Homes,
): void {
  at(resource.place, () => {
    const subjectNamespaces = subjectNamespacesOf(resource, id)
    const referrer: Referrer = { resource, id, candidates, homes, subjectNamespaces }
    let { spec, target } = defined(references[0])
    const action = { set: (node: Node) => fixField(node, referrer, spec, target) }
    for (const reference of references) {
      spec = reference.spec
      target = reference.target
      atPath(resource.node, spec, action)
    }
  })
}

/** A binding may name accounts of other namespaces. */
function subjectNamespacesOf(resource: Resource, id: Id): Set<string> {
  const found = new Set<string>()
  if (id.isClusterScoped || id.kind !== 'RoleBinding') return found
  const subjects = field(resource.node, 'subjects')
  if (subjects?.kind !== 'list') return found
  for (const subject of subjects.content) {
    if (subject.kind !== 'map') fail('a subject of the binding is no map')
    const [namespace, kind] = [field(subject, 'namespace'), field(subject, 'kind')]
    if (namespace === undefined || kind === undefined) continue
    if (typeof plainOf(kind) !== 'string') fail('the kind of a subject is no text')
    if (kind.value !== 'ServiceAccount') continue
    if (typeof plainOf(namespace) !== 'string') {
      throw new KustomizeError('the namespace of a subject is blank', {
        file: resource.place.file,
        line: namespace.line || resource.place.line,
      })
    }
    found.add(namespace.value)
  }
  return found
}

function fixField(node: Node, referrer: Referrer, spec: FieldSpec, target: Gvk): void {
  if (isNull(node)) return
  if (node.kind === 'scalar') return fixScalar(node, referrer, spec, target)
  if (node.kind === 'map') return fixMap(node, referrer, spec, target)
  for (const item of node.content) {
    if (isNull(item)) continue
    if (item.kind === 'list') fail(`${spec.path} holds a list in a list`)
    if (item.kind === 'scalar') fixScalar(item, referrer, spec, target)
    else fixMap(item, referrer, spec, target)
  }
}

function fixScalar(node: Node, referrer: Referrer, spec: FieldSpec, target: Gvk): void {
  const candidates = (referrer.candidates.get(node.value) ?? []).filter((one) =>
    isWithinReach(one.now, referrer),
  )
  const meant = choose(candidates, referrer, spec, target, false)
  if (meant === undefined) return
  const name = nameIn(meant.resource.node)
  if (name !== node.value) setScalar(node, name)
}

/** A map names by name and namespace. */
function fixMap(node: Node, referrer: Referrer, spec: FieldSpec, target: Gvk): void {
  requireKind(node, 'map')
  const nameNode = get(node, 'name')
  if (nameNode === undefined) fail(`${spec.path} has no name in it`)
  const oldName = defined(nameNode).value
  const all = (referrer.candidates.get(oldName) ?? []).filter((one) =>
    isWithinReach(one.now, referrer),
  )
  const meant = choose(
    inNamespace(all, get(node, 'namespace'), referrer),
    referrer,
    spec,
    target,
    true,
  )
  if (meant === undefined) return
  const [name, namespace] = [nameIn(meant.resource.node), namespaceIn(meant.resource.node)]
  if (name === oldName && namespace === '') return
  setField(node, 'name', scalar(name))
  if (namespace !== '') setField(node, 'namespace', scalar(namespace))
}

/** Those of the namespace that is named, as it was first; if nothing was ever in it, as it is now. */
function inNamespace(
  candidates: readonly Candidate[],
  node: Node | undefined,
  referrer: Referrer,
): readonly Candidate[] {
  if (node === undefined) return candidates
  if (node.value === noNamespace) return []
  const homes = [...(referrer.homes().get(node.value)?.values() ?? [])]
  if (homes.some((now) => isWithinReach(now, referrer))) {
    return candidates.filter((one) => effectiveNamespace(firstId(one)) === node.value)
  }
  return candidates.filter((one) => effectiveNamespace(one.now) === node.value)
}

function firstId(candidate: Candidate): Id {
  return candidate.before[0] ?? candidate.now
}

function isWithinReach(now: Id, referrer: Referrer): boolean {
  if (referrer.id.isClusterScoped || now.isClusterScoped) return true
  if (effectiveNamespace(now) === effectiveNamespace(referrer.id)) return true
  return referrer.subjectNamespaces.has(now.namespace)
}

function choose(
  candidates: readonly Candidate[],
  referrer: Referrer,
  spec: FieldSpec,
  target: Gvk,
  isWithNamespace: boolean,
): Candidate | undefined {
  const role = roleOf(referrer.resource.node, spec)
  let left = candidates.filter(
    (one) =>
      one.before.some((id) => isSelected(id, target)) &&
      (role === undefined || one.before.some((id) => isSelected(id, role))) &&
      isNear(one, referrer),
  )
  if (left.length === 1) return left[0]
  left = left.filter((one) => hasSameAffixes(one.resource, referrer.resource, true))
  if (left.length > 1) {
    left = left.filter((one) => hasSameAffixes(one.resource, referrer.resource, false))
  }
  const [first] = left
  if (first === undefined || left.length === 1) return first
  const isSame = (one: Candidate): boolean =>
    one.now.name === first.now.name &&
    (!isWithNamespace || one.now.namespace === first.now.namespace)
  if (left.every(isSame)) return first
  const names = left.map((one) => nameOf(one.now)).join(' and ')
  return fail(`${spec.path} could mean ${names}`)
}

function isNear(candidate: Candidate, referrer: Referrer): boolean {
  if (referrer.id.isClusterScoped || candidate.now.isClusterScoped) return true
  if (candidate.now.kind === 'ServiceAccount') return true
  return effectiveNamespace(candidate.now) === effectiveNamespace(referrer.id)
}

/** What kind of role a binding says it means. */
function roleOf(node: Node, spec: FieldSpec): Gvk | undefined {
  if (!spec.path.endsWith('roleRef/name')) return undefined
  const role = field(node, 'roleRef')
  const [group, kind] = [field(role, 'apiGroup'), field(role, 'kind')]
  if (group === undefined || kind === undefined) return undefined
  return { group: group.value, version: '', kind: kind.value }
}

function hasSameAffixes(one: Resource, other: Resource, mayLack: boolean): boolean {
  return [notes.prefixes, notes.suffixes].every((name) => {
    const [mine, theirs] = [notesOf(one, name), notesOf(other, name)]
    if (mayLack && (mine.length === 0 || theirs.length === 0)) return true
    return endAlike(mine, theirs)
  })
}

/** The shorter list is the end of the longer one. */
function endAlike(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length === 0) return long.length === 0
  return short.every((affix, i) => affix === long[long.length - short.length + i])
}
