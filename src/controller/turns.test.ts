/** When the scheduler takes its turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

/** What was slept while something happened in every turn, each of which took so long, ms. */
async function sleepsWith(took: number): Promise<readonly number[]> {
  const stop = new AbortController()
  const sleeps: number[] = []
  let [now, count] = [0, 0]
  const clock = {
    now: () => now,
    random: () => 0,
    async sleep(time: number) {
      sleeps.push(time)
      now += time
    },
  }
  const turns = createTurns(clock, stop.signal)
  await turns.take(() => {
    now += took
    turns.wake()
    count += 1
    if (count === 3) stop.abort()
    return Infinity
  })
  return sleeps
}

test('a turn that takes no time is followed by the next one at once', async () => {
  assert.deepEqual(await sleepsWith(0), [])
})

test('turns that take long leave four fifths of the time to others, and nobody waits for long', async () => {
  assert.deepEqual((await sleepsWith(10)).slice(0, 2), [40, 40])
  assert.deepEqual((await sleepsWith(500)).slice(0, 2), [250, 250])
})

test('without news the next turn is when it is due, or after half a minute', async () => {
  const stop = new AbortController()
  const sleeps: number[] = []
  const clock = {
    now: () => 0,
    random: () => 0,
    async sleep(time: number) {
      sleeps.push(time)
    },
  }
  const due = [1_000, Infinity]
  await createTurns(clock, stop.signal).take(() => {
    const next = due.shift()
    if (next === undefined) stop.abort()
    return next ?? Infinity
  })
  assert.deepEqual(sleeps.slice(0, 2), [1_000, 30_000])
})
