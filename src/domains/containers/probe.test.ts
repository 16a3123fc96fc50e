/** Health checks that do not end: only a few of them are begun in one container. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectionOf } from '#clients/containers/inspection.ts'
import { emptyEngineMemory } from './memory.ts'
import { probeWith } from './probe.ts'

const pace = { interval: 1_000, startPeriod: 0, retries: 1 }

test('after three that hang no other is begun, until ten minutes later or a new start', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-01T01:00:00Z') })
  const memory = emptyEngineMemory()
  let begun = 0
  const look = (StartedAt: string, takes: number): Promise<string> => {
    const found = inspectionOf({ Id: 'abc', State: { Status: 'running', StartedAt } }, () => ({}))
    const check = async (): Promise<undefined> => {
      begun += 1
      t.mock.timers.tick(takes)
      if (takes > 0) throw new Error('given up')
    }
    return probeWith(memory, found, pace, check).then(
      ({ message }) => message,
      (error: Error) => error.message,
    )
  }
  const first = '2026-01-01T00:00:00Z'
  // those that are given up early say nothing
  for (let one = 0; one < 5; one += 1) assert.equal(await look(first, 100), 'given up')
  for (let one = 0; one < 3; one += 1) assert.equal(await look(first, 6_000), 'given up')
  assert.equal(begun, 8)
  for (let one = 0; one < 5; one += 1) {
    assert.match(await look(first, 6_000), /its last 3 health checks did not end/)
  }
  assert.equal(begun, 8)
  assert.equal(await look('2026-01-01T00:30:00Z', 0), 'its health check passed')
  t.mock.timers.tick(10 * 60_000)
  assert.equal(await look(first, 0), 'its health check passed')
  assert.equal(await look(first, 6_000), 'given up')
  assert.equal(begun, 11)
})
