/** The spec of a Flux Kustomization with every field in its place: durations in milliseconds, our defaults filled in. */
import { examine, pathText } from '#formats/schema/examine.ts'
import type { Json } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { folderOf, millisecondsOf, schema, type WrittenSpec } from './spec-schema.ts'

type Texts = { readonly [name: string]: string }

/** Which objects are meant; an empty part says nothing. All that say something must fit. */
type ObjectSelector = {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly labelSelector: string
  readonly annotationSelector: string
}

/** An empty text or list stands for a field that is not there. */
export type KustomizationSpec = {
  /** Of the folder to build, from the root of the files; empty for the root. */
  readonly path: string
  readonly prune: boolean
  readonly targetNamespace: string
  readonly namePrefix: string
  readonly nameSuffix: string
  readonly commonMetadata: { readonly labels: Texts; readonly annotations: Texts }
  readonly patches: readonly {
    readonly patch: string
    readonly target: ObjectSelector | undefined
  }[]
  readonly images: readonly {
    readonly name: string
    readonly newName: string
    readonly newTag: string
    readonly digest: string
  }[]
  readonly components: readonly string[]
  readonly ignoreMissingComponents: boolean
  readonly buildMetadata: readonly ('originAnnotations' | 'transformerAnnotations')[]
  readonly postBuild: {
    readonly substitute: Texts
    readonly substituteFrom: readonly {
      readonly kind: 'ConfigMap' | 'Secret'
      readonly name: string
      readonly optional: boolean
    }[]
    readonly substituteStrategy: 'WithVariables' | 'Always'
  }
  readonly decryption:
    | {
        readonly provider: 'sops'
        /** The name of a Secret. */
        readonly secretRef: string
        readonly serviceAccountName: string
      }
    | undefined
  readonly wait: boolean
  /** Nobody said so: claims may wait for their first pod. */
  readonly isWaitUnset: boolean
  readonly healthChecks: readonly {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    readonly namespace: string
  }[]
  readonly healthCheckExprs: readonly {
    readonly apiVersion: string
    /** Empty: all kinds of the group. */
    readonly kind: string
    readonly current: string
    readonly inProgress: string
    readonly failed: string
  }[]
  readonly timeout: number
  readonly force: boolean
  readonly ignore: readonly {
    readonly paths: readonly string[]
    readonly target: ObjectSelector | undefined
  }[]
  readonly interval: number
  readonly retryInterval: number
  readonly suspend: boolean
  readonly deletionPolicy: 'MirrorPrune' | 'Delete' | 'WaitForTermination' | 'Orphan'
  readonly serviceAccountName: string
  readonly kubeConfig:
    | { readonly kind: 'Secret'; readonly name: string; readonly key: string }
    | { readonly kind: 'ConfigMap'; readonly name: string }
    | undefined
  readonly dependsOn: readonly {
    readonly name: string
    readonly namespace: string
    readonly readyExpr: string
  }[]
  readonly sourceRef: {
    readonly kind: string
    readonly name: string
    readonly namespace: string
  }
}

type ReadSpec = {
  /** What can be read in spite of the problems, the rest at its defaults. */
  readonly spec: KustomizationSpec
  /** None: all is well. */
  readonly problems: readonly ProblemFacts[]
}

const blanks = { prune: false, interval: '1m', sourceRef: { kind: 'GitRepository', name: '-' } }
const usualTimeout = 300_000

/** Specs are never changed in place, and asked for again and again: each is read once. */
const known = new WeakMap<object, ReadSpec>()

export function readSpec(raw: Json): ReadSpec {
  if (typeof raw !== 'object' || raw === null) return read(raw)
  const before = known.get(raw)
  if (before !== undefined) return before
  const result = read(raw)
  known.set(raw, result)
  return result
}

function read(raw: Json): ReadSpec {
  const { data, faults } = examine(schema, raw, blanks)
  const problems = faults.map(({ code, message, suggestion, path }): ProblemFacts => {
    const text = `${pathText(['spec', ...path])}: ${message}`
    return { type: 'configuration', code, message: text, suggestion }
  })
  const written: WrittenSpec = data ?? {
    prune: false,
    interval: '1m',
    sourceRef: { kind: 'GitRepository', name: '-' },
  }
  return { spec: specOf(written), problems }
}

