import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem, factsOf } from '#model/problem.ts'
import type { SourceStatus } from '#model/service.ts'
import { sourceLog } from './source-log.ts'

function status(state: SourceStatus['state'], at: number, message?: string): SourceStatus {
  const problem =
    message === undefined
      ? undefined
      : factsOf(new Problem({ type: 'runtime', code: 'git_error', message }))
  const about = { shown: 'https://git.test/shop', ref: 'main', revision: '', message: '' }
  return { ...about, refType: 'branch', state, at, problem }
}

test('a source that is down is told once, when the reason changes, and when it is back, with how long it was', () => {
  const lines: string[] = []
  const log = sourceLog((level, text, facts) => {
    lines.push(`${level} ${text} ${String(facts?.['seconds'] ?? '')}`.trim())
  })
  log(status('completed', 0))
  for (const at of [1_000, 2_000, 4_000]) {
    log(status('refreshing', at))
    log(status('failed', at, 'its host does not answer'))
  }
  log(status('failed', 8_000, 'access is denied'))
  log(status('completed', 61_000))
  log(status('completed', 62_000))
  assert.deepEqual(lines, [
    'error its host does not answer',
    'error access is denied',
    'info the source can be read again 60',
  ])
})

test('rewritten history is told once, and not again by the next start', () => {
  const lines: string[] = []
  const tell = (_: string, text: string, facts?: Readonly<Record<string, unknown>>): void => {
    lines.push(`${text}: ${String(facts?.['revision'])} after ${String(facts?.['from'])}`)
  }
  const rewritten = { from: 'aaa', at: 1_000 }
  const told = { ...status('completed', 1_000), revision: 'bbb', rewritten }
  const log = sourceLog(tell, 500)
  log(told)
  log({ ...told, state: 'refreshing' })
  sourceLog(tell, 2_000)(told)
  assert.deepEqual(lines, ['history was rewritten: bbb after aaa'])
})
