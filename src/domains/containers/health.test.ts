/** How a container is told to be, from lists and events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedHealth } from '#model/connection.ts'
import { closeEnds, healthOfContainer, type End } from './health.ts'

const service: ListedHealth = {
  state: 'running',
  exitCode: undefined,
  health: undefined,
  isOneShot: false,
  restarts: true,
  checkEvery: undefined,
}

function end(at: number, exitCode = 1): End {
  return { at, exitCode, isOutOfMemory: false }
}

function stateOf(listed: Partial<ListedHealth>, ends: readonly End[] = [], now = 100_000): string {
  return healthOfContainer({ ...service, ...listed }, ends, undefined, now).state
}

void test('what nobody declared a check for is well while it runs', () => {
  assert.equal(stateOf({}), 'ok')
})

void test('a one-shot that ended with 0 is completed and well; with another code it failed', () => {
  const job = { isOneShot: true, restarts: false, state: 'exited' }
  assert.equal(stateOf({ ...job, exitCode: 0 }), 'ok')
  assert.equal(stateOf({ ...job, exitCode: 2 }), 'failed')
})

void test('what should run and ended has failed, unless its engine is about to start it again', () => {
  assert.equal(stateOf({ state: 'exited', exitCode: 0, restarts: false }), 'failed')
  assert.equal(stateOf({ state: 'restarting' }, [end(99_000)]), 'waiting')
  assert.equal(stateOf({ state: 'exited', exitCode: 1 }, [end(99_000)]), 'waiting')
  assert.equal(stateOf({ state: 'exited', exitCode: 1 }, [end(90_000)]), 'failed')
  assert.equal(stateOf({ state: 'exited', exitCode: 1, endedAt: 99_000 }), 'waiting')
  assert.equal(stateOf({ state: 'exited', restarts: false, endedAt: 99_000 }), 'failed')
})

void test('a crash loop is one state, however a look finds it, and ends when it held', () => {
  const ends = [end(90_000), end(91_000), end(93_000)]
  for (const state of ['running', 'restarting', 'exited']) {
    const seen = healthOfContainer({ ...service, state }, ends, undefined, 94_000)
    assert.equal(seen.state, 'failed')
    assert.equal(seen.isLooping, true)
    assert.equal(seen.restartCount, 3)
    assert.equal(seen.message, 'it ended with exit code 1, again and again (3 times)')
  }
  const seen = healthOfContainer(service, ends, undefined, 94_000)
  assert.equal(seen.until, 123_000)
  assert.equal(stateOf({}, ends, 123_000), 'ok')
  assert.equal(stateOf({ state: 'restarting' }, ends, 200_000), 'failed')
})

void test('what ends every forty seconds does not seem to recover in between', () => {
  const ends = [end(0), end(40_000), end(80_000)]
  assert.equal(stateOf({}, ends, 119_000), 'failed')
})

void test('one end is told for a while, and is no failure', () => {
  assert.equal(stateOf({}, [end(95_000, 137)]), 'waiting')
  assert.equal(stateOf({}, [end(80_000, 137)]), 'ok')
})

void test('ends far apart have nothing to do with each other', () => {
  assert.equal(closeEnds([end(0), end(1_000), end(400_000)]).length, 1)
  assert.equal(closeEnds([end(0), end(1_000), end(4_000)]).length, 3)
})

void test('a check is believed where the list tells it, and else the last look', () => {
  assert.equal(stateOf({ health: 'unhealthy' }), 'failed')
  assert.equal(stateOf({ health: 'starting' }), 'waiting')
  const checked = { state: 'failed', message: 'its health check failed: no' } as const
  const listed = { ...service, checkEvery: 1_000 }
  assert.equal(healthOfContainer(listed, [], checked, 0).message, 'its health check failed: no')
  assert.equal(healthOfContainer(listed, [], undefined, 0).state, 'waiting')
})

void test('what was made and not started is waited for a while, then it failed; an engine that says why is believed at once', () => {
  for (const state of ['created', 'configured', 'initialized']) {
    assert.equal(stateOf({ state, unstartedAt: 95_000 }), 'waiting')
    assert.equal(stateOf({ state, unstartedAt: 90_000 }), 'failed')
  }
  const listed = { ...service, state: 'created', unstartedAt: 100_000 }
  assert.equal(healthOfContainer(listed, [], undefined, 100_000).until, 110_000)
  const checked = { state: 'failed', message: 'it could not be started: no such file' } as const
  assert.deepEqual(healthOfContainer(listed, [], checked, 100_000), {
    ...checked,
    restartCount: 0,
    exitCode: undefined,
  })
})

void test('one that was killed for want of memory is said to have been', () => {
  const ends = [{ ...end(99_000, 137), isOutOfMemory: true }]
  const listed = { ...service, state: 'exited', exitCode: 137, restarts: false }
  const { message } = healthOfContainer(listed, ends, undefined, 100_000)
  assert.equal(message, 'it was killed for want of memory')
})
