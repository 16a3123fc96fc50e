/** What a user declares as one unit, and the owner that stands on everything it makes. */
import type { Outcome } from './event.ts'

/** `name` is unique within `kind` and `namespace`. */
export type Application = {
  /** The name of its kind: `chart`, `stack`, `kustomization`, `fleet`. */
  readonly kind: string
  readonly namespace: string | null
  readonly name: string
}

/** Everything that labels on a resource say beside its spec. */
export type Identity = {
  /** The instance and the application, as one text. Only what carries this text is ever changed or deleted. */
  readonly owner: string
  readonly application: Application
  /** The version of the chart, or the commit, at the last change of the resource. It is never part of a hash. */
  readonly version: string
  readonly revision: string
  /** When the application was first installed, ms. Templates see this time as the present. */
  readonly since: number
}

/** The key of an application in the store and in leases: `chart:staging/my-app`, `chart:my-app`. */
export function keyOf(application: Application): string {
  const space = application.namespace === null ? '' : `${application.namespace}/`
  return `${application.kind}:${space}${application.name}`
}

export function ownerOf(instance: string, application: Application): string {
  return `${instance}:${keyOf(application)}`
}

/** What the labels of an application's resources tell of it. */
export type Recalled = {
  readonly application: Application
  readonly since: number
  readonly version: string
  /** How its last sync went, where the target keeps that for the application as a whole. */
  readonly last?: LastSync
}

export type LastSync = {
  readonly revision: string
  /** The hash of everything that was wanted. */
  readonly hash: string
  /** ms */
  readonly at: number
  readonly outcome: Outcome | undefined
}
