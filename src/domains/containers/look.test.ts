/** What one look at a container that does not run says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InspectedContainer } from '#model/container-engine.ts'
import { lookAt } from './look.ts'

const never = new AbortController().signal

const made: InspectedContainer = {
  id: 'a',
  name: 'web',
  labels: {},
  imageId: '',
  state: 'created',
  isRunning: false,
  exitCode: 0,
  startError: '',
  pid: 0,
  createdAt: 0,
  startedAt: 0,
  restartCount: 0,
  health: { status: '', failingStreak: 0, last: undefined },
  hasCheck: false,
  networks: {},
  bindings: {},
}

async function looked(found: Partial<InspectedContainer>, isOneShot = false): Promise<string> {
  const engine = {
    inspectContainer: async () => ({ ...made, createdAt: Date.now(), ...found }),
    lastLines: async () => [],
  }
  const expected = { name: 'web', isOneShot, restarts: true }
  const { state, message } = await lookAt(engine, expected, 'started', () => undefined, never)
  return `${state}: ${message}`
}

test('what was made is about to be started, unless that was long ago or the engine says why not', async () => {
  assert.equal(await looked({}), 'waiting: it has not started yet')
  const longAgo = Date.now() - 31_000
  assert.equal(await looked({ createdAt: longAgo }), 'failed: it was made, and never started')
  assert.equal(
    await looked({ startError: 'exec: "/x": no such file' }),
    'failed: it could not be started: exec: "/x": no such file',
  )
})

test('what ended because it could not be started again says so, though it is to be restarted or to end', async () => {
  const found = { state: 'exited', exitCode: 0, startError: 'the bound folder is gone' }
  assert.equal(await looked(found), 'failed: it could not be started: the bound folder is gone')
  assert.equal(await looked(found, true), await looked(found))
  assert.equal(await looked({ state: 'exited' }, true), 'ok: it ended with exit code 0')
})

test('an engine whose clock is another one is not waited for, nor given up, because of that', async () => {
  const minutes = 7 * 60_000
  for (const ahead of [minutes, -minutes]) {
    const there = Date.now() + ahead
    const runs = { state: 'running', isRunning: true, ahead }
    assert.equal(await looked({ ...runs, startedAt: there - 1_000 }), 'ok: it runs')
    assert.equal(await looked({ ...runs, startedAt: there }), 'waiting: it has just started')
    assert.equal(await looked({ ahead, createdAt: there }), 'waiting: it has not started yet')
    const old = await looked({ ahead, createdAt: there - 31_000 })
    assert.equal(old, 'failed: it was made, and never started')
  }
})
