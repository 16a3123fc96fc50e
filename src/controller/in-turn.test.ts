import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLine, inTurn } from './in-turn.ts'

test('rounds never overlap, and whoever asks is served by a round that begins after', async () => {
  let isBusy = false
  let rounds = 0
  const work = inTurn(async () => {
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

test('in line each begins when those before it have ended, well or not', async () => {
  const line = inLine()
  const told: string[] = []
  const work = (name: string, fails = false) =>
    line(async () => {
      told.push(`${name} begins`)
      await Promise.resolve()
      told.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  const [first, second] = [work('one', true), work('two')]
  await assert.rejects(first, /one/)
  await second
  assert.deepEqual(told, ['one begins', 'one ends', 'two begins', 'two ends'])
})
