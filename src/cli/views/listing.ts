/** What is installed, and what was run: the tables of `list` and `history`, and their documents. */
import type { Application } from '#model/application.ts'
import type { JsonRecord } from '#model/json.ts'
import type { RunRecord } from '#model/store.ts'
import { columns } from './columns.ts'
import { shownPath } from './paths.ts'
import type { ResourceStatus, State } from './status.ts'
import { ago } from './time.ts'
import { seconds } from './labels.ts'
import { byKind } from './by-kind.ts'

export type Installed = {
  readonly kind: Application['kind']
  readonly name: string
  readonly namespace: string | null
  readonly version: string
  readonly run: number
  readonly state: State
  /** When that run ended, ms. */
  readonly since: number
  readonly path: string | null
  readonly engine?: string | null
  readonly resources?: readonly ResourceStatus[]
}

const heading = ['NAME', 'NAMESPACE', 'VERSION', 'RUN', 'STATUS', 'CHANGED', 'FROM']

/** Kinds are shown where there is more than one, and so are engines. */
export function listLines(all: readonly Installed[], now: number): readonly string[] {
  if (all.length === 0) return ['No charts are installed.']
  const hasKinds = new Set(all.map(({ kind }) => kind)).size > 1
  const hasEngines = new Set(all.map(({ engine }) => engine ?? null)).size > 1
  return columns(
    [...(hasKinds ? ['KIND'] : []), ...heading, ...(hasEngines ? ['ENGINE'] : [])],
    all.map((one) => [
      ...(hasKinds ? [one.kind] : []),
      one.name,
      one.namespace ?? '-',
      shownVersion(one.version),
      one.run === 0 ? '-' : String(one.run),
      one.state,
      ago(now - one.since),
      one.path === null ? '-' : shownPath(one.path),
      ...(hasEngines ? [one.engine ?? '-'] : []),
    ]),
  )
}

export function listDocument(all: readonly Installed[]): JsonRecord {
  return byKind(all, ({ kind }) => kind, installedDocument)
}

function installedDocument(one: Installed): JsonRecord {
  return {
    [one.kind]: one.name,
    namespace: one.namespace,
    version: one.version,
    run: one.run,
    status: one.state,
    since: new Date(one.since).toISOString(),
    path: one.path,
    engine: one.engine ?? null,
  }
}

export function historyLines(runs: readonly RunRecord[], now: number): readonly string[] {
  return columns(
    ['RUN', 'WHEN', 'TRIGGER', 'VERSION', 'OUTCOME', 'CHANGES', 'DURATION'],
    runs.map((run) => [
      String(run.number),
      ago(now - (run.endedAt ?? run.startedAt)),
      run.version === '' ? 'uninstall' : run.trigger,
      shownVersion(run.version),
      outcomeWords(run),
      changeWords(run),
      run.endedAt === undefined ? '-' : seconds(run.endedAt - run.startedAt),
    ]),
  )
}

/** The version as people read it; a commit is shortened. */
export function shownVersion(version: string): string {
  return version === '' ? '-' : version.replace(/^([0-9a-f]{7})[0-9a-f]{33,}$/, '$1')
}

export function historyDocument(
  { kind, name }: Application,
  runs: readonly RunRecord[],
): JsonRecord {
  return {
    [kind]: name,
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

/** A run without an outcome was killed, or is still under way: a caller that knows says so. */
export function outcomeWords(run: RunRecord, isUnderWay = false): string {
  if (run.outcome === undefined) return isUnderWay ? 'running' : 'unfinished'
  return run.isRolledBack ? `${run.outcome}, rolled back` : run.outcome
}

/** The counts of changes, such as "+2 ~1 -0". */
export function changeWords({ summary }: RunRecord): string {
  if (summary === undefined) return '-'
  return `+${summary.created} ~${summary.updated} -${summary.deleted}`
}
