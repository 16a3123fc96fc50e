/** What is installed, and what was run: the tables of `list` and `history`, and their documents. */
import type { JsonRecord } from '#model/json.ts'
import type { RunRecord } from '#model/store.ts'
import { columns } from './columns.ts'
import type { State } from './status.ts'
import { ago } from './time.ts'
import { seconds } from './words.ts'

export type Installed = {
  readonly name: string
  readonly namespace: string | null
  readonly version: string
  readonly run: number
  readonly state: State
  /** When that run began, ms. */
  readonly since: number
  readonly path: string | null
}

export function listLines(charts: readonly Installed[], now: number): readonly string[] {
  if (charts.length === 0) return ['No charts are installed.']
  return columns(
    ['NAME', 'NAMESPACE', 'VERSION', 'RUN', 'STATUS', 'CHANGED', 'FROM'],
    charts.map((chart) => [
      chart.name,
      chart.namespace ?? '-',
      chart.version,
      chart.run === 0 ? '-' : String(chart.run),
      chart.state,
      ago(now - chart.since),
      chart.path ?? '-',
    ]),
  )
}

export function listDocument(charts: readonly Installed[]): JsonRecord {
  return {
    charts: charts.map(({ name, namespace, version, run, state, since, path }) => ({
      chart: name,
      namespace,
      version,
      run,
      status: state,
      since: new Date(since).toISOString(),
      path,
    })),
  }
}

export function historyLines(runs: readonly RunRecord[], now: number): readonly string[] {
  return columns(
    ['RUN', 'WHEN', 'TRIGGER', 'VERSION', 'OUTCOME', 'CHANGES', 'DURATION'],
    runs.map((run) => [
      String(run.number),
      ago(now - run.startedAt),
      run.trigger,
      run.version,
      outcomeWords(run),
      changeWords(run),
      run.endedAt === undefined ? '-' : seconds(run.endedAt - run.startedAt),
    ]),
  )
}

export function historyDocument(name: string, runs: readonly RunRecord[]): JsonRecord {
  return {
    chart: name,
    runs: runs.map((run) => ({
      run: run.number,
      startedAt: new Date(run.startedAt).toISOString(),
      endedAt: run.endedAt === undefined ? null : new Date(run.endedAt).toISOString(),
      trigger: run.trigger,
      version: run.version,
      status: run.outcome ?? 'unfinished',
      rolledBack: run.isRolledBack,
      summary: run.summary === undefined ? null : { ...run.summary },
    })),
  }
}

/** A run that never said how it ended was killed, or still goes on. */
function outcomeWords(run: RunRecord): string {
  if (run.outcome === undefined) return 'unfinished'
  return run.isRolledBack ? `${run.outcome}, rolled back` : run.outcome
}

/** "+2 ~1 -0", as the indicators have it. */
function changeWords({ summary }: RunRecord): string {
  if (summary === undefined) return '-'
  return `+${summary.created} ~${summary.updated} -${summary.deleted}`
}
