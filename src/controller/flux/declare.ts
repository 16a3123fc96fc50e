/** Flux's objects as declarations of the service. Pure. */
import { readSpec, type KustomizationSpec } from '#domains/kustomizations/spec.ts'
import type { Declared, Leaving, SourceKept } from '#model/declaration.ts'
import { keyOf } from '#model/application.ts'
import { denyAll } from '#model/policy.ts'
import { sentenceOf } from '../decide/backoff.ts'
import { annotatedPolicy } from './annotations.ts'
import { applicationFor, finalizer, type FluxObject } from './kinds.ts'
import type { RepositoryRead, Trouble } from './repository.ts'

/** What persisted states and the guard know these applications by. */
export const fluxFrom = "Flux's objects"

export type FluxDeclared = {
  readonly apps: readonly Declared[]
  readonly sources: readonly SourceKept[]
  readonly leaving: readonly Leaving[]
  /** Kustomizations that can't be declared, by the key of the application, and why. */
  readonly troubles: ReadonlyMap<string, Trouble>
}

type DeclareInput = {
  readonly kustomizations: readonly FluxObject[]
  /** By `sourceKeyOf`. */
  readonly repositories: ReadonlyMap<string, RepositoryRead>
  readonly target: string | undefined
  /** What is wrong with the expressions of one. */
  readonly faultOf: (one: FluxObject) => string | undefined
}

export function declare(asked: DeclareInput): FluxDeclared {
  const { kustomizations, repositories, target, faultOf } = asked
  const apps: Declared[] = []
  const leaving: Leaving[] = []
  const troubles = new Map<string, Trouble>()
  for (const one of kustomizations) {
    const application = applicationFor(one)
    const { spec, problems } = readSpec(one.spec)
    if (one.isDeleting) {
      if (isHeld(one)) leaving.push({ application, target, removes: removesOn(spec) })
      continue
    }
    const wrong = [...problems.map(sentenceOf), ...annotatedPolicy(one.annotations).faults]
    const trouble =
      wrong.length === 0
        ? troubleWith(one, spec, repositories)
        : { reason: 'InvalidSpec', message: wrong.join('; '), isStalled: true }
    const fault = trouble === undefined ? faultOf(one) : undefined
    if (fault !== undefined) {
      const reason = 'InvalidCELExpression'
      troubles.set(keyOf(application), { reason, message: fault, isStalled: true })
      continue
    }
    if (trouble !== undefined) troubles.set(keyOf(application), trouble)
    const read = repositories.get(sourceKeyOf(one, spec))
    if (trouble === undefined && isHeld(one) && read !== undefined && 'source' in read) {
      apps.push(declaredOf(one, spec, read.source, target))
    }
  }
  const sources = [...repositories.values()].flatMap((read) =>
    'source' in read ? [{ source: read.source, interval: read.interval }] : [],
  )
  return { apps, sources, leaving, troubles }
}

/** Nothing is made for an object that could go unnoticed. */
export function isHeld({ finalizers }: FluxObject): boolean {
  return finalizers.includes(finalizer)
}

/** `NAMESPACE/NAME` of a GitRepository; any other kind stands before it. */
export function sourceKeyOf({ namespace }: FluxObject, { sourceRef }: KustomizationSpec): string {
  const key = `${sourceRef.namespace === '' ? namespace : sourceRef.namespace}/${sourceRef.name}`
  return sourceRef.kind === 'GitRepository' ? key : `${sourceRef.kind} ${key}`
}

/** A suspended one never deletes; that it is suspended is asked by who calls. */
export function removesOn({ deletionPolicy, prune, suspend }: KustomizationSpec): boolean {
  if (suspend || deletionPolicy === 'Orphan') return false
  return deletionPolicy === 'MirrorPrune' ? prune : true
}

function troubleWith(
  one: FluxObject,
  spec: KustomizationSpec,
  repositories: DeclareInput['repositories'],
): Trouble | undefined {
  const { kind, name } = spec.sourceRef
  const read = repositories.get(sourceKeyOf(one, spec))
  if (read === undefined) {
    const message = `${kind}.source.toolkit.fluxcd.io "${name}" not found`
    return { reason: 'ArtifactFailed', message, isStalled: false }
  }
  if ('source' in read) return undefined
  const message = `Source artifact not found: ${read.trouble.message}`
  return { reason: 'ArtifactFailed', message, isStalled: false }
}

function declaredOf(
  one: FluxObject,
  spec: KustomizationSpec,
  source: Declared['source'],
  target: string | undefined,
): Declared {
  const { annotations, labels, namespace } = one
  const { drift, rollback, removesFor } = annotatedPolicy(annotations)
  return {
    application: applicationFor(one),
    source,
    path: spec.path,
    files: [],
    profiles: [],
    values: one.spec,
    target,
    at: undefined,
    from: fluxFrom,
    policy: {
      // the GitRepository says how often the source is asked
      interval: 0,
      suspended: spec.suspend,
      prune: spec.prune,
      drift,
      flagsEverything: false,
      rollback,
      windows: [],
      dependsOn: spec.dependsOn.map((other) => {
        const home = other.namespace === '' ? namespace : other.namespace
        return keyOf({ kind: 'kustomization', namespace: home, name: other.name })
      }),
      timeout: spec.timeout,
      retryInterval: spec.retryInterval,
      concurrency: 32,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(removesFor === undefined ? {} : { removesFor }),
      security: denyAll,
    },
  }
}
