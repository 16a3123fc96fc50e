import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { sshTo } from './engine-address.ts'
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

test('ssh as Podman names its connections; other words are refused with a way out', () => {
  const ssh = 'ssh://root@host:2222/run/podman/podman.sock'
  assert.equal(findSocket({ ...nowhere, target: ssh }), ssh)
  assert.throws(() => findSocket({ ...nowhere, target: 'ssh://me:secret@host' }), /password/)
  assert.throws(
    () => findSocket({ ...nowhere, target: 'ssh://-oProxyCommand=x' }),
    /not an address/,
  )
  assert.throws(() => findSocket({ ...nowhere, target: 'docker' }), /not an address/)
})

test('the ssh that is called, with the key that CONTAINER_SSHKEY names', () => {
  const { arguments: words } = sshTo('ssh://me@host:2222/run/my%20podman.sock', '/keys/one')
  assert.equal(
    words.join(' '),
    "-T -oBatchMode=yes -oConnectTimeout=30 -i /keys/one -l me -p 2222 -- host podman --url 'unix:///run/my podman.sock' system dial-stdio",
  )
  assert.equal(
    sshTo('ssh://host', undefined).arguments.slice(-4).join(' '),
    'podman --remote system dial-stdio',
  )
})
