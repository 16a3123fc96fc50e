/** A container that goes while it is looked at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectContainer } from './containers.ts'
import type { Podman } from './client.ts'
import { refusal } from './problem.ts'

/** As Podman 4.3.1 answers, with a 500, when the container went between its lookup and its inspection. */
const vanished = '{"cause":"no such container","message":"no such container 1f2e","response":500}'

function answering(body: string): Podman {
  return {
    address: 'unix:///podman.sock',
    isLocal: true,
    ask: async () => Promise.reject(refusal('could not look at container web', 500, body)),
    stream: async () => Promise.reject(new Error('nothing streams here')),
    close() {},
  }
}

const { signal } = new AbortController()

test('one that vanishes while it is looked at is absent', async () => {
  assert.equal(await inspectContainer(answering(vanished), 'web', signal), undefined)
})

test('any other failure stays one', async () => {
  const broken = answering('{"cause":"i/o timeout","message":"i/o timeout","response":500}')
  await assert.rejects(inspectContainer(broken, 'web', signal), /could not look at container web/)
})
