/** What is wanted, and what is seen of it. */
import type { PinnedImage } from './image.ts'
import type { Json } from './json.ts'
import type { Place, ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { Value } from './value.ts'

/** `renew`: replaced too when that one is replaced or its content changes (secret to container, pod to members). */
export type Need = {
  readonly ref: Ref
  readonly until: 'exists' | 'started' | 'healthy' | 'completed'
  readonly renew: boolean
  /** The resource waits for the other one, and goes on without it when that one fails. */
  readonly isOptional?: true
}

/** An invalid resource stays in the list with its problems: never changed, never pruned, its dependents wait. */
export type Resource = {
  readonly ref: Ref
  readonly spec: Value
  readonly needs: readonly Need[]
  readonly origin: Place
  readonly problems: readonly ProblemFacts[]
  /** The image that an earlier run used, where that run is applied again. No part of the declaration, nor of its hash. */
  readonly pinned?: PinnedImage
}

/** What the target says an apply would do, where it can be asked. `waits`: for a CRD or namespace of the same set. */
export type Forecast =
  | { readonly kind: 'accepted'; readonly result: Json }
  | { readonly kind: 'refused'; readonly problem: ProblemFacts }
  | { readonly kind: 'waits'; readonly for: Ref }

/** As recorded on the thing itself when it was last changed; orphans have no other order than their recorded needs. */
export type Recorded = {
  readonly hash: string
  readonly spec: Json
  readonly needs: readonly Need[]
}

export type Absent = {
  readonly kind: 'absent'
  readonly forecast?: Forecast
  readonly notes?: readonly string[]
}

export type Present = {
  readonly kind: 'present'
  /** Undefined: it carries our owner but no valid metadata. It is out of sync. */
  readonly recorded: Recorded | undefined
  /** The values that `Later` values of other resources stand for. */
  readonly outputs: Readonly<Record<string, Json>>
  readonly live: Json
  /** Nobody made it: it is a path of the host, or memory. It does not show whether the application was installed before. */
  readonly isGiven?: true
  /** Names of old ones that were kept and of new ones that are half made, which a killed run left of this ref. */
  readonly spares: readonly string[]
  readonly forecast?: Forecast
  /** What a person should know whatever is planned. The plan shows it as a warning. */
  readonly notes?: readonly string[]
}

/** Three answers, never two. On `unknown` nothing is created, changed, deleted or pruned. */
export type Observed = Absent | Present | { readonly kind: 'unknown'; readonly why: string }

export type Observation = ReadonlyMap<Ref, Observed>
