/** Scripts tell from the exit code of status what is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusExitCode } from './status-exit-code.ts'

const well = { sync: { state: 'synced' }, health: { state: 'healthy' } } as const

void test('each answer has its code, and the worst of several counts', () => {
  assert.equal(statusExitCode([]), 0)
  assert.equal(statusExitCode([well]), 0)
  const drifted = { ...well, sync: { state: 'drifted' } } as const
  assert.equal(statusExitCode([well, drifted]), 3)
  const degraded = { ...well, health: { state: 'degraded' } } as const
  assert.equal(statusExitCode([drifted, degraded]), 4)
  const blind = { sync: { state: 'unknown' }, health: { state: 'unknown' } } as const
  assert.equal(statusExitCode([drifted, blind]), 5)
  const failed = { sync: { state: 'missing' }, health: { state: 'failed' } } as const
  assert.equal(statusExitCode([blind, degraded, failed]), 1)
  assert.equal(statusExitCode([{ state: 'unknown' }]), 5)
})
