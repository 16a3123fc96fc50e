/** The rows of the overview from the first moment on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeService } from '../../../test/fake/service.ts'
import { overviewOf } from './overview.ts'
import { rowsOf } from './rows.ts'

test('what the service has not told yet is listed all the same: nothing is called well for want of the rest', () => {
  const service = fakeService(['one', 'other'])
  let isStarted = false
  const rows = rowsOf({ ...service, apps: () => (isStarted ? service.apps() : []) })
  const total = () => overviewOf(rows.all(), {}, () => true).total
  assert.equal(total(), 0)
  const before = rows.version()
  isStarted = true
  assert.notEqual(rows.version(), before, 'answers that were kept are made anew')
  assert.equal(total(), 2)
})

test('one that was told first does not stand for all', () => {
  const service = fakeService(['one', 'other'])
  let isStarted = false
  const rows = rowsOf({ ...service, apps: () => (isStarted ? service.apps() : []) })
  isStarted = true
  rows.put(service.app('stack:one'))
  assert.deepEqual([...rows.all()].map(({ row }) => row.key).toSorted(), [
    'stack:one',
    'stack:other',
  ])
})
