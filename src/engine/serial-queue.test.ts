import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialQueue } from './serial-queue.ts'

test('in line each begins when those before it have ended, well or not', async () => {
  const line = serialQueue()
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
