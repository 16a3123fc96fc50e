/** A health check that comes too late says that the container ended, not that Podman failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectionOf } from '#clients/containers/inspection.ts'
import type { Podman } from '#clients/podman/client.ts'
import { refusal } from '#clients/podman/problem.ts'
import { emptyMemory } from '../memory.ts'
import { probe } from './probe.ts'

const StartedAt = '2026-01-01T00:00:00Z'

const health = {
  test: ['CMD', 'true'],
  intervalSeconds: 5,
  timeoutSeconds: 3,
  startPeriodSeconds: 0,
  retries: 3,
}

function podmanThat(says: string): Podman {
  return {
    address: 'unix:///fake.sock',
    isLocal: true,
    ask: (_method, _path, { doing }) =>
      Promise.reject(refusal(doing, 500, JSON.stringify({ cause: says, message: says }))),
    stream: () => Promise.reject(new Error('not asked for')),
    close: () => undefined,
  }
}

function look(says: string): ReturnType<typeof probe> {
  return probe({
    podman: podmanThat(says),
    memory: emptyMemory(),
    about: { name: 'web', isOneShot: false, restarts: true, published: {}, health },
    signal: new AbortController().signal,
    found: inspectionOf({ Id: 'abc', State: { Status: 'running', StartedAt } }, () => ({})),
  })
}

test('one that ended before its check is waited for', async () => {
  const { state, message } = await look(
    'can only start exec sessions when their container is running: container state improper',
  )
  assert.equal(state, 'waiting')
  assert.match(message, /it stopped while its health was checked/)
})

test('another refusal is a problem', async () => {
  await assert.rejects(look('the disk is full'), /could not run the health check of container/)
})
