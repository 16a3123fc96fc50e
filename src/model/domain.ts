/** The two ports of a domain: `Kind`, pure, and `Target`, which talks to the world. */
import type { Identity } from './application.ts'
import type { Images } from './image.ts'
import type { Json } from './json.ts'
import type { Change, Gate, Group, Operation, Step } from './plan.ts'
import type { ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { Observation, Observed, Present, Resource } from './resource.ts'
import type { Sealed } from './value.ts'
import type { Vault } from './vault.ts'

/** What a render makes of a snapshot: all resources, and all problems at once. */
export type Rendered = {
  readonly resources: readonly Resource[]
  /** Those that stop the run, and those of single resources (which the resources carry too). */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  /** A document's very name could not be read: nothing is pruned in this run. */
  readonly isIncomplete: boolean
  readonly version: string
  readonly vault: Vault
  /** Why one that this render does not declare stays as it is all the same (its profile is not active), or undefined. */
  readonly leaves?: (ref: Ref) => string | undefined
}

export type Difference =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'changed'
      readonly how: 'update' | 'replace'
      readonly cause: string
      readonly changes: readonly Change[]
      /** The declaration is as before, what runs is not, and each difference is one of the changes. */
      readonly isDrift?: true
      /** What the change does to others. */
      readonly warnings?: readonly string[]
    }
  /** It may not be changed like this without an explicit word of the user. */
  | {
      readonly kind: 'refused'
      readonly problem: ProblemFacts
      readonly changes: readonly Change[]
    }

export type Permissions = {
  readonly recreateVolumes: boolean
  readonly pruneVolumes: boolean
}

export type Expansion = {
  readonly ref: Ref
  readonly step: Step
  readonly cause: string
  readonly changes: readonly Change[]
  /** `Later` values of resources that this run leaves alone are resolved already. */
  readonly wanted: Resource | undefined
  readonly seen: Observed
  readonly world: Observation
  /** What the plan does to every resource: a member knows whether its pod is replaced. */
  readonly steps: ReadonlyMap<Ref, Step>
  readonly identity: Identity
  readonly vault: Vault
  readonly allowed?: Permissions
}

export type Kind = {
  /** All or nothing: while one resource can't be planned, none is touched. */
  readonly isWhole?: true
  /** Whether this refusal of one resource keeps a run from touching any. */
  stops?(problem: ProblemFacts): boolean
  compare(wanted: Resource, seen: Present, vault: Vault, allowed: Permissions): Difference
  expand(expansion: Expansion): Group
  /** Why this one is kept when it is no longer declared (a volume without an explicit prune), or undefined. */
  keeps(ref: Ref, seen: Present, allowed: Permissions): string | undefined
  /** What `look` needs to know to look at a resource that this run leaves alone. */
  subject(wanted: Resource, seen: Present): Json
  /**
   * Which gate tells whether a resource that stands is well. Undefined: it has no health of its own, and that it exists is all
   * that can be said.
   */
  healthGate?(ref: Ref): Gate | undefined
}

/** A sentence that a person can act on, and when to look again (ms) if no event comes before. */
export type Look = {
  readonly state: 'waiting' | 'ok' | 'failed'
  readonly message: string
  /** The last log or event lines, when it failed. */
  readonly details?: readonly string[]
  readonly againIn?: number
  /** Of a container: how often its engine started it again. */
  readonly restartCount?: number | undefined
  /** Of a container that ended, or of its last end. */
  readonly exitCode?: number | undefined
}

export type Context = {
  readonly signal: AbortSignal
  /** From the second attempt on, one look before the call: the first may have got through. */
  readonly attempt: number
  /** Of the lease that the run holds: it only grows, and is written on what is made. */
  readonly generation?: number
  report(progress: string): void
  /** Something asked for that the engine at hand can't do, and what was done instead. */
  warn(text: string): void
  open(secret: Sealed): Uint8Array
}

export type Outputs = Readonly<Record<string, Json>>

export type Target = {
  /** Where whoever declares it says how long is waited; `--timeout` unless said. */
  readonly timeoutName?: string
  /**
   * Everything that carries the owner, and an answer for each wanted ref. `refresh`: first ask registries for moved tags
   * where a resource's pull policy says so (never in a dry run).
   */
  observe(request: {
    readonly owner: string
    readonly wanted: readonly Resource[]
    readonly refresh: boolean
    /** Only for a plan: nothing is waited for after it. */
    readonly isGlance?: boolean
    /** What secrets hold, for who can ask whether they would be taken; nothing of it is in what is seen. */
    open?(secret: Sealed): Uint8Array
    readonly signal: AbortSignal
    report(ref: Ref, progress: string): void
  }): Promise<Observation>
  /** `Later` values in the payload are resolved. What it returns is the resource's outputs, merged over those it had. */
  operate(operation: Operation, context: Context): Promise<Outputs>
  /** One look at one resource's health; the engine looks after each watch event and after `againIn`. */
  look(ref: Ref, subject: Json, gate: Gate, signal: AbortSignal): Promise<Look>
  /**
   * What else has to be healthy at the end of a run, beside what it changes; asked once it was observed. None unless said.
   * `isProven`: the last run went well to its end. Else nobody knows how what it left is: it may have been cut off at a gate.
   */
  gates?(
    wanted: readonly Resource[],
    isProven: boolean,
  ): readonly { readonly ref: Ref; readonly subject: Json }[]
  /** The images that this owner's containers run now; recorded with a run that went well, so that going back finds them. */
  images?(owner: string, signal: AbortSignal): Promise<Images>
  /** Refs of this owner about which something happened; '' when anything may have. Yields '' once when it is listening. */
  watch(owner: string, signal: AbortSignal): AsyncIterable<Ref>
}
