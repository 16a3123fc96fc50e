/** Runs that stay in the list when newer ones come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedRuns } from './joined-runs.ts'

const runs = (...numbers: readonly number[]) => numbers.map((number) => ({ number }))

test('a run that is pushed off the first page is still shown, and none is shown twice', () => {
  const shown = joinedRuns(runs(6, 5, 4))
  const older = [...shown, ...runs(3, 2, 1)]
  assert.deepEqual(joinedRuns(runs(6, 5, 4), older), runs(6, 5, 4, 3, 2, 1))
  assert.deepEqual(joinedRuns(runs(7, 6, 5), older), runs(7, 6, 5, 4, 3, 2, 1))
})
