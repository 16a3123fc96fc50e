/** Time on a band. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSpan, placeOn, ticksOf, zoomSpan } from './scale.ts'

const span = { from: 0, to: 3_600_000 }

test('ticks are at round times and not too many', () => {
  assert.deepEqual(ticksOf(span, 8, 0), [0, 900_000, 1_800_000, 2_700_000, 3_600_000])
  assert.ok(ticksOf({ from: 0, to: 90 * 86_400_000 }, 8, 0).length <= 9)
})

test('zooming keeps the moment under the pointer', () => {
  const zoomed = zoomSpan(span, 0.5, 0.25)
  assert.equal(zoomed.to - zoomed.from, 1_800_000)
  assert.equal(placeOn(zoomed, 900_000), 0.25)
})

test('moving keeps the length', () => {
  assert.deepEqual(moveSpan(span, -0.5), { from: -1_800_000, to: 1_800_000 })
})
