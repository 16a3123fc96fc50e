/** Podman's list of images fails when an image is removed while it is made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '#clients/podman/problem.ts'
import { listImages, type Speaker } from './calls.ts'

const { signal } = new AbortController()

/** As Podman 4.3.1 answers. */
const gone = {
  cause: 'image not known',
  message:
    'checking if image "1086961836c7" is dangling: reading image "1086961836c7": locating image with ID "1086961836c7": image not known',
  response: 500,
}

function failing(times: number, body: object): Speaker & { readonly asked: () => number } {
  let asked = 0
  return {
    asked: () => asked,
    async ask() {
      asked += 1
      if (asked <= times) throw refusal('could not list images', 500, JSON.stringify(body))
      return { status: 200, body: [{ Id: 'a', RepoTags: ['web:1'] }] }
    },
  }
}

test('an image that goes meanwhile is no reason to know of none', async () => {
  const engine = failing(3, gone)
  const found = await listImages(engine, signal)
  assert.deepEqual(found, [{ id: 'a', names: ['web:1'], digests: [] }])
  assert.equal(engine.asked(), 4)
})

test('it is not asked for ever, and after no other failure', async () => {
  await assert.rejects(listImages(failing(100, gone), signal), /image not known|not found/)
  const broken = failing(1, { cause: 'disk', message: 'i/o error', response: 500 })
  await assert.rejects(listImages(broken, signal), /i\/o error/)
  assert.equal(broken.asked(), 1)
})
