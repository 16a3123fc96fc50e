import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fleetTrouble } from './fleet-trouble.ts'

const well = {
  state: 'synced',
  health: { state: 'healthy', reason: '', since: 1, isGivenUp: false },
  sync: { state: 'synced', reason: '', since: 1 },
  reason: '',
  source: { shown: 'https://git.example.org/a.git', ref: 'main', path: 'lab', file: '' },
} as const

test('a file that is refused is said, with its line', () => {
  const sync = { state: 'missing', reason: 'lab/clusters.yaml:3:5: colour can not be set' } as const
  const app = { ...well, state: 'failed', sync: { ...sync, since: 1 } } as const
  assert.equal(fleetTrouble(app), 'lab/clusters.yaml:3:5: colour can not be set')
})

test('a commit that is refused is said, and what goes on or is well is not', () => {
  const problem = { type: 'runtime', code: 'git_error', message: 'it is not signed' } as const
  const refused = { revision: 'abc', since: 1, problem }
  assert.equal(fleetTrouble({ ...well, refused }), 'It is not signed')
  assert.equal(fleetTrouble(well), undefined)
  const sync = { state: 'syncing', reason: 'dev is being made', since: 1 } as const
  assert.equal(fleetTrouble({ ...well, state: 'syncing', sync }), undefined)
})
