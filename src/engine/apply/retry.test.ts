import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { retried } from './retry.ts'

const { signal } = new AbortController()

/** Fails so often, and tells what was waited for in between. */
async function triedUntil(failures: number, code: 'conflict' | 'unreachable') {
  const waited: number[] = []
  const clock = {
    now: () => 0,
    random: () => 1,
    sleep: async (milliseconds: number) => void waited.push(milliseconds),
  }
  let tries = 0
  const work = async (): Promise<void> => {
    tries += 1
    if (tries <= failures)
      throw new Problem({ type: 'runtime', code, message: 'no', recoverable: true })
  }
  const isDone = await retried(work, clock, signal, () => undefined).then(
    () => true,
    () => false,
  )
  return { isDone, tries, waited }
}

test('whoever writes to the same thing all the time is outrun: soon, and ten times', async () => {
  assert.equal((await triedUntil(9, 'conflict')).isDone, true)
  const { isDone, tries, waited } = await triedUntil(10, 'conflict')
  assert.deepEqual([isDone, tries], [false, 10])
  assert.ok((waited[0] ?? 0) <= 100)
  assert.ok(waited.reduce((sum, one) => sum + one, 0) < 10_000)
})

test('what can not be reached is tried four times, at longer and longer intervals', async () => {
  assert.equal((await triedUntil(3, 'unreachable')).isDone, true)
  const { isDone, tries, waited } = await triedUntil(4, 'unreachable')
  assert.deepEqual([isDone, tries], [false, 4])
  assert.deepEqual(waited, [300, 900, 2700])
})
