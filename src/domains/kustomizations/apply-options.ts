/** How a set is to be treated, in the words of a Kustomization's spec: what is waited for, pruned, forced, ignored. */
import type { JsonRecord } from '#model/json.ts'
import { isImmediate } from './apply-stages.ts'
import { refOfObject, wishesOf, type ObjectName, type Owner } from './object.ts'
import type { Value } from '#model/value.ts'
import type { Ref } from '#model/ref.ts'

/** Fields have the names and the meaning that they have in the spec; what is not there means what it means there. */
export type ApplyOptions = {
  /** Objects that can't be changed in place are replaced. */
  readonly force?: boolean | undefined
  readonly ignore?: readonly IgnoreRule[] | undefined
  /** All objects have to be healthy. Unset and without health checks: true. */
  readonly wait?: boolean | undefined
  /** Nobody said whether to wait: claims may wait for their first pod. Not of the spec. */
  readonly isWaitUnset?: boolean | undefined
  readonly healthChecks?: readonly HealthCheck[] | undefined
  readonly healthCheckExprs?: readonly HealthExpressions[] | undefined
  readonly prune?: boolean | undefined
  /** What failed is left as it came to be: nothing is put back. Not of the spec. */
  readonly keepsFailed?: boolean | undefined
}

/** JSON pointers into the objects that the target selects: all of the set where there is none. */
export type IgnoreRule = {
  readonly paths: readonly string[]
  readonly target?: Selector | undefined
}

/** Texts are regular expressions for the whole of what they are compared with. */
export type Selector = {
  readonly group?: string | undefined
  readonly version?: string | undefined
  readonly kind?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly labelSelector?: string | undefined
  readonly annotationSelector?: string | undefined
}

type HealthCheck = {
  /** `apps/v1` unless said. */
  readonly apiVersion?: string | undefined
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

/** CEL on the whole object. Without a kind for all of the group. */
export type HealthExpressions = {
  readonly apiVersion: string
  readonly kind?: string | undefined
  readonly inProgress?: string | undefined
  readonly failed?: string | undefined
  readonly current: string
}

function waitsForAll({ wait, healthChecks = [] }: ApplyOptions): boolean {
  return wait ?? healthChecks.length === 0
}

/** Whether this object of the set has to be healthy before the run is good. */
export function isWaitedFor(options: ApplyOptions, object: Value, name: ObjectName): boolean {
  if (wishesOf(object).isLeftAlone) return false
  const hasExpressions = (options.healthCheckExprs ?? []).some((each) => isAbout(each, name))
  if (waitsForAll(options)) return hasExpressions || !isImmediate(name)
  const ref = refOfObject(name)
  return checkedNames(options).some((each) => refOfObject(each) === ref)
}

export function checkedNames({ healthChecks = [] }: ApplyOptions): readonly ObjectName[] {
  return healthChecks.map(({ apiVersion: written, kind, namespace = '', name }) => {
    const apiVersion = written || 'apps/v1'
    const slash = apiVersion.indexOf('/')
    return { apiVersion, group: slash < 0 ? '' : apiVersion.slice(0, slash), kind, namespace, name }
  })
}

export function isAbout({ apiVersion, kind }: HealthExpressions, name: ObjectName): boolean {
  if (kind !== undefined && kind !== '') return name.apiVersion === apiVersion && name.kind === kind
  return (
    name.group === (apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '')
  )
}

/** What a live object says, or what its set says, about replacing it. */
export function mayReplace(
  options: ApplyOptions,
  wanted: Value,
  live: JsonRecord | undefined,
): boolean {
  return options.force === true || wishesOf(wanted).isForced || wishesOf(live ?? null).isForced
}

/** Another set that declares an object; `by`: only this one is meant. */
export type Claims = (ref: Ref, by?: Owner) => string | undefined
