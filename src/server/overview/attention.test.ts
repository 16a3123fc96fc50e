/** Who needs somebody, by the counts that the first sentence of the dashboard is made of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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

function needing(change: Parameters<ReturnType<typeof fakeService>['set']>[1]): number {
  const service = fakeService(['new', 'other'])
  service.set('stack:new', change)
  return overviewOf(rowsOf(service).all(), {}, () => true).attention
}

test('one that is suspended and never ran needs nobody', () => {
  const never = { synced: undefined, lastRun: undefined, sync: missing, health: unknown }
  assert.equal(needing({ ...never, isSuspended: true }), 0)
  assert.equal(needing({ ...never, isSuspended: false }), 1)
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
