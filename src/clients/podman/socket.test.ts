import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { findSocket } from './socket.ts'

const nowhere = { environment: {}, uid: 1000, exists: () => false }

test('what the user named comes first, in this order', () => {
  const environment = { CONTAINER_HOST: 'tcp://h:1', PODMAN_SOCK: 'unix:/run/x.sock' }
  assert.equal(findSocket({ ...nowhere, target: '/a.sock', environment }), 'unix:///a.sock')
  assert.equal(findSocket({ ...nowhere, environment }), 'tcp://h:1')
  assert.equal(
    findSocket({ ...nowhere, environment: { ...environment, CONTAINER_HOST: '' } }),
    'unix:///run/x.sock',
  )
})

test('then the rootless socket, then the rootful one', () => {
  const both = { ...nowhere, exists: () => true }
  assert.equal(findSocket(both), 'unix:///run/user/1000/podman/podman.sock')
  assert.equal(
    findSocket({ ...both, environment: { XDG_RUNTIME_DIR: '/r' } }),
    'unix:///r/podman/podman.sock',
  )
  const rootful = { ...nowhere, exists: (path: string) => path.startsWith('/run/podman') }
  assert.equal(findSocket(rootful), 'unix:///run/podman/podman.sock')
})

test('nothing there: says what was tried and the line that starts one', () => {
  assert.throws(
    () => findSocket(nowhere),
    (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.match(error.suggestion ?? '', /systemctl --user start podman\.socket/)
      assert.match(error.details.join('\n'), /\/run\/podman\/podman\.sock/)
      return true
    },
  )
})

test('ssh and other words are refused with a way out', () => {
  assert.throws(() => findSocket({ ...nowhere, target: 'ssh://me@host' }), /over ssh/)
  assert.throws(() => findSocket({ ...nowhere, target: 'docker' }), /not an address/)
})
