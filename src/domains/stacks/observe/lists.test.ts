/** One round of lists for all who look at once; a round ends when something is changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Docker } from '#clients/docker/client.ts'
import { emptyMemory } from '../memory.ts'
import { sharedLists } from './lists.ts'

const { signal } = new AbortController()

function counting(fail: () => boolean): {
  readonly docker: Docker
  readonly paths: () => readonly string[]
} {
  const paths: string[] = []
  const docker: Docker = {
    address: 'unix:///nowhere',
    isLocal: true,
    apiVersion: async () => '1.41',
    async ask(_, path) {
      paths.push(path)
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (fail()) throw new Error('no')
      return { status: 200, headers: {}, body: path === '/volumes' ? { Volumes: [] } : [] }
    },
    stream: () => Promise.reject(new Error('not here')),
    close: () => undefined,
  }
  return { docker, paths: () => paths }
}

test('fifty who look at once make one round; the next one makes another', async () => {
  const { docker, paths } = counting(() => false)
  const memory = emptyMemory()
  await Promise.all(Array.from({ length: 50 }, () => sharedLists(docker, memory, 0, signal)))
  assert.equal(paths().length, 4)
  await sharedLists(docker, memory, 0, signal)
  assert.equal(paths().length, 8)
  await sharedLists(docker, memory, 60_000, signal)
  assert.equal(paths().length, 8)
  delete memory.lists
  await sharedLists(docker, memory, 60_000, signal)
  assert.equal(paths().length, 12)
})

test('a list that fails is no half of an answer; whoever joined asks again', async () => {
  let isBroken = true
  const { docker } = counting(() => isBroken)
  const memory = emptyMemory()
  const first = sharedLists(docker, memory, 0, signal)
  const second = sharedLists(docker, memory, 0, signal)
  await assert.rejects(first, /no/)
  isBroken = false
  assert.deepEqual(await second, { containers: [], networks: [], volumes: [] })
})
