/** Shows the result of a pass over a fleet, for people and for programs. */
import type { SummaryItem } from '#domains/fleet/look/summary.ts'
import type { Verified } from '#domains/fleet/look/verify.ts'
import type { JsonRecord } from '#model/json.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Screen } from '../screen.ts'
import { columns } from '../views/columns.ts'
import { documentOf } from '#kinds/fleet/history.ts'

/** Lines for programs, kilobytes long: on a terminal they would push away what people look at. `-v` shows them there too. */
export function forReader(
  lines: readonly string[],
  { isTerminal }: Pick<Screen, 'isTerminal'>,
  { isVerbose }: Pick<Flags, 'isVerbose'>,
): readonly string[] {
  return isTerminal && !isVerbose ? lines.filter((line) => !/^[A-Z_]+_SUMMARY=/.test(line)) : lines
}

export const nothing = ['No clusters are declared.']

const heading = ['NAME', 'PROVIDER', 'DESIRED', 'ACTUAL', 'ACTION', 'RESULT', 'MESSAGE']

export function summaryLines(summary: readonly SummaryItem[]): readonly string[] {
  const cells = summary.map((item) => [
    item.name,
    item.provider,
    item.desired,
    item.actual,
    item.action,
    item.result,
    item.message.split('\n')[0] ?? '',
  ])
  const below = summary.flatMap(({ name, conditions }) =>
    conditions
      .filter(({ state }) => state !== 'ok' || conditions.length < 9)
      .map(({ kind, state, message }) => `  ${kind}/${name}: ${state}, ${message}`),
  )
  return [
    ...(summary.length === 0 ? [] : columns(heading, cells)),
    ...below,
    `RECONCILE_SUMMARY=${JSON.stringify(documentOf(summary))}`,
  ]
}

export function verifyLines(verified: Verified): readonly string[] {
  const cells = verified.records.map((one) => [
    one.name,
    one.provider,
    one.desired,
    one.actual,
    one.result,
    one.message,
  ])
  const table = columns(['NAME', 'PROVIDER', 'DESIRED', 'ACTUAL', 'RESULT', 'MESSAGE'], cells)
  return [
    ...(cells.length === 0 ? nothing : table),
    `DB_VERIFY_SUMMARY=${JSON.stringify(verified)}`,
  ]
}

export function entryLines(entry: JsonRecord): readonly string[] {
  const summary = isList<Json>(entry['summary']) ? entry['summary'] : []
  const cells = summary
    .filter((item) => isRecord<Json>(item))
    .map((item) =>
      ['name', 'provider', 'action', 'result', 'message'].map((key) => text(item[key])),
    )
  const mode = isList<Json>(entry['args']) ? entry['args'].map(text) : []
  return [
    `Last run: ${text(entry['timestamp'])}, ${text(entry['duration_seconds'])} s, exit code ${text(entry['exit_code'])}`,
    `Started by: ${text(entry['source'])} ${text(entry['invoker'])}  ${mode.join(' ')}`.trimEnd(),
    `Planned ${text(entry['plan_count'])}, done ${text(entry['executed_count'])}, failed ${text(entry['failed_count'])}, pruned ${text(entry['pruned_count'])}`,
    ...(cells.length === 0
      ? []
      : columns(['NAME', 'PROVIDER', 'ACTION', 'RESULT', 'MESSAGE'], cells)),
  ]
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