function specOf(written: WrittenSpec): KustomizationSpec {
  const interval = millisecondsOf(written.interval) ?? 60_000
  return {
    ...buildOf(written),
    ...healthOf(written),
    prune: written.prune,
    force: written.force ?? false,
    ignore: (written.ignore ?? []).map(({ paths, target }) => {
      return { paths, target: selectorOf(target) }
    }),
    interval,
    retryInterval: millisecondsOf(written.retryInterval ?? '') ?? interval,
    suspend: written.suspend ?? false,
    deletionPolicy: written.deletionPolicy ?? 'MirrorPrune',
    serviceAccountName: written.serviceAccountName ?? '',
    kubeConfig: kubeConfigOf(written.kubeConfig),
    dependsOn: (written.dependsOn ?? []).map(({ name, namespace = '', readyExpr = '' }) => {
      return { name, namespace, readyExpr }
    }),
    sourceRef: {
      kind: written.sourceRef.kind,
      name: written.sourceRef.name,
      namespace: written.sourceRef.namespace ?? '',
    },
  }
}

type OfBuild =
  | 'path'
  | 'targetNamespace'
  | 'namePrefix'
  | 'nameSuffix'
  | 'commonMetadata'
  | 'patches'
  | 'images'
  | 'components'
  | 'ignoreMissingComponents'
  | 'buildMetadata'
  | 'postBuild'
  | 'decryption'

function buildOf(written: WrittenSpec): Pick<KustomizationSpec, OfBuild> {
  const { decryption, postBuild = {}, commonMetadata = {} } = written
  return {
    path: folderOf(written.path ?? '') ?? '',
    targetNamespace: written.targetNamespace ?? '',
    namePrefix: written.namePrefix ?? '',
    nameSuffix: written.nameSuffix ?? '',
    commonMetadata: {
      labels: commonMetadata.labels ?? {},
      annotations: commonMetadata.annotations ?? {},
    },
    patches: (written.patches ?? []).map(({ patch, target }) => {
      return { patch, target: selectorOf(target) }
    }),
    images: (written.images ?? []).map(({ name, newName = '', newTag = '', digest = '' }) => {
      return { name, newName, newTag, digest }
    }),
    components: written.components ?? [],
    ignoreMissingComponents: written.ignoreMissingComponents ?? false,
    buildMetadata: written.buildMetadata ?? [],
    postBuild: {
      substitute: postBuild.substitute ?? {},
      substituteFrom: (postBuild.substituteFrom ?? []).map(({ kind, name, optional = false }) => {
        return { kind, name, optional }
      }),
      substituteStrategy: postBuild.substituteStrategy ?? 'WithVariables',
    },
    decryption: decryption && {
      provider: decryption.provider,
      secretRef: decryption.secretRef?.name ?? '',
      serviceAccountName: decryption.serviceAccountName ?? '',
    },
  }
}

function healthOf(
  written: WrittenSpec,
): Pick<
  KustomizationSpec,
  'wait' | 'isWaitUnset' | 'timeout' | 'healthChecks' | 'healthCheckExprs'
> {
  const { healthChecks = [], healthCheckExprs = [] } = written
  return {
    wait: written.wait ?? true,
    isWaitUnset: written.wait === undefined,
    timeout: millisecondsOf(written.timeout ?? '') ?? usualTimeout,
    healthChecks: healthChecks.map(({ apiVersion = '', kind, name, namespace = '' }) => {
      return { apiVersion, kind, name, namespace }
    }),
    healthCheckExprs: healthCheckExprs.map((each) => {
      const { apiVersion, kind = '', current, inProgress = '', failed = '' } = each
      return { apiVersion, kind, current, inProgress, failed }
    }),
  }
}

function selectorOf(
  selector: NonNullable<WrittenSpec['patches']>[number]['target'],
): ObjectSelector | undefined {
  if (selector === undefined) return undefined
  const { group = '', version = '', kind = '', namespace = '', name = '' } = selector
  const { labelSelector = '', annotationSelector = '' } = selector
  return { group, version, kind, namespace, name, labelSelector, annotationSelector }
}

function kubeConfigOf(written: WrittenSpec['kubeConfig']): KustomizationSpec['kubeConfig'] {
  const { secretRef, configMapRef } = written ?? {}
  if (secretRef !== undefined) {
    return { kind: 'Secret', name: secretRef.name, key: secretRef.key ?? '' }
  }
  return configMapRef && { kind: 'ConfigMap', name: configMapRef.name }
}
