/** Whose clock the times of an inspection are by: the engine says the time with each answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspected, type Speaker } from './calls.ts'
import { inspectionOf } from './inspection.ts'

const { signal } = new AbortController()

async function aheadBy(milliseconds: number | undefined): Promise<number | undefined> {
  const headers =
    milliseconds === undefined ? {} : { date: new Date(Date.now() + milliseconds).toUTCString() }
  const engine: Speaker = { ask: async () => ({ status: 200, body: { Id: 'a' }, headers }) }
  const found = await inspected(engine, 'it', '/it', signal)
  return found && inspectionOf(found, () => ({})).ahead
}

test('an engine on a machine with another clock is minutes ahead or behind', async () => {
  for (const minutes of [7, -7]) {
    const found = await aheadBy(minutes * 60_000)
    assert.ok(Math.abs((found ?? 0) - minutes * 60_000) < 5_000, String(found))
  }
})

test('seconds say nothing, nor does an engine that tells no time', async () => {
  assert.equal(await aheadBy(0), undefined)
  assert.equal(await aheadBy(-2_000), undefined)
  assert.equal(await aheadBy(undefined), undefined)
})
