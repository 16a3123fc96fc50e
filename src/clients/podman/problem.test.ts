import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError } from '#clients/http/connection.ts'
import { broken, refusal } from './problem.ts'

const said = [
  [
    500,
    'that name is already in use',
    'creating container storage: the container name "web" is already in use',
    'name_taken',
    false,
  ],
  [500, 'no such network interface', 'route ip+net: no such network interface', 'conflict', true],
  [
    500,
    'container state improper',
    'cannot remove container 35b7 as it could not be stopped: sending SIGKILL to container 35b7: container state improper: stopped',
    'conflict',
    true,
  ],
  [500, 'secret name in use', 'db: secret name in use', 'name_taken', false],
  [
    500,
    'volume already exists',
    'volume with name data already exists: volume already exists',
    'name_taken',
    false,
  ],
  [
    409,
    'network already exists',
    'network name web already used: network already exists',
    'name_taken',
    false,
  ],
  [
    500,
    'network is being used',
    '"web" has associated containers with it. Use -f: network is being used',
    'in_use',
    false,
  ],
  [
    409,
    'volume is being used',
    'volume data is being used by the following container(s): x',
    'in_use',
    false,
  ],
  [500, 'image not known', 'localhost/x:1: image not known', 'image_not_found', false],
  [
    500,
    '',
    'pinging container registry h: Get "https://h/v2/": dial tcp: lookup h on 10.0.0.2:53: no such host',
    'unreachable',
    false,
  ],
  [
    500,
    '',
    'initializing source docker://127.0.0.1:5000/x:1: reading manifest 1 in 127.0.0.1:5000/x: manifest unknown',
    'image_not_found',
    false,
  ],
  [
    500,
    '',
    'initializing source docker://h/x:1: reading manifest 1 in h/x: unauthorized: authentication required',
    'image_denied',
    false,
  ],
  [
    500,
    'address already in use',
    'cannot listen on the TCP port: listen tcp4 :8080: bind: address already in use',
    'port_taken',
    true,
  ],
  [
    500,
    '',
    'pinging container registry h: Get "https://h/v2/": dial tcp: i/o timeout',
    'unreachable',
    true,
  ],
  [
    500,
    'no such file or directory',
    'statfs /nowhere: no such file or directory',
    'api_error',
    false,
  ],
  [
    404,
    'no such container',
    'no container with name or ID "x" found: no such container',
    'not_found',
    false,
  ],
  [503, '', 'busy', 'api_error', true],
] as const

for (const [status, cause, message, code, recoverable] of said) {
  test(`${status} ${message} is ${code}`, () => {
    const problem = refusal('could not do it', status, JSON.stringify({ cause, message }))
    assert.equal(problem.code, code)
    assert.equal(problem.recoverable, recoverable)
    assert.equal(problem.message, `could not do it: ${message}`)
  })
}

test('a body that is no JSON is shown as it is', () => {
  assert.equal(
    refusal('could not do it', 400, 'Bad Request').message,
    'could not do it: Bad Request',
  )
})

test('a connection that fails may be tried again, and says where it went', () => {
  const refused = broken(
    'could not list',
    'unix:///a.sock',
    new ConnectionError('ECONNREFUSED', 'connect ECONNREFUSED', undefined),
  )
  assert.deepEqual([refused.code, refused.recoverable], ['unreachable', true])
  assert.match(refused.message, /could not list: unix:\/\/\/a\.sock: Podman does not serve there/)
  const silent = broken(
    'could not list',
    'unix:///a.sock',
    new ConnectionError('SILENT', 'no answer in 60 s', undefined),
  )
  assert.deepEqual([silent.code, silent.recoverable], ['timed_out', true])
})

test('a socket of somebody else: that it is not for this user, and which one is', () => {
  const said = 'connect EACCES /a.sock'
  const forbidden = broken(
    'could not list',
    'unix:///a.sock',
    new ConnectionError('EACCES', said, undefined),
  )
  assert.equal(
    forbidden.message,
    'could not list: unix:///a.sock: this user may not use the socket',
  )
  assert.match(forbidden.suggestion ?? '', /systemctl --user start podman\.socket/)
  assert.equal(forbidden.code, 'unreachable')
})

test('a registry that is not found: what to look at', () => {
  const body = JSON.stringify({ message: 'lookup registry-1.docker.io: no such host' })
  assert.match(refusal('could not pull x', 500, body).suggestion ?? '', /DNS, proxy/)
})

test('every refusal of Podman says what to do', () => {
  for (const [status, cause, message] of said) {
    const body = JSON.stringify({ cause, message, response: status })
    assert.notEqual(refusal('could not do it', status, body).suggestion, undefined, message)
  }
  const telling: readonly (readonly [message: string, wanted: RegExp])[] = [
    ['subnet 10.1.0.0/24 is already used on the host or by another config', /another subnet/],
    [
      'crun: executable file `nope` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found',
      /no such program/,
    ],
    ['runc: exec: "nope": executable file not found in $PATH', /no such program/],
    ['normalizing image: invalid reference format', /registry\.example\.org/],
    ['something that nobody has read of', /Podman's own words/],
  ]
  for (const [message, wanted] of telling) {
    const body = JSON.stringify({ cause: '', message, response: 500 })
    assert.match(refusal('could not do it', 500, body).suggestion ?? '', wanted, message)
  }
})

test('a pull that failed is understood in the words of Podman 6 too', () => {
  const lines =
    '{"stream":"Trying to pull x:1..."}\n{"error":"reading manifest: manifest unknown"}\n'
  for (const body of [lines, '{"cause":"","message":"manifest unknown","response":404}']) {
    const problem = refusal('could not pull image x:1', 404, body)
    assert.equal(problem.code, 'image_not_found')
    assert.match(problem.message, /^could not pull image x:1: [^{]*manifest unknown$/)
  }
})
