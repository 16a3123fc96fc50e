/** What commands work with, each part made when it is first asked for: most commands need only some of them. */
import type { ChartInput, ChartRendered } from '#domains/charts/chart-input.ts'
import type { AuditLog } from '#model/audit.ts'
import type { Application } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import type { Connection } from '#model/connection.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import type { Replicas } from '#model/replicas.ts'
import type { Leases, Notes, Store } from '#model/store.ts'
import type { TimelineLog } from '#model/timeline.ts'
import type { Flags, Invocation } from './arguments/invocation.ts'
import type { Screen } from './screen.ts'

export type Memory = {
  readonly store: Store
  readonly leases: Leases
  readonly notes: Notes
  readonly audit: AuditLog
  readonly timeline: TimelineLog
  readonly key: Uint8Array
  /** Whether replicas may share the database; those that have nothing to do stand by. */
  readonly isShared: boolean
  /** The other replicas, where the database is shared. */
  readonly replicas?: Replicas
}

/** A connection. Where no engine was found it has no place, and every call throws the reason. */
export type Reached = Omit<Connection, 'place'> & { readonly place?: EngineAddress }

export type Session = {
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  /** `$TEND_HOME`, or the usual folder. */
  readonly home: string
  /** The name under which this Tend signs what it makes. */
  readonly instance: string
  /** Which release this is; undefined when it runs from source. */
  readonly build: string | undefined
  /** The name of this process, for another run that waits. */
  readonly holder: string
  /** The program that is started at boot. */
  readonly launcher: string
  memory(): Promise<Memory>
  /** Undefined when nothing was ever kept: reading does not make a database. */
  memoryIfAny(): Promise<Memory | undefined>
  /** The connection to the engine of `--target`, else to the one that is meant, else to one that is found. */
  reach(flags: Flags, kind: Application['kind'], meant?: EngineAddress): Promise<Reached>
  /** A part of the session, so that tests of verbs can put a simpler one in its place. */
  chartRenderer(): Promise<(input: ChartInput) => ChartRendered>
  seed(key: Uint8Array, applicationKey: string, since: number): Promise<Uint8Array>
  close(): Promise<void>
}

export type CommandContext = {
  readonly session: Session
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** Gives the exit code. */
export type Command = (invocation: Invocation, context: CommandContext) => Promise<number>
