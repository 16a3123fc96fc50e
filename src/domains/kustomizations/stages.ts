/** What has to be there before the rest, as Flux has it: definitions, namespaces, roles of the cluster; then classes; webhooks last. */
import type { ObjectName } from './object.ts'

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

export function isImmediate({ group, kind }: ObjectName): boolean {
  return immediate.has(`${group}/${kind}`)
}
