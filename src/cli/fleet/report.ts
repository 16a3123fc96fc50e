/** The condensed summary that a report in Markdown gets at its end. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { Desk } from '../session.ts'

export type Snapshot = {
  readonly status: 'success' | 'failed' | 'failed-count-check'
  readonly log: string
  readonly entry: JsonRecord
}

export function report(file: string, snapshot: Snapshot, { screen, session }: Desk): void {
  const { status, log, entry } = snapshot
  const at = new Date(session.clock.now()).toISOString()
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
  try {
    const path = resolve(file)
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, lines.join('\n'))
  } catch (thrown) {
    screen.note(`Warning: the report can't be written: ${problemOf(thrown).message}`)
  }
}
