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
  /** Problems that stop the run, and problems of single resources (which stand on the resources too). */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  /** The name of some document could not be read, so nothing is pruned in this run. */
  readonly isIncomplete: boolean
  readonly version: string
  readonly vault: Vault
  /** Why a resource that this render does not declare is left alone (its profile is not active), or undefined. */
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
      /** What the change does to other resources. */
      readonly warnings?: readonly string[]
    }
  /** The change is refused unless the user allows it explicitly. */
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
  /** `Later` values that come from resources which this run does not change are resolved already. */
  readonly wanted: Resource | undefined
  readonly seen: Observed
  readonly world: Observation
  /** The step of every resource of the plan: a container of a pod sees here whether its pod is replaced. */
  readonly steps: ReadonlyMap<Ref, Step>
  readonly identity: Identity
  readonly vault: Vault
  readonly allowed?: Permissions
}

export type Kind = {
  /** The application is planned as a whole: while one of its resources can't be planned, none is touched. */
  readonly isWhole?: true
  /** Whether this problem of one resource stops the whole run before anything is changed. */
  stops?(problem: ProblemFacts): boolean
  compare(wanted: Resource, seen: Present, vault: Vault, allowed: Permissions): Difference
  expand(expansion: Expansion): Group
  /** Why a resource is kept when it is no longer declared (a volume without an explicit prune), or undefined. */
  keeps(ref: Ref, seen: Present, allowed: Permissions): string | undefined
  /** The data that `look` needs for a resource that this run does not change. */
  subject(wanted: Resource, seen: Present): Json
  /**
   * Which gate shows the health of a resource that exists. Undefined: it has no health of its own, and all that can be said
   * is that it exists.
   */
  healthGate?(ref: Ref): Gate | undefined
}

/** The health of one resource at one moment: a sentence that a person can act on, and after how many ms to look again if no event comes. */
export type Look = {
  readonly state: 'waiting' | 'ok' | 'failed'
  readonly message: string
  /** The last log or event lines, when it failed. */
  readonly details?: readonly string[]
  readonly againIn?: number
  /** How often the engine started the container again. */
  readonly restartCount?: number | undefined
  /** The exit code of the container's last end. */
  readonly exitCode?: number | undefined
}

export type Context = {
  readonly signal: AbortSignal
  /** 1, 2, … From the second attempt on the operation looks before it calls: the first call may have got through. */
  readonly attempt: number
  /** The generation of the lease that the run holds. It only grows, and is written on what the run makes. */
  readonly generation?: number
  report(progress: string): void
  /** Tells the user that the engine can't do something that is declared, and what was done instead. */
  warn(text: string): void
  open(secret: Sealed): Uint8Array
}

export type Outputs = Readonly<Record<string, Json>>

export type Target = {
  /** The field or flag that sets how long a run waits for health, for messages; `--timeout` if absent. */
  readonly timeoutName?: string
  /**
   * Everything that carries the owner, and an answer for each wanted ref. `refresh`: first ask registries for moved tags
   * where a resource's pull policy says so (never in a dry run).
   */
  observe(request: {
    readonly owner: string
    readonly wanted: readonly Resource[]
    readonly refresh: boolean
    /** The observation is for a plan alone, and nothing is applied after it. */
    readonly isGlance?: boolean
    /** Opens a secret for a dry run on the server. Nothing of it is part of the observation. */
    open?(secret: Sealed): Uint8Array
    readonly signal: AbortSignal
    report(ref: Ref, progress: string): void
  }): Promise<Observation>
  /** Carries out one operation, whose `Later` values are resolved. Returns outputs, which are merged over those that the resource had. */
  operate(operation: Operation, context: Context): Promise<Outputs>
  /** One look at one resource's health; the engine looks after each watch event and after `againIn`. */
  look(ref: Ref, subject: Json, gate: Gate, signal: AbortSignal): Promise<Look>
  /**
   * Resources that must be healthy at the end of a run though the run does not change them; called after `observe`. Absent: none.
   * `isProven`: the last run succeeded. If it did not, it may have been cut off before it knew whether they are healthy.
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
