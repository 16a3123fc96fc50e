import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paceOf } from './pace.ts'

const { signal } = new AbortController()

test('a refusal halves what may be under way, once for many; each success widens it a little', async () => {
  let time = 0
  const pace = paceOf(64, () => time)
  for (let n = 0; n < 64; n += 1) await pace.enter(signal)
  for (let n = 0; n < 10; n += 1) pace.leave(true)
  assert.equal(pace.room(), 32)
  time += 1000
  pace.leave(true)
  assert.equal(pace.room(), 16)
  for (let n = 0; n < 53; n += 1) pace.leave(false)
  assert.ok(pace.room() > 16 && pace.room() < 32)
})

test('who waits is let in first come first served, and may go away', async () => {
  const pace = paceOf(1)
  await pace.enter(signal)
  const order: string[] = []
  const end = new AbortController()
  const gone = pace.enter(end.signal).then(
    () => order.push('gone'),
    () => order.push('left'),
  )
  const second = pace.enter(signal).then(() => order.push('second'))
  end.abort()
  await gone
  pace.leave(false)
  await second
  assert.deepEqual(order, ['left', 'second'])
})
