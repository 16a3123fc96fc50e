/** The definitions of Flux's two kinds, with the fields that Tend reads and writes. */
import type { JsonRecord } from '#model/json.ts'
import {
  described,
  gitRepositoryStatusTexts,
  gitRepositoryTexts,
  kustomizationStatusTexts,
  kustomizationTexts,
} from './field-descriptions.ts'
import {
  age,
  conditions,
  definition,
  duration,
  flag,
  listOf,
  listOfTexts,
  named,
  object,
  oneOf,
  readyColumns,
  selector,
  shortText,
  text,
  texts,
  time,
  whole,
} from './schema-parts.ts'

const substituteFrom = object(
  { kind: oneOf('ConfigMap', 'Secret'), name: shortText(253), optional: flag },
  'kind',
  'name',
)
const image = object({ name: text, newName: text, newTag: text, digest: text }, 'name')
const healthCheck = object(
  { apiVersion: text, kind: text, name: text, namespace: text },
  'kind',
  'name',
)
const healthExpression = object(
  { apiVersion: text, kind: text, current: text, inProgress: text, failed: text },
  'apiVersion',
  'current',
)
const dependency = object({ name: text, namespace: text, readyExpr: text }, 'name')

const kustomizationSpec = object(
  {
    interval: duration,
    retryInterval: duration,
    timeout: duration,
    suspend: flag,
    path: text,
    prune: flag,
    wait: flag,
    force: flag,
    sourceRef: object(
      {
        apiVersion: text,
        kind: oneOf('OCIRepository', 'GitRepository', 'Bucket', 'ExternalArtifact'),
        name: text,
        namespace: text,
      },
      'kind',
      'name',
    ),
    dependsOn: listOf(dependency),
    targetNamespace: shortText(63),
    namePrefix: shortText(200),
    nameSuffix: shortText(200),
    commonMetadata: object({ labels: texts, annotations: texts }),
    patches: listOf(object({ patch: text, target: selector }, 'patch')),
    images: listOf(image),
    components: listOfTexts,
    ignoreMissingComponents: flag,
    buildMetadata: listOf(oneOf('originAnnotations', 'transformerAnnotations')),
    postBuild: object({
      substitute: texts,
      substituteFrom: listOf(substituteFrom),
      substituteStrategy: oneOf('WithVariables', 'Always'),
    }),
    decryption: object(
      { provider: oneOf('sops'), secretRef: named, serviceAccountName: text },
      'provider',
    ),
    healthChecks: listOf(healthCheck),
    healthCheckExprs: listOf(healthExpression),
    ignore: listOf(object({ paths: listOfTexts, target: selector }, 'paths')),
    deletionPolicy: oneOf('MirrorPrune', 'Delete', 'WaitForTermination', 'Orphan'),
    serviceAccountName: text,
    kubeConfig: object({
      secretRef: object({ name: text, key: text }, 'name'),
      configMapRef: named,
    }),
  },
  'interval',
  'prune',
  'sourceRef',
)

const historyEntry = object(
  {
    digest: text,
    firstReconciled: time,
    lastReconciled: time,
    lastReconciledDuration: text,
    lastReconciledStatus: text,
    totalReconciliations: whole,
    metadata: texts,
  },
  'digest',
  'firstReconciled',
  'lastReconciled',
  'lastReconciledDuration',
  'lastReconciledStatus',
  'totalReconciliations',
)

const kustomizationStatus = object({
  conditions,
  observedGeneration: whole,
  lastAppliedRevision: text,
  lastAppliedOriginRevision: text,
  lastAttemptedRevision: text,
  lastHandledReconcileAt: text,
  inventory: object({ entries: listOf(object({ id: text, v: text }, 'id', 'v')) }, 'entries'),
  history: listOf(historyEntry),
  remoteBases: listOf(object({ url: text, commit: text }, 'url', 'commit')),
})

const artifact = object(
  {
    revision: text,
    digest: text,
    path: text,
    url: text,
    lastUpdateTime: time,
    size: whole,
    metadata: texts,
  },
  'revision',
  'path',
  'url',
  'lastUpdateTime',
)

const gitRepositorySpec = object(
  {
    url: { type: 'string', pattern: '^(http|https|ssh)://.*$' },
    interval: duration,
    timeout: duration,
    suspend: flag,
    ref: object({ branch: text, tag: text, semver: text, name: text, commit: text }),
    secretRef: named,
    provider: oneOf('generic', 'azure', 'github'),
    serviceAccountName: text,
    ignore: text,
    recurseSubmodules: flag,
    include: listOf(object({ repository: named, fromPath: text, toPath: text }, 'repository')),
    verify: object(
      { mode: oneOf('head', 'HEAD', 'Tag', 'TagAndHEAD'), secretRef: named },
      'secretRef',
    ),
    sparseCheckout: listOfTexts,
    proxySecretRef: named,
  },
  'url',
)

const gitRepositoryStatus = object({
  conditions,
  observedGeneration: whole,
  artifact,
  includedArtifacts: listOf(artifact),
  lastHandledReconcileAt: text,
  observedIgnore: text,
  observedRecurseSubmodules: flag,
  observedSparseCheckout: listOfTexts,
  sourceVerificationMode: text,
})

export const fluxDefinitions: readonly JsonRecord[] = [
  definition(
    'source.toolkit.fluxcd.io',
    {
      kind: 'GitRepository',
      listKind: 'GitRepositoryList',
      plural: 'gitrepositories',
      singular: 'gitrepository',
      shortNames: ['gitrepo'],
    },
    [{ name: 'URL', type: 'string', jsonPath: '.spec.url' }, age, ...readyColumns],
    'Where manifests are, and which revision of them.',
    described(gitRepositorySpec, 'What is wanted.', gitRepositoryTexts),
    described(gitRepositoryStatus, 'What is so.', gitRepositoryStatusTexts),
  ),
  definition(
    'kustomize.toolkit.fluxcd.io',
    {
      kind: 'Kustomization',
      listKind: 'KustomizationList',
      plural: 'kustomizations',
      singular: 'kustomization',
      shortNames: ['ks'],
    },
    [age, ...readyColumns],
    'Which folder of a source a cluster follows, and how.',
    described(kustomizationSpec, 'What is wanted.', kustomizationTexts),
    described(kustomizationStatus, 'What is so.', kustomizationStatusTexts),
  ),
]
