/** The fields that transformers work on when nothing else is said: facts on where Kubernetes objects keep what. */
import type { FieldSpec } from './field-specs.ts'
import { nameReferences } from '../names/name-reference-table.ts'
import { type TransformerConfig, emptyConfig, settledConfig } from './transformer-config.ts'

const template = 'spec/template/spec'
const terms = [
  'preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
  'requiredDuringSchedulingIgnoredDuringExecution',
]
const spread = [
  ...['podAffinity', 'podAntiAffinity'].flatMap((affinity) =>
    terms.map((term) => `affinity/${affinity}/${term}/labelSelector/matchLabels`),
  ),
  'topologySpreadConstraints/labelSelector/matchLabels',
].map((path) => `${template}/${path}`)

/** The labels of objects and of the pods they make. */
const metadataLabels = [
  created('metadata/labels'),
  created('spec/template/metadata/labels', 'ReplicationController', '', 'v1'),
  created('spec/template/metadata/labels', 'Deployment'),
  created('spec/template/metadata/labels', 'ReplicaSet'),
  created('spec/template/metadata/labels', 'DaemonSet'),
  created('spec/template/metadata/labels', 'StatefulSet', 'apps'),
  created('spec/volumeClaimTemplates[]/metadata/labels', 'StatefulSet', 'apps'),
  created('spec/template/metadata/labels', 'Job', 'batch'),
  created('spec/jobTemplate/metadata/labels', 'CronJob', 'batch'),
  created('spec/jobTemplate/spec/template/metadata/labels', 'CronJob', 'batch'),
]

const selectors = [
  created('spec/selector', 'Service', '', 'v1'),
  created('spec/selector', 'ReplicationController', '', 'v1'),
  created('spec/selector/matchLabels', 'Deployment'),
  created('spec/selector/matchLabels', 'ReplicaSet'),
  created('spec/selector/matchLabels', 'DaemonSet'),
  created('spec/selector/matchLabels', 'StatefulSet', 'apps'),
  ...['Deployment', 'StatefulSet'].flatMap((kind) =>
    spread.map((path) => spec(path, kind, 'apps')),
  ),
  spec('spec/selector/matchLabels', 'Job', 'batch'),
  spec('spec/jobTemplate/spec/selector/matchLabels', 'CronJob', 'batch'),
  spec('spec/selector/matchLabels', 'PodDisruptionBudget', 'policy'),
  spec('spec/podSelector/matchLabels', 'NetworkPolicy', 'networking.k8s.io'),
  spec('spec/ingress/from/podSelector/matchLabels', 'NetworkPolicy', 'networking.k8s.io'),
  spec('spec/egress/to/podSelector/matchLabels', 'NetworkPolicy', 'networking.k8s.io'),
]

const annotations = [
  created('metadata/annotations'),
  created('spec/template/metadata/annotations', 'ReplicationController', '', 'v1'),
  created('spec/template/metadata/annotations', 'Deployment'),
  created('spec/template/metadata/annotations', 'ReplicaSet'),
  created('spec/template/metadata/annotations', 'DaemonSet'),
  created('spec/template/metadata/annotations', 'StatefulSet'),
  created('spec/template/metadata/annotations', 'Job', 'batch'),
  created('spec/jobTemplate/metadata/annotations', 'CronJob', 'batch'),
  created('spec/jobTemplate/spec/template/metadata/annotations', 'CronJob', 'batch'),
]

const podVars = ['containers', 'initContainers'].flatMap((list) =>
  ['args', 'command', 'env/value', 'volumeMounts/mountPath'].map((path) => `${list}/${path}`),
)
const vars = [
  ...podVars.map((path) => spec(`spec/jobTemplate/${template}/${path}`, 'CronJob')),
  spec('spec/jobTemplate/spec/template/volumes/nfs/server', 'CronJob'),
  ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet'].flatMap((kind) =>
    [...podVars, 'volumes/nfs/server'].map((path) => spec(`${template}/${path}`, kind)),
  ),
  spec('spec/template/metadata/annotations', 'Deployment'),
  ...['spec/rules/host', 'spec/tls/hosts', 'spec/tls/secretName'].map((path) =>
    spec(path, 'Ingress'),
  ),
  ...[...podVars, 'volumes/nfs/server'].map((path) => spec(`spec/${path}`, 'Pod')),
  spec('spec/ports/port', 'Service'),
  spec('spec/ports/targetPort', 'Service'),
  ...podVars.map((path) => spec(`${template}/${path}`, 'StatefulSet')),
  spec('spec/volumeClaimTemplates/spec/nfs/server', 'StatefulSet'),
  spec('spec/nfs/server', 'PersistentVolume'),
  spec('metadata/labels'),
  spec('metadata/annotations'),
]

const images = ['spec', template].flatMap((pod) =>
  ['containers[]/image', 'initContainers[]/image', 'volumes[]/image/reference'].map((path) =>
    created(`${pod}/${path}`),
  ),
)

export const defaultConfig: TransformerConfig = settledConfig({
  ...emptyConfig,
  namePrefix: [spec('metadata/name')],
  nameSuffix: [spec('metadata/name')],
  namespace: [
    created('metadata/name', 'Namespace'),
    created('spec/service/namespace', 'APIService', 'apiregistration.k8s.io'),
    spec(
      'spec/conversion/webhook/clientConfig/service/namespace',
      'CustomResourceDefinition',
      'apiextensions.k8s.io',
    ),
  ],
  commonLabels: [...selectors, ...metadataLabels],
  templateLabels: metadataLabels,
  commonAnnotations: annotations,
  varReference: vars,
  images,
  replicas: ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) =>
    created('spec/replicas', kind),
  ),
  nameReference: nameReferences,
})

function spec(path: string, kind = '', group = '', version = ''): FieldSpec {
  return { path, kind, group, version, create: false }
}

function created(path: string, kind = '', group = '', version = ''): FieldSpec {
  return { ...spec(path, kind, group, version), create: true }
}
