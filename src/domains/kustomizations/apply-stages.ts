/** What has to be there before the rest, as Flux has it: definitions, namespaces, roles of the cluster; then classes; webhooks last. */
import type { Resource } from '#model/resource.ts'
import { nameOfObject, type ObjectName } from './object.ts'

export type Stage = 'first' | 'classes' | 'rest' | 'last'

const first = new Set([
  'apiextensions.k8s.io/CustomResourceDefinition',
  '/Namespace',
  'rbac.authorization.k8s.io/ClusterRole',
])
const last = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])

export function stageOf({ group, kind }: ObjectName): Stage {
  if (first.has(`${group}/${kind}`)) return 'first'
  if (kind.endsWith('Class')) return 'classes'
  return group === 'admissionregistration.k8s.io' && last.has(kind) ? 'last' : 'rest'
}

/** The order in which Flux applies kinds, within a stage and over all: it takes them away in the reverse of it. */
const order = [
  'CustomResourceDefinition',
  'Namespace',
  'ClusterRole',
  'ClusterClass',
  'RuntimeClass',
  'PriorityClass',
  'StorageClass',
  'VolumeSnapshotClass',
  'IngressClass',
  'GatewayClass',
  'ClusterRoleBinding',
  'ResourceQuota',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'Service',
  'LimitRange',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
]
const places = new Map(order.map((kind, place) => [kind, place]))

export function placeInOrder({ kind }: Pick<ObjectName, 'kind'>): number {
  return places.get(kind) ?? (last.has(kind) ? order.length + 1 : order.length)
}

/** Those of one place in the order are together; within it by group, kind, namespace and name. */
export function ranksOf(names: readonly ObjectName[]): readonly (readonly ObjectName[])[] {
  const ranks = new Map<number, ObjectName[]>()
  for (const name of names.toSorted(inOrder)) {
    const place = placeInOrder(name)
    const rank = ranks.get(place)
    if (rank === undefined) ranks.set(place, [name])
    else rank.push(name)
  }
  return [...ranks.values()]
}

/** Calls begin in this order; what has to be over before others begin is a matter of stages. */
export function inApplyOrder(resources: readonly Resource[]): readonly Resource[] {
  const named = resources.map((resource) => ({ resource, name: nameOfObject(resource.spec) }))
  return named
    .toSorted((one, other) => inOrder(one.name, other.name))
    .map(({ resource }) => resource)
}

export function inOrder(one: ObjectName, other: ObjectName): number {
  const by = placeInOrder(one) - placeInOrder(other)
  if (by !== 0) return by
  for (const key of ['group', 'kind', 'namespace', 'name'] as const) {
    if (one[key] !== other[key]) return one[key] < other[key] ? -1 : 1
  }
  return 0
}

/** Kinds that are as they should be from the moment they are stored: nobody need look at them again. */
const immediate = new Set([
  '/ConfigMap',
  '/Secret',
  '/ServiceAccount',
  '/LimitRange',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'batch/CronJob',
  'networking.k8s.io/NetworkPolicy',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/StorageClass',
])

export function isImmediate({ group, kind }: Pick<ObjectName, 'group' | 'kind'>): boolean {
  return immediate.has(`${group}/${kind}`)
}
