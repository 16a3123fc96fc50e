/** The history of a fleet's runs: a line of JSON for each, beside the database unless another file is named. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { SummaryItem } from '#domains/fleet/summary.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk, Session } from '../session.ts'
import type { Pass } from './pass.ts'

export function historyFile(flags: Flags, { environment }: Session, database: string): string {
  const given = flags.fleet.historyFile ?? environment['RECONCILE_HISTORY_FILE'] ?? ''
  return given === '' ? join(dirname(database), 'reconcile_history.jsonl') : resolve(given)
}

/** The fields that programs read for years, in their order. */
export function entryOf(
  pass: Pick<Pass, 'summary' | 'code'>,
  flags: Flags,
  session: Session,
  facts: { readonly file: string; readonly began: number },
): JsonRecord {
  const { clock, environment } = session
  const { summary } = pass
  const count = (...results: readonly SummaryItem['result'][]): number =>
    summary.filter(({ result }) => results.includes(result)).length
  return {
    timestamp: new Date(facts.began).toISOString().replace(/\.\d+Z$/, 'Z'),
    duration_seconds: Math.round((clock.now() - facts.began) / 1000),
    exit_code: pass.code,
    source: environment['RECONCILE_SOURCE'] ?? 'manual',
    invoker: environment['RECONCILE_INVOKER'] ?? environment['USER'] ?? '',
    history_file: facts.file,
    args: argumentsOf(flags),
    from_db: flags.fleet.isFromDb || flags.isDryRun || flags.fleet.loops,
    dry_run: flags.isDryRun,
    prune_missing: flags.fleet.prunesMissing,
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

function argumentsOf({ isDryRun, fleet }: Flags): readonly string[] {
  return [
    ...(fleet.isFromDb ? ['--from-db'] : []),
    ...(isDryRun ? ['--dry-run'] : []),
    ...(fleet.prunesMissing ? ['--prune-missing'] : []),
    ...(fleet.recreates ? ['--recreate'] : []),
    ...(fleet.loops ? ['--loop'] : []),
  ]
}

/** A run that went well is no failure because it could not be written down. */
export function append(file: string, entry: JsonRecord, { screen }: Desk): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch (thrown) {
    screen.note(`Warning: the history can't be written: ${problemOf(thrown).message}`)
  }
}

/** The last line that can be read: a killed run may have left half of one. */
export function lastEntry(file: string): JsonRecord {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const line of lines.toReversed()) {
    try {
      const entry: unknown = JSON.parse(line)
      if (isRecord<Json>(entry)) return entry
    } catch {
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
