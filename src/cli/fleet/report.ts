/** The condensed summary that a report in Markdown gets at its end. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { CommandContext } from '../session.ts'

export type Snapshot = {
  readonly status: 'success' | 'failed' | 'failed-count-check'
  readonly log: string
  readonly entry: JsonRecord
}

/** The report of verbs that make no run: what they printed. */
export function reportOf(
  file: string,
  {
    verb,
    code,
    lines,
  }: { readonly verb: string; readonly code: number; readonly lines: readonly string[] },
  context: CommandContext,
): void {
  const at = new Date(context.session.clock.now()).toISOString()
  const status = `- Status: ${code === 0 ? 'success' : 'failed'} (exit code ${code})`
  const text = lines.length === 0 ? [] : ['```text', ...lines, '```', '']
  put(file, ['', `### tend ${verb} (${at})`, '', status, '', ...text], context)
}

export function report(file: string, snapshot: Snapshot, context: CommandContext): void {
  const { status, log, entry } = snapshot
  const at = new Date(context.session.clock.now()).toISOString()
  const { summary = [], ...rest } = entry
  const lines = [
    '',
    `### Reconcile Snapshot (${at})`,
    '',
    `- Status: ${status}`,
    `- Log: ${log}`,
    '',
    '```json',
    JSON.stringify(summary, null, 2),
    '```',
    '',
    '- Latest History Entry:',
    '',
    '```json',
    JSON.stringify(rest, null, 2),
    '```',
    '',
  ]
  put(file, lines, context)
}

function put(file: string, lines: readonly string[], { screen }: CommandContext): void {
  try {
    const path = resolve(file)
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, lines.join('\n'))
  } catch (thrown) {
    screen.note(`Warning: the report can't be written: ${problemOf(thrown).message}`)
  }
}
