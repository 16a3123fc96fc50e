import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesceCalls } from './coalesce-calls.ts'

test('rounds never overlap, and whoever asks is served by a round that begins after', async () => {
  let isBusy = false
  let rounds = 0
  const work = coalesceCalls(async () => {
    assert.ok(!isBusy)
    isBusy = true
    rounds += 1
    await Promise.resolve()
    isBusy = false
  })
  for (let pause = 0; pause < 12; pause += 1) {
    const asks = [work(), work()]
    for (let i = 0; i < pause; i += 1) await Promise.resolve()
    await Promise.all([...asks, work()])
  }
  assert.ok(rounds >= 24)
})
