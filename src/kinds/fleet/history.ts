/** The history of a fleet's runs: a line of JSON for each, beside the database unless another file is named. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SummaryItem } from '#domains/fleet/look/summary.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { FleetAround } from './around.ts'

export function historyFile(
  database: string,
  { environment }: Pick<FleetAround, 'environment'>,
  given = environment['RECONCILE_HISTORY_FILE'] ?? '',
): string {
  return given === '' ? join(dirname(database), 'reconcile_history.jsonl') : resolve(given)
}

/** What was asked for, and how it went. */
type HistoryFacts = {
  readonly file: string
  readonly began: number
  readonly code: number
  readonly summary: readonly SummaryItem[]
  /** Who began the run, where the environment does not say it. */
  readonly source: string
  readonly args: readonly string[]
  readonly isFromDb: boolean
  readonly isDryRun: boolean
  readonly prunesMissing: boolean
}

/** The fields have the names and the order that programs have read for years. */
export function entryOf(
  facts: HistoryFacts,
  { clock, environment }: Pick<FleetAround, 'clock' | 'environment'>,
): JsonRecord {
  const { summary } = facts
  const count = (...results: readonly SummaryItem['result'][]): number =>
    summary.filter(({ result }) => results.includes(result)).length
  return {
    timestamp: new Date(facts.began).toISOString().replace(/\.\d+Z$/, 'Z'),
    duration_seconds: Math.round((clock.now() - facts.began) / 1000),
    exit_code: facts.code,
    source: environment['RECONCILE_SOURCE'] ?? facts.source,
    invoker: environment['RECONCILE_INVOKER'] ?? environment['USER'] ?? '',
    history_file: facts.file,
    args: facts.args,
    from_db: facts.isFromDb,
    dry_run: facts.isDryRun,
    prune_missing: facts.prunesMissing,
    plan_count: count('planned'),
    executed_count: count('created', 'deleted', 'done'),
    failed_count: count('error', 'skipped'),
    pruned_count: summary.filter((one) => one.action === 'prune' && one.result === 'deleted')
      .length,
    summary: documentOf(summary),
  }
}

export function documentOf(summary: readonly SummaryItem[]): readonly Json[] {
  return summary.map(({ conditions, ...item }) => {
    return conditions.length === 0 ? item : { ...item, conditions }
  })
}

/** Adds a line. A run that went well does not fail because it could not be written down. */
export function append(file: string, entry: JsonRecord, warn: (text: string) => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch (thrown) {
    warn(`the history can't be written: ${problemOf(thrown).message}`)
  }
}

/** The last line that can be read: a killed run may have left half a line. */
export function lastEntry(file: string): JsonRecord {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const line of lines.toReversed()) {
    try {
      const entry: unknown = JSON.parse(line)
      if (isRecord<Json>(entry)) return entry
    } catch {
      // half a line: the one before it counts
      continue
    }
  }
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no run is written down in ${file}`,
    suggestion: 'tend fleet reconcile --from-db makes the first one',
  })
}
