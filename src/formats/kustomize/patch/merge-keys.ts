/** Which lists of Kubernetes objects a strategic merge joins, and by which fields: facts of the API as of 1.21. */
import { defined } from '#model/defined.ts'

/** `keys` empty: items are plain values. `of` names the type of the items. */
export type MergeList = { readonly keys: readonly string[]; readonly of?: string }
/** Fields that are, or lead to, lists to be joined; a text names the type of a map. */
export type MergeType = { readonly [field: string]: string | MergeList }

function by(...keys: string[]): MergeList {
  return { keys }
}

const conditions = by('type')
const volumes = { volumeMounts: by('mountPath'), volumeDevices: by('devicePath') }
const workload = { metadata: 'meta', spec: 'podOwner', status: 'conditions' }
const withStatus = { metadata: 'meta', status: 'conditions' }
const webhooks = { metadata: 'meta', webhooks: by('name') }

export const mergeTypes: { readonly [type: string]: MergeType } = {
  meta: { finalizers: by(), ownerReferences: by('uid') },
  conditions: { conditions },
  podOwner: { template: 'podTemplate' },
  podTemplate: { metadata: 'meta', spec: 'pod' },
  pod: {
    containers: { keys: ['name'], of: 'container' },
    initContainers: { keys: ['name'], of: 'container' },
    ephemeralContainers: { keys: ['name'], of: 'ephemeralContainer' },
    hostAliases: by('ip'),
    imagePullSecrets: by('name'),
    topologySpreadConstraints: by('topologyKey', 'whenUnsatisfiable'),
    volumes: { keys: ['name'], of: 'volume' },
  },
  container: { env: by('name'), ports: by('containerPort', 'protocol'), ...volumes },
  ephemeralContainer: { env: by('name'), ...volumes },
  volume: { ephemeral: 'ephemeralVolume' },
  ephemeralVolume: { volumeClaimTemplate: 'plain' },
  podStatus: { conditions, podIPs: by('ip') },
  cronJob: { jobTemplate: 'jobTemplate' },
  jobTemplate: { metadata: 'meta', spec: 'podOwner' },
  servicePorts: { ports: by('port', 'protocol') },
  nodeSpec: { podCIDRs: by() },
  nodeStatus: { addresses: by('type'), conditions },
  csiDrivers: { drivers: by('name') },
  plain: { metadata: 'meta' },
  workload,
  Pod: { metadata: 'meta', spec: 'pod', status: 'podStatus' },
  PodTemplate: { metadata: 'meta', template: 'podTemplate' },
  Service: { metadata: 'meta', spec: 'servicePorts', status: 'conditions' },
  ServiceAccount: { metadata: 'meta', secrets: by('name') },
  Node: { metadata: 'meta', spec: 'nodeSpec', status: 'nodeStatus' },
  ComponentStatus: { metadata: 'meta', conditions },
  CronJob: { metadata: 'meta', spec: 'cronJob' },
  CSINode: { metadata: 'meta', spec: 'csiDrivers' },
  Kustomization: { configMapGenerator: by('name'), secretGenerator: by('name') },
  withStatus,
  webhooks,
}

/** Kinds by what they are made of; those of a group that is not listed here have no type at all. */
const kinds: readonly (readonly [group: string, versions: string, type: string, kinds: string])[] =
  [
    ['', 'v1', 'Pod', 'Pod'],
    ['', 'v1', 'PodTemplate', 'PodTemplate'],
    ['', 'v1', 'Service', 'Service'],
    ['', 'v1', 'ServiceAccount', 'ServiceAccount'],
    ['', 'v1', 'Node', 'Node'],
    ['', 'v1', 'ComponentStatus', 'ComponentStatus'],
    ['', 'v1', 'workload', 'ReplicationController'],
    ['', 'v1', 'withStatus', 'Namespace PersistentVolumeClaim'],
    ['', 'v1', 'plain', 'Binding ConfigMap Endpoints Event LimitRange PersistentVolume'],
    ['', 'v1', 'plain', 'ResourceQuota Secret'],
    ['apps', 'v1', 'workload', 'DaemonSet Deployment ReplicaSet StatefulSet'],
    ['apps', 'v1', 'plain', 'ControllerRevision'],
    ['batch', 'v1', 'workload', 'Job'],
    ['batch', 'v1 v1beta1', 'CronJob', 'CronJob'],
    ['admissionregistration.k8s.io', 'v1 v1beta1', 'webhooks', 'MutatingWebhookConfiguration'],
    ['admissionregistration.k8s.io', 'v1 v1beta1', 'webhooks', 'ValidatingWebhookConfiguration'],
    ['apiextensions.k8s.io', 'v1 v1beta1', 'plain', 'CustomResourceDefinition'],
    ['apiregistration.k8s.io', 'v1 v1beta1', 'withStatus', 'APIService'],
    ['authentication.k8s.io', 'v1', 'plain', 'TokenRequest'],
    ['authentication.k8s.io', 'v1 v1beta1', 'plain', 'TokenReview'],
    ['authorization.k8s.io', 'v1 v1beta1', 'plain', 'LocalSubjectAccessReview'],
    ['authorization.k8s.io', 'v1 v1beta1', 'plain', 'SelfSubjectAccessReview SubjectAccessReview'],
    ['authorization.k8s.io', 'v1 v1beta1', 'plain', 'SelfSubjectRulesReview'],
    ['autoscaling', 'v1 v2beta1 v2beta2', 'plain', 'HorizontalPodAutoscaler'],
    ['autoscaling', 'v1', 'plain', 'Scale'],
    ['certificates.k8s.io', 'v1 v1beta1', 'plain', 'CertificateSigningRequest'],
    ['coordination.k8s.io', 'v1 v1beta1', 'plain', 'Lease'],
    ['discovery.k8s.io', 'v1 v1beta1', 'plain', 'EndpointSlice'],
    ['events.k8s.io', 'v1 v1beta1', 'plain', 'Event'],
    ['extensions', 'v1beta1', 'plain', 'Ingress'],
    ['flowcontrol.apiserver.k8s.io', 'v1beta1', 'plain', 'FlowSchema PriorityLevelConfiguration'],
    ['kustomize.config.k8s.io', 'v1beta1', 'Kustomization', 'Kustomization'],
    ['networking.k8s.io', 'v1 v1beta1', 'plain', 'Ingress IngressClass'],
    ['networking.k8s.io', 'v1', 'plain', 'NetworkPolicy'],
    ['node.k8s.io', 'v1 v1beta1', 'plain', 'RuntimeClass'],
    ['policy', 'v1 v1beta1', 'withStatus', 'PodDisruptionBudget'],
    ['policy', 'v1beta1', 'plain', 'Eviction PodSecurityPolicy'],
    ['rbac.authorization.k8s.io', 'v1 v1beta1', 'plain', 'ClusterRole ClusterRoleBinding'],
    ['rbac.authorization.k8s.io', 'v1 v1beta1', 'plain', 'Role RoleBinding'],
    ['scheduling.k8s.io', 'v1 v1beta1', 'plain', 'PriorityClass'],
    ['storage.k8s.io', 'v1 v1beta1', 'plain', 'CSIDriver StorageClass VolumeAttachment'],
    ['storage.k8s.io', 'v1 v1beta1', 'CSINode', 'CSINode'],
    ['storage.k8s.io', 'v1beta1', 'plain', 'CSIStorageCapacity'],
  ]

