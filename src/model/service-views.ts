/** What the dashboard asks of the service beyond statuses and runs. Nothing here waits for a dead engine. */
import type {
  AppDetail,
  AppRow,
  FieldOrigin,
  Graph,
  LogLine,
  ResourceDetail,
  RunRow,
  SourceRow,
  TargetRow,
} from './api.ts'
import type { ClusterRow } from './api-fleets.ts'
import type { JsonRecord } from './json.ts'
import type { Plan } from './plan.ts'
import type { Ref } from './ref.ts'
import type { RowPut, RowRemoval, RowsShown } from './rows.ts'
import type { ProblemFacts } from './problem.ts'
import type { Allowed, AppStatus, Back, Expected } from './service.ts'
import type { Snapshot } from './source.ts'
import type { RunPlace } from './store.ts'

/** Where each changed field is declared, by ref and then by the path of the field. */
export type PlanOrigins = Readonly<Record<Ref, Readonly<Record<string, FieldOrigin>>>>

export type RunsWanted = {
  /** Only runs of this application. */
  readonly app?: string | undefined
  /** Only runs that began before this one. */
  readonly before?: RunPlace | undefined
  readonly limit: number
  readonly isMeant: (key: string) => boolean
}

export type LogsWanted = {
  /** Only lines from this time on, ms. */
  readonly since?: number | undefined
  /** Only lines that hold this text, in upper or lower case. */
  readonly search?: string | undefined
  /** At most so many of the last lines, of all containers together. */
  readonly tail?: number | undefined
  readonly follows: boolean
  /** The names of containers or services; absent: all of them. */
  readonly containers?: readonly string[]
}

/** What a source has at this moment; or why it can't be told, and what was read last counts. */
export type Newest = { readonly snapshot?: Snapshot; readonly unread?: ProblemFacts }

export type PlanWanted = Pick<Allowed, 'adopts' | 'prunesVolumes'> & {
  /** What a rollback would do. */
  readonly back?: Back | undefined
  /** Of this snapshot, in place of the one that was read last. */
  readonly newest?: Snapshot | undefined
}

export type Planned = {
  readonly plan: Plan
  /** What a sync has to be of to do this; absent for a rollback. */
  readonly of?: Expected
}

export type ServiceViews = {
  /** What the sources of these applications have now, by key; absent: another replica has to be asked. Nothing is taken over, so nothing runs because of it. */
  newest(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Newest>>
  /** As `plan`, with what the plan is of. */
  planned(key: string, wanted: PlanWanted, signal: AbortSignal): Promise<Planned>
  /** Adds to a status what only lists show. The status of an unknown application is given back as it is. */
  row(status: AppStatus): AppRow
  detail(key: string, signal: AbortSignal): Promise<AppDetail>
  graph(key: string, signal: AbortSignal): Promise<Graph>
  resource(key: string, ref: Ref, signal: AbortSignal): Promise<Omit<ResourceDetail, 'events'>>
  /** What was last seen of each target. No target is asked for it. */
  targets(): Promise<readonly TargetRow[]>
  sourceRows(): readonly SourceRow[]
  /** Asks the repository of one source now; `by` is told in the runs that follow. Throws `not_found`. */
  refreshSource(id: string, by?: string): 'refreshing' | 'queued'
  /** Stops its containers as they were declared to be stopped, and starts them again; with a ref, only that one's. */
  restart(key: string, ref: Ref | undefined): Promise<AppStatus>
  /** Throws `not_found` for an application of a kind that has no rows, as the next two do. */
  rows(key: string): Promise<RowsShown>
  /** Writes the row, and does not wait for the run that follows. Refused where a repository declares the rows. */
  putRow(key: string, name: string, columns: JsonRecord, how: RowPut): Promise<ClusterRow>
  removeRow(key: string, name: string, by?: string): Promise<RowRemoval>
  /** Gives the newest runs first. */
  runPage(wanted: RunsWanted): Promise<readonly RunRow[]>
  /** The lines that all containers of the application write, in the order of time. */
  mergedLogs(key: string, wanted: LogsWanted, signal: AbortSignal): AsyncIterable<LogLine>
  /** Where the changed fields of a plan are declared. */
  origins(key: string, plan: Plan, signal: AbortSignal): Promise<PlanOrigins>
}
