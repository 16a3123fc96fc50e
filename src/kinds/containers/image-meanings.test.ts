import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageMeanings } from './image-meanings.ts'

const { signal } = new AbortController()

test('names are asked for once, and again after news of images', async () => {
  let [calls, id] = [0, 'one']
  const meanings = imageMeanings(async () => {
    calls += 1
    return [{ id, names: ['app:latest', 'app:1'] }]
  })
  assert.deepEqual(
    [...(await meanings.now(signal))],
    [
      ['app:latest', 'one'],
      ['app:1', 'one'],
    ],
  )
  meanings.heard({ type: 'container', action: 'start' })
  meanings.heard({ type: 'image', action: 'mount' })
  await meanings.now(signal)
  assert.equal(calls, 1)
  id = 'two'
  meanings.heard({ type: 'image', action: 'tag' })
  assert.equal((await meanings.now(signal)).get('app:latest'), 'two')
  assert.equal(calls, 2)
})

test('news that come while it is asked are not lost', async () => {
  let calls = 0
  const meanings = imageMeanings(async () => {
    calls += 1
    if (calls === 1) meanings.heard({ type: 'image', action: 'pull' })
    return []
  })
  await meanings.now(signal)
  await meanings.now(signal)
  assert.equal(calls, 2)
  await meanings.now(signal)
  assert.equal(calls, 2)
})
