/** What is kept of containers beside lists: ends for want of memory, and looks that are no longer true. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeenContainer } from '#model/connection.ts'
import { createContainerRecords } from './container-records.ts'

function container(state: string): SeenContainer {
  return {
    ref: 'container/web-1',
    id: 'a',
    name: 'web-1',
    subject: null,
    state,
    exitCode: undefined,
    health: undefined,
    isOneShot: false,
    restarts: false,
    checkEvery: undefined,
  }
}

test('an end soon after the engine told of the want of memory was for that; a later one was not', () => {
  const records = createContainerRecords()
  records.heard({ id: 'a', happened: 'out of memory' }, 1_000)
  records.heard({ id: 'a', happened: 'ended', exitCode: 137 }, 1_100)
  records.heard({ id: 'a', happened: 'ended', exitCode: 137 }, 60_000)
  const memory = records.ends('a').map(({ isOutOfMemory }) => isOutOfMemory)
  assert.deepEqual(memory, [true, false])
})

test('why a container could not start is forgotten when it has started', () => {
  const records = createContainerRecords()
  records.listed([container('created')], 1_000)
  records.listed([container('created')], 2_000)
  assert.equal(records.dated(container('created')).unstartedAt, 1_000)
  records.keepLook('a', { state: 'failed', message: 'it could not be started: no' }, 2_000)
  records.listed([container('running')], 3_000)
  assert.equal(records.looked('a'), undefined)
  assert.equal(records.dated(container('running')).unstartedAt, undefined)
})
