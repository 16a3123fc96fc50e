/** Flux's objects as the API has them: where they are, and what their metadata says to whoever reconciles them. */
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { metadataOf, type Metadata } from '#formats/manifest/metadata.ts'
import type { Application } from '#model/application.ts'
import type { JsonRecord } from '#model/json.ts'

/** The namespace of Flux and of Tend. */
export const home = 'flux-system'

const verbs = ['get', 'list', 'watch', 'patch', 'update', 'create', 'delete']

function kindOf(group: string, kind: string, plural: string): ApiKind {
  const apiVersion = `${group}/v1`
  const rest = { version: 'v1', isNamespaced: true, verbs, subresources: ['status'] }
  return { apiVersion, group, kind, plural, ...rest }
}

export const kustomizations = kindOf(
  'kustomize.toolkit.fluxcd.io',
  'Kustomization',
  'kustomizations',
)
export const repositories = kindOf('source.toolkit.fluxcd.io', 'GitRepository', 'gitrepositories')
/** What source-controller makes artifacts of beside repositories, in the versions that clusters serve, the newest first. */
export const artifactKinds: readonly (readonly ApiKind[])[] = [
  inVersions('OCIRepository', 'ocirepositories', ['v1', 'v1beta2']),
  inVersions('Bucket', 'buckets', ['v1', 'v1beta2']),
  inVersions('ExternalArtifact', 'externalartifacts', ['v1']),
]

function inVersions(kind: string, plural: string, versions: readonly string[]): readonly ApiKind[] {
  const { group, ...rest } = kindOf(repositories.group, kind, plural)
  return versions.map((version) => ({
    ...rest,
    group,
    version,
    apiVersion: `${group}/${version}`,
  }))
}

export const configMaps = core('ConfigMap', 'configmaps')
export const secrets = core('Secret', 'secrets')
export const namespaces: ApiKind = { ...core('Namespace', 'namespaces'), isNamespaced: false }
export const events = core('Event', 'events')
export const pods = core('Pod', 'pods')
export const deployments: ApiKind = { ...kindOf('apps', 'Deployment', 'deployments') }
export const leases: ApiKind = {
  ...kindOf('coordination.k8s.io', 'Lease', 'leases'),
  subresources: [],
}

function core(kind: string, plural: string): ApiKind {
  const rest = { group: '', version: 'v1', isNamespaced: true, verbs, subresources: [] }
  return { apiVersion: 'v1', kind, plural, ...rest }
}

/** Flux's own: a cluster that it managed is taken over as it is. */
export const finalizer = 'finalizers.fluxcd.io'
/** Whoever sets it to something new asks for a reconciliation. */
export const requested = 'reconcile.fluxcd.io/requestedAt'

export type FluxObject = Metadata & {
  /** `flux-system/apps` */
  readonly key: string
  readonly object: JsonRecord
  readonly spec: JsonRecord
  readonly status: JsonRecord
  readonly finalizers: readonly string[]
  /** When somebody last asked for a reconciliation, in his words. */
  readonly requestedAt: string
  readonly isSuspended: boolean
}

export function fluxObjectOf(object: JsonRecord): FluxObject {
  const metadata = metadataOf(object)
  const spec = recordOf(object['spec'])
  return {
    ...metadata,
    key: `${metadata.namespace}/${metadata.name}`,
    object,
    spec,
    status: recordOf(object['status']),
    finalizers: textsOf(recordOf(object['metadata'])['finalizers']),
    requestedAt: metadata.annotations[requested] ?? '',
    isSuspended: spec['suspend'] === true,
  }
}

export function applicationFor({ namespace, name }: FluxObject): Application {
  return { kind: 'kustomization', namespace, name }
}

export function handledAt({ status }: FluxObject): string {
  return textOf(status['lastHandledReconcileAt'])
}

export function readyOf({ status }: FluxObject): JsonRecord {
  return recordsOf(status['conditions']).find(({ type }) => type === 'Ready') ?? {}
}
