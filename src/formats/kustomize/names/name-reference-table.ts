/** Which fields of Kubernetes objects name other objects: facts, by the kind that is named. */
import type { FieldSpec } from '../transform/field-specs.ts'
import type { NameReference } from '../transform/transformer-config.ts'

/** Where each kind keeps its pod. */
const pods: readonly (readonly [kind: string, path: string])[] = [
  ['Pod', 'spec'],
  ['PodTemplate', 'template/spec'],
  ['Deployment', 'spec/template/spec'],
  ['ReplicaSet', 'spec/template/spec'],
  ['DaemonSet', 'spec/template/spec'],
  ['StatefulSet', 'spec/template/spec'],
  ['Job', 'spec/template/spec'],
  ['CronJob', 'spec/jobTemplate/spec/template/spec'],
]
/** Other references know another list of kinds. */
const owners: readonly (readonly [kind: string, path: string])[] = [
  ['Pod', 'spec'],
  ['StatefulSet', 'spec/template/spec'],
  ['Deployment', 'spec/template/spec'],
  ['ReplicationController', 'spec/template/spec'],
  ['CronJob', 'spec/jobTemplate/spec/template/spec'],
  ['Job', 'spec/template/spec'],
  ['DaemonSet', 'spec/template/spec'],
]
const rbac = 'rbac.authorization.k8s.io'
const admission = 'admissionregistration.k8s.io'
const nginx = 'metadata/annotations/nginx.ingress.kubernetes.io\\/'

const configMaps = [
  'volumes/configMap/name',
  'containers/env/valueFrom/configMapKeyRef/name',
  'initContainers/env/valueFrom/configMapKeyRef/name',
  'containers/envFrom/configMapRef/name',
  'initContainers/envFrom/configMapRef/name',
  'volumes/projected/sources/configMap/name',
]
const secrets = [
  'volumes/secret/secretName',
  'containers/env/valueFrom/secretKeyRef/name',
  'initContainers/env/valueFrom/secretKeyRef/name',
  'containers/envFrom/secretRef/name',
  'initContainers/envFrom/secretRef/name',
  'imagePullSecrets/name',
  'volumes/projected/sources/secret/name',
]

const scaled = [spec('spec/scaleTargetRef/name', 'HorizontalPodAutoscaler')]

export const nameReferences: readonly NameReference[] = [
  ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) =>
    named(kind, '', '', scaled),
  ),
  named('ConfigMap', '', 'v1', [
    ...inPods(configMaps),
    spec('spec/configSource/configMap', 'Node'),
    spec('rules/resourceNames', 'Role'),
    spec('rules/resourceNames', 'ClusterRole'),
    spec(`${nginx}fastcgi-params-configmap`, 'Ingress'),
  ]),
  named('Secret', '', 'v1', [
    ...inPods(secrets),
    spec('spec/tls/secretName', 'Ingress'),
    spec('metadata/annotations/ingress.kubernetes.io\\/auth-secret', 'Ingress'),
    spec(`${nginx}auth-secret`, 'Ingress'),
    spec(`${nginx}auth-tls-secret`, 'Ingress'),
    spec('imagePullSecrets/name', 'ServiceAccount'),
    ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((name) =>
      spec(`parameters/${name}`, 'StorageClass'),
    ),
    spec('rules/resourceNames', 'Role'),
    spec('rules/resourceNames', 'ClusterRole'),
    {
      ...spec('spec/template/spec/containers/env/valueFrom/secretKeyRef/name', 'Service'),
      group: 'serving.knative.dev',
      version: 'v1',
    },
    spec('spec/azureFile/secretName', 'PersistentVolume'),
  ]),
  named('Service', '', 'v1', [
    spec('spec/serviceName', 'StatefulSet', 'apps'),
    spec('spec/rules/http/paths/backend/serviceName', 'Ingress'),
    spec('spec/backend/serviceName', 'Ingress'),
    spec('spec/rules/http/paths/backend/service/name', 'Ingress'),
    spec('spec/defaultBackend/service/name', 'Ingress'),
    spec('spec/service/name', 'APIService', 'apiregistration.k8s.io'),
    spec('webhooks/clientConfig/service', 'ValidatingWebhookConfiguration', admission),
    spec('webhooks/clientConfig/service', 'MutatingWebhookConfiguration', admission),
  ]),
  named('Role', rbac, '', [spec('roleRef/name', 'RoleBinding', rbac)]),
  named('ClusterRole', rbac, '', [
    spec('roleRef/name', 'RoleBinding', rbac),
    spec('roleRef/name', 'ClusterRoleBinding', rbac),
  ]),
  named('ServiceAccount', '', 'v1', [
    spec('subjects', 'RoleBinding', rbac),
    spec('subjects', 'ClusterRoleBinding', rbac),
    ...owners.map(([kind, pod]) => spec(`${pod}/serviceAccountName`, kind)),
  ]),
  named(
    'PersistentVolumeClaim',
    '',
    'v1',
    owners.map(([kind, pod]) => spec(`${pod}/volumes/persistentVolumeClaim/claimName`, kind)),
  ),
  named('PersistentVolume', '', 'v1', [
    spec('spec/volumeName', 'PersistentVolumeClaim'),
    spec('rules/resourceNames', 'ClusterRole'),
  ]),
  named('StorageClass', 'storage.k8s.io', 'v1', [
    spec('spec/storageClassName', 'PersistentVolume'),
    spec('spec/storageClassName', 'PersistentVolumeClaim'),
    spec('spec/volumeClaimTemplates/spec/storageClassName', 'StatefulSet'),
  ]),
  named(
    'PriorityClass',
    'scheduling.k8s.io',
    'v1',
    owners.map(([kind, pod]) => spec(`${pod}/priorityClassName`, kind)),
  ),
  named('IngressClass', 'networking.k8s.io/v1', 'v1', [spec('spec/ingressClassName', 'Ingress')]),
  named('ValidatingAdmissionPolicy', admission, '', [
    spec('spec/policyName', 'ValidatingAdmissionPolicyBinding', admission),
  ]),
]

function named(
  kind: string,
  group: string,
  version: string,
  fieldSpecs: readonly FieldSpec[],
): NameReference {
  return { kind, group, version, fieldSpecs }
}

/** A Pod counts only in its one version. */
function inPods(paths: readonly string[]): FieldSpec[] {
  return pods.flatMap(([kind, pod]) =>
    paths.map((path) => ({ ...spec(`${pod}/${path}`, kind), version: kind === 'Pod' ? 'v1' : '' })),
  )
}

function spec(path: string, kind: string, group = ''): FieldSpec {
  return { path, kind, group, version: '', create: false }
}
