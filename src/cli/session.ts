/** What commands work with, each part made when it is first asked for: most commands need only some of them. */
import type { ChartInput, ChartRendered } from '#domains/charts/chart-input.ts'
import type { AuditLog } from '#model/audit.ts'
import type { Application, Identity, Recalled } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import type { Kind, Rendered, Target } from '#model/domain.ts'
import type { Outcome } from '#model/event.ts'
import type { Ref } from '#model/ref.ts'
import type { Leases, Notes, Store } from '#model/store.ts'
import type { Engine } from './application/engine.ts'
import type { Flags, Invocation } from './arguments/invocation.ts'
import type { Screen } from './screen.ts'

export type Memory = {
  readonly store: Store
  readonly leases: Leases
  readonly notes: Notes
  readonly audit: AuditLog
  readonly key: Uint8Array
}

/** JSON Schemas by name; without a name, one for any manifest. */
export type Schemas = {
  readonly names: readonly string[]
  readonly schema: (name?: string) => Readonly<Record<string, unknown>> | undefined
}

/** The place where applications of a kind run. */
export type Runtime = {
  readonly kind: Kind
  readonly target: Target
  /** Undefined: none was found, which is told when it is needed. */
  readonly engine?: Engine
  /** What runs there, by its labels: all that is known when the history is lost. */
  recall(signal: AbortSignal): Promise<readonly Recalled[]>
  /** What a container wrote, as it comes; `object` is its name there. */
  logs(
    object: string,
    wanted: { readonly tail: number | undefined; readonly follows: boolean },
    signal: AbortSignal,
  ): AsyncIterable<string>
  /** After a run; without news when everything went. Only where applications are marked. */
  mark?(owner: string, news: Marked | undefined, signal: AbortSignal): Promise<void>
  /**
   * Takes over what another program started. Only where another one could have. Without a time nothing is written, and a
   * plan that follows is made as if it had been.
   */
  adopt?(
    rendered: Rendered,
    identity: Identity,
    at: number | undefined,
    signal: AbortSignal,
  ): Promise<Adoption>
}

/** What is said on the target of an application as a whole, beside what its resources say of themselves. */
export type Marked = {
  readonly revision: string
  readonly rendered: Rendered
  readonly outcome: Outcome
  readonly at: number
}

export type Adoption = {
  /** Taken over as they are. */
  readonly matching: readonly Ref[]
  /** Taken over, and made anew by the run that follows, with the reason. */
  readonly differing: readonly { readonly ref: Ref; readonly why: string }[]
}

export type Session = {
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  /** `$TEND_HOME`, or where it is when nobody says. */
  readonly home: string
  /** The name under which this Tend signs what it makes. */
  readonly instance: string
  /** Which release this is; undefined when it runs from source. */
  readonly build: string | undefined
  /** Who this is, for another run that waits. */
  readonly holder: string
  /** The program to start at boot. */
  readonly launcher: string
  memory(): Promise<Memory>
  /** Undefined when nothing was ever kept: looking does not make it. */
  memoryIfAny(): Promise<Memory | undefined>
  /** That of `--target`, else the one that is meant, else what is found. */
  runtime(flags: Flags, kind: Application['kind'], meant?: Engine): Promise<Runtime>
  renderer(): Promise<(input: ChartInput) => ChartRendered>
  seed(key: Uint8Array, applicationKey: string, since: number): Promise<Uint8Array>
  schemas(): Promise<Schemas>
  close(): Promise<void>
}

export type Desk = {
  readonly session: Session
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** Gives the exit code. */
export type Command = (invocation: Invocation, desk: Desk) => Promise<number>
