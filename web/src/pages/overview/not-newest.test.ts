import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notNewestSince } from './not-newest.ts'

const well = {
  state: 'synced',
  health: { state: 'healthy', reason: '', since: 1, isGivenUp: false },
  sync: { state: 'synced', reason: '', since: 2 },
  lastRun: undefined,
} as const
const problem = { type: 'configuration', code: 'git_error', message: 'not signed' } as const
const refused = { revision: 'abc', since: 7, problem }

test('the newest was refused or failed, and what runs is well', () => {
  assert.equal(notNewestSince(well), undefined)
  assert.equal(notNewestSince({ ...well, refused }), 7)
  assert.equal(notNewestSince({ ...well, state: 'failed' }), 2)
})

test('what is not well says so first', () => {
  const sick = { ...well.health, state: 'failed' } as const
  assert.equal(notNewestSince({ ...well, health: sick, refused }), undefined)
})
