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
import type { RowRemoval, RowsShown } from './rows.ts'
import type { AppStatus } from './service.ts'
import type { RunPlace } from './store.ts'

/** By ref, and then by the path of the field. */
export type PlanOrigins = Readonly<Record<Ref, Readonly<Record<string, FieldOrigin>>>>

export type RunsWanted = {
  /** Only of this one. */
  readonly app?: string | undefined
  /** Only those that began before this one. */
  readonly before?: RunPlace | undefined
  readonly limit: number
  readonly isMeant: (key: string) => boolean
}

export type LogsWanted = {
  /** Only lines from then on, ms. */
  readonly since?: number | undefined
  /** Only lines with this text in them, in any case. */
  readonly search?: string | undefined
  /** So many of the last lines, of all containers together. */
  readonly tail?: number | undefined
  readonly follows: boolean
  /** Names of containers or services; none: all. */
  readonly containers?: readonly string[]
}

export type ServiceViews = {
  /** With what only lists show. To the status of an application that it does not know nothing is added. */
  row(status: AppStatus): AppRow
  detail(key: string, signal: AbortSignal): Promise<AppDetail>
  graph(key: string, signal: AbortSignal): Promise<Graph>
  resource(key: string, ref: Ref, signal: AbortSignal): Promise<Omit<ResourceDetail, 'events'>>
  /** What each asks of its own place is what was seen last: nobody is asked. */
  targets(): Promise<readonly TargetRow[]>
  sourceRows(): readonly SourceRow[]
  /** Asks the repository of one source now. Throws `not_found`. */
  refreshSource(id: string): 'refreshing' | 'queued'
  /** Stops its containers as they were declared to be stopped, and starts them again; with a ref, only that one's. */
  restart(key: string, ref: Ref | undefined): Promise<AppStatus>
  /** Throws `not_found` for an application of a kind that has no rows, as the next two do. */
  rows(key: string): Promise<RowsShown>
  /** Written where rows are kept; the run that follows is not waited for. Refused where a repository declares them. */
  putRow(key: string, name: string, columns: JsonRecord): Promise<ClusterRow>
  removeRow(key: string, name: string): Promise<RowRemoval>
  /** Newest first. */
  runPage(wanted: RunsWanted): Promise<readonly RunRow[]>
  /** What all its containers write, in the order of time. */
  mergedLogs(key: string, wanted: LogsWanted, signal: AbortSignal): AsyncIterable<LogLine>
  /** Where the changed fields of a plan are declared. */
  origins(key: string, plan: Plan, signal: AbortSignal): Promise<PlanOrigins>
}
