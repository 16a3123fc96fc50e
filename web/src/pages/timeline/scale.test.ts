/** Time on a band. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSpan, placeOn, startLength, ticksOf, zoomSpan } from './scale.ts'

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

test('it begins as far back as something happened', () => {
  const [hour, day] = [3_600_000, 86_400_000]
  const now = 1000 * day
  assert.equal(startLength([now - 1, now - 2 * hour], now), 6 * hour)
  assert.equal(startLength([now - 3 * day], now), 7 * day)
  assert.ok(startLength([now - 400 * day], now) > 400 * day)
  assert.equal(startLength([], now), 900_000)
})

test('moving keeps the length', () => {
  assert.deepEqual(moveSpan(span, -0.5), { from: -1_800_000, to: 1_800_000 })
})
