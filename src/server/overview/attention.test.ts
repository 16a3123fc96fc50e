/** Who needs somebody, by the counts that the first sentence of the dashboard is made of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Overview } from '#model/api.ts'
import { fakeService } from '../../../test/fake/service.ts'
import { overviewOf } from './overview.ts'
import { rowsOf } from './rows.ts'

const missing = {
  state: 'missing',
  reason: 'nothing of it is there',
  since: 1,
  changes: [],
} as const
const unknown = { state: 'unknown', reason: '', since: 1, isGivenUp: false } as const

type Change = Parameters<ReturnType<typeof fakeService>['set']>[1]

function needing(change: Change): number {
  return counted(change).attention
}

function counted(change: Change): Overview {
  const service = fakeService(['new', 'other'])
  service.set('stack:new', change)
  return overviewOf(rowsOf(service).all(), {}, () => true)
}

test('one that is suspended and never ran needs nobody', () => {
  const never = { synced: undefined, lastRun: undefined, sync: missing, health: unknown }
  assert.equal(needing({ ...never, isSuspended: true }), 0)
  assert.equal(needing({ ...never, isSuspended: false }), 1)
  assert.equal(counted({ ...never, isSuspended: true }).leftAlone, 1, 'and is not called well')
  assert.equal(counted({ ...never, isSuspended: false }).leftAlone, 0)
  assert.equal(counted({ isSuspended: true }).leftAlone, 0)
})

test('what is behind is counted as that, and is no drift; who needs somebody most is named in every order', () => {
  const service = fakeService(['a', 'b', 'c'])
  const behind = { state: 'drifted', reason: 'newer', since: 1, isBehind: true } as const
  const drifted = { state: 'drifted', reason: 'by hand', since: 1 } as const
  service.set('stack:a', { sync: behind })
  service.set('stack:c', { sync: drifted, needsAcknowledgement: true })
  const asked = (query: Parameters<typeof overviewOf>[1]) =>
    overviewOf(rowsOf(service).all(), query, () => true)
  const { sync, worst } = asked({ sort: 'name', limit: 1 })
  assert.deepEqual([sync.drifted, sync.behind, sync.synced], [1, 1, 1])
  assert.equal(worst?.key, 'stack:c')
  const keys = (filter: string) => asked({ sync: filter }).apps.map(({ key }) => key)
  assert.deepEqual(keys('behind'), ['stack:a'])
  assert.deepEqual(keys('drifted'), ['stack:c'])
  assert.equal(asked({ search: 'stack:b' }).worst, undefined)
})

test('one whose newest commit is refused needs somebody', () => {
  const problem = { type: 'configuration', code: 'git_error', message: 'not signed' } as const
  assert.equal(needing({ refused: { revision: 'b', since: 1, problem } }), 1)
})

test('one that is suspended and was there needs somebody when it is not any more', () => {
  assert.equal(needing({ isSuspended: true }), 0)
  assert.equal(
    needing({
      isSuspended: true,
      sync: missing,
      synced: { revision: 'a', message: '', hash: 'h', at: 1 },
    }),
    1,
  )
})

test('one that is well and not the newest needs nobody, and is counted', () => {
  const older = { synced: { revision: 'a', message: '', hash: 'old', at: 1 } }
  const newer = { desired: { revision: 'b', message: '', hash: 'new' } }
  assert.deepEqual(
    [needing({ ...older, ...newer }), counted({ ...older, ...newer }).outdated],
    [0, 1],
  )
  assert.equal(counted({}).outdated, 0)
})