/** Type names by `apiVersion kind`. */
export const typeOfKind: ReadonlyMap<string, string> = new Map(
  kinds.flatMap(([group, versions, type, names]) =>
    versions
      .split(' ')
      .flatMap((version) =>
        names
          .split(' ')
          .map((kind) => [`${group === '' ? '' : `${group}/`}${version} ${kind}`, type] as const),
      ),
  ),
)

const unscoped = new Set(
  [
    'CustomResourceDefinition APIService CertificateSigningRequest FlowSchema IngressClass Node',
    'PriorityLevelConfiguration RuntimeClass PodSecurityPolicy ClusterRole ClusterRoleBinding',
    'PriorityClass CSIDriver CSINode StorageClass VolumeAttachment ComponentStatus Namespace',
    'PersistentVolume MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ]
    .join(' ')
    .split(' '),
)

/** By version and kind apart: a build asks for this many times for each object. */
const scopes = new Map<string, Map<string, 'cluster' | 'namespace'>>()
for (const known of typeOfKind.keys()) {
  const [apiVersion = '', kind = ''] = known.split(' ')
  const ofVersion = scopes.get(apiVersion) ?? new Map<string, 'cluster' | 'namespace'>()
  scopes.set(apiVersion, ofVersion.set(kind, unscoped.has(kind) ? 'cluster' : 'namespace'))
}

/** Kinds without a namespace, among those that are known; undefined for all others. */
export function knownScope(apiVersion: string, kind: string): 'cluster' | 'namespace' | undefined {
  return scopes.get(apiVersion)?.get(kind)
}

/** What definitions of the API that are no kinds are called in the table above. */
const definitions = new Map([
  ['PodTemplateSpec', 'podTemplate'],
  ['PodSpec', 'pod'],
  ['PodStatus', 'podStatus'],
  ['Container', 'container'],
  ['EphemeralContainer', 'ephemeralContainer'],
  ['Volume', 'volume'],
  ['EphemeralVolumeSource', 'ephemeralVolume'],
  ['PersistentVolumeClaimTemplate', 'plain'],
  ['ObjectMeta', 'meta'],
  ['ServiceSpec', 'servicePorts'],
  ['NodeSpec', 'nodeSpec'],
  ['NodeStatus', 'nodeStatus'],
  ['CSINodeSpec', 'csiDrivers'],
  ['CronJobSpec', 'cronJob'],
  ['JobTemplateSpec', 'jobTemplate'],
  ...[
    'DaemonSet',
    'Deployment',
    'ReplicaSet',
    'StatefulSet',
    'Job',
    'ReplicationController',
  ].flatMap((kind) => [
    [`${kind}Spec`, 'podOwner'] as const,
    [`${kind}Status`, 'conditions'] as const,
  ]),
])

/** The type behind a definition of the built-in API, by its full name; undefined for names of others. */
export function typeOfDefinition(name: string): string | undefined {
  if (!name.startsWith('io.k8s.')) return undefined
  const last = defined(name.split('.').at(-1))
  const kind = kinds.find(([, , , names]) => names.split(' ').includes(last))
  return definitions.get(last) ?? kind?.[2] ?? 'opaque'
}
