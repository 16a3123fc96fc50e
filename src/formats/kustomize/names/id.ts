/** What a resource is called: group, version, kind, name and namespace, and the ways in which two of them agree. */

export type Gvk = { readonly group: string; readonly version: string; readonly kind: string }

export type Id = Gvk & {
  readonly name: string
  readonly namespace: string
  readonly isClusterScoped: boolean
}

/** The namespace of what has none. */
export const noNamespace = '_non_namespaceable_'

export function gvkOf(apiVersion: string, kind: string): Gvk {
  const known = versions.get(apiVersion) ?? versionOf(apiVersion)
  return { group: known.group, version: known.version, kind }
}

type Version = { readonly group: string; readonly version: string }

/** The same few stand in all objects. */
const versions = new Map<string, Version>()

function versionOf(apiVersion: string): Version {
  const at = apiVersion.indexOf('/')
  const found = {
    group: at < 0 ? '' : apiVersion.slice(0, at),
    version: apiVersion.slice(at + 1),
  }
  if (versions.size < 1000 && apiVersion.length <= 128) versions.set(apiVersion, found)
  return found
}

export function apiVersionOf(gvk: Gvk): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
}

export function effectiveNamespace(id: Id): string {
  if (id.isClusterScoped) return noNamespace
  return id.namespace === '' ? 'default' : id.namespace
}

/** Equal for ids that mean the same resource. */
export function keyOf(id: Id): string {
  return `${id.group}\n${id.version}\n${id.kind}\n${effectiveNamespace(id)}\n${id.name}`
}

/** Parts of the selector that are empty fit everything. */
export function isSelected(gvk: Gvk, selector: Gvk): boolean {
  return (
    (selector.group === '' || selector.group === gvk.group) &&
    (selector.version === '' || selector.version === gvk.version) &&
    (selector.kind === '' || selector.kind === gvk.kind)
  )
}

/** For messages: `Deployment apps/v1 web in shop`. */
export function nameOf(id: Gvk & { readonly name: string; readonly namespace: string }): string {
  const place = id.namespace === '' ? '' : ` in ${id.namespace}`
  const words = [id.kind, apiVersionOf(id), id.name].filter((word) => word !== '')
  return `${words.join(' ')}${place}`
}

const first = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
] as const
const last = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const

export const legacyOrder = { first, last }

/** Ranks of kinds: those that come first have negative ones. */
export function ranksOf(order: {
  readonly first: readonly string[]
  readonly last: readonly string[]
}): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const [i, kind] of order.first.entries()) ranks.set(kind, i - order.first.length)
  for (const [i, kind] of order.last.entries()) ranks.set(kind, i + 1)
  return ranks
}

export function gvkSortText(gvk: Gvk): string {
  return `${gvk.group || '~G'}_${gvk.version || '~V'}_${gvk.kind || '~K'}`
}

const ranks = ranksOf(legacyOrder)

/** The order in which settings that name kinds are worked through. */
export function byGvk(a: Gvk, b: Gvk): number {
  const difference = (ranks.get(a.kind) ?? 0) - (ranks.get(b.kind) ?? 0)
  if (difference !== 0) return difference
  const [left, right] = [gvkSortText(a), gvkSortText(b)]
  return left === right ? 0 : left < right ? -1 : 1
}
