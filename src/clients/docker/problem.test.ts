import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '#clients/command/command-error.ts'
import { ConnectionError } from '#clients/http/connection.ts'
import { Problem } from '#model/problem.ts'
import { broken, refusal } from './problem.ts'

/** Status, text, code, recoverable. */
const said = [
  [
    409,
    'Conflict. The container name "/web" is already in use by container "0af". You have to remove (or rename) that container to be able to reuse that name.',
    'name_taken',
    false,
  ],
  [409, 'network with name web already exists', 'name_taken', false],
  [
    500,
    'driver failed programming external connectivity on endpoint web (5c): Bind for 0.0.0.0:80 failed: port is already allocated',
    'port_taken',
    true,
  ],
  [
    500,
    'driver failed programming external connectivity on endpoint web (5c): Error starting userland proxy: listen tcp4 0.0.0.0:80: bind: address already in use',
    'port_taken',
    true,
  ],
  [
    500,
    'cannot listen on the TCP port: listen tcp4 :80: bind: address already in use',
    'port_taken',
    true,
  ],
  [500, 'route ip+net: no such network interface', 'api_error', true],
  [403, 'Address already in use', 'conflict', false],
  [500, 'failed to set up container networking: Address already in use', 'conflict', false],
  [403, 'Pool overlaps with other one on this address space', 'conflict', false],
  [500, 'subnet 10.0.0.0/24 is already used on the host or by another config', 'conflict', false],
  [
    404,
    'could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network',
    'api_error',
    false,
  ],
  [404, 'No such image: nginx:9', 'image_not_found', false],
  [
    404,
    'manifest for nginx:9 not found: manifest unknown: manifest unknown',
    'image_not_found',
    false,
  ],
  [
    404,
    'no matching manifest for linux/arm64/v8 in the manifest list entries',
    'image_not_found',
    false,
  ],
  [400, 'invalid reference format: repository name must be lowercase', 'image_not_found', false],
  [
    404,
    "pull access denied for me/app, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    'image_denied',
    false,
  ],
  [500, 'Get "https://h/v2/app/manifests/1": no basic auth credentials', 'image_denied', false],
  [500, 'unauthorized: authentication required', 'image_denied', false],
  [500, 'toomanyrequests: You have reached your pull rate limit.', 'unreachable', true],
  [500, 'Get "https://h/v2/": dial tcp 10.0.0.1:443: i/o timeout', 'unreachable', true],
  [
    500,
    'Get "https://h/v2/": dial tcp: lookup h on 10.0.0.2:53: no such host',
    'unreachable',
    false,
  ],
  [
    500,
    'Get "https://h:5000/v2/": http: server gave HTTP response to HTTPS client',
    'unreachable',
    false,
  ],
  [400, 'Client sent an HTTP request to an HTTPS server.', 'unreachable', false],
  [409, 'remove data: volume is in use - [0af]', 'in_use', false],
  [403, 'error while removing network: network web id 0af has active endpoints', 'in_use', false],
  [
    409,
    'conflict: unable to remove repository reference "x" (must force) - container 0a is using its referenced image 0b',
    'in_use',
    false,
  ],
  [
    409,
    'You cannot remove a running container 0af. Stop the container before attempting removal or force remove',
    'in_use',
    false,
  ],
  [409, 'removal of container web is already in progress', 'conflict', true],
  [409, 'Container 0af is restarting, wait until the container is running', 'conflict', true],
  [409, 'Container 0af is not running', 'conflict', false],
  [
    409,
    'can only create exec sessions on running containers: container state improper',
    'conflict',
    false,
  ],
  [404, 'No such container: web', 'not_found', false],
  [404, 'network web not found', 'not_found', false],
  [404, 'get data: no such volume', 'not_found', false],
  [500, 'write /var/lib/x: no space left on device', 'api_error', false],
  [
    400,
    'invalid mount config for type "bind": bind source path does not exist: /x',
    'not_possible_here',
    false,
  ],
  [404, 'page', 'not_found', false],
  [409, 'something', 'conflict', false],
  [503, 'something', 'api_error', true],
] as const

for (const [status, text, code, recoverable] of said) {
  test(`${status} ${text.slice(0, 60)}`, () => {
    const problem = refusal('could not do it', status, JSON.stringify({ message: text }))
    assert.deepEqual([problem.code, problem.recoverable], [code, recoverable])
    assert.ok(problem.message === `could not do it: ${text}` || problem.cause === text)
  })
}

test('what is to be done is said where there is something', () => {
  const denied = refusal('x', 500, JSON.stringify({ message: 'unauthorized: no' }))
  assert.match(denied.suggestion ?? '', /docker login/)
  const tls = refusal('x', 400, 'Client sent an HTTP request to an HTTPS server.\n')
  assert.match(tls.suggestion ?? '', /DOCKER_TLS_VERIFY=1/)
})

test('Podman’s cause counts, and an answer without words names its status', () => {
  const body = { cause: 'image not known', message: 'x:1: gone', response: 500 }
  assert.equal(refusal('x', 500, JSON.stringify(body)).code, 'image_not_found')
  assert.equal(refusal('x', 500, '').message, 'x: status 500')
})

/** Node's code, then as above. */
const lost = [
  ['ECONNREFUSED', 'unreachable', true, /systemctl start docker/],
  ['ENOENT', 'unreachable', true, /systemctl start docker/],
  ['EACCES', 'unreachable', false, /usermod -aG docker/],
  ['ENOTFOUND', 'unreachable', false, /name of the host/],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unreachable', false, /ca\.pem/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', false, /ca\.pem/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unreachable', false, /cert\.pem/],
  ['EPROTO', 'unreachable', false, /wants TLS/],
  ['ECONNRESET', 'unreachable', true, /engine runs/],
  ['SILENT', 'timed_out', true, /^$/],
] as const

for (const [name, code, recoverable, suggestion] of lost) {
  test(`a connection that fails with ${name}`, () => {
    const problem = broken(
      'could not do it',
      'tcp://h:1',
      new ConnectionError(name, 'why', undefined),
    )
    assert.ok(problem instanceof Problem)
    assert.deepEqual([problem.code, problem.recoverable], [code, recoverable])
    assert.match(problem.suggestion ?? '', suggestion)
    assert.equal(problem.message, 'could not do it: tcp://h:1: why')
  })
}

test('OpenSSL’s lines are cut to what they say', () => {
  const line =
    '40:error:0A000412:SSL routines:ssl3_read_bytes:ssl/tls alert bad certificate:../deps/x.c:918:'
  const problem = broken('x', 'p', new ConnectionError('ERR_SSL_X', line, undefined))
  assert.ok(problem instanceof Problem)
  assert.equal(problem.message, 'x: p: ssl/tls alert bad certificate')
})

test('ssh that fails: for ever or for now, with a line to try', () => {
  const place = 'ssh://me@host:22/x.sock'
  for (const [words, recoverable, suggestion] of [
    ['me@host: Permission denied (publickey).', false, /ssh me@host -p 22 docker version/],
    ['Host key verification failed.', false, /ssh me@host/],
    ['bash: line 1: docker: command not found', false, /install the docker command/],
    ['ssh: connect to host h port 22: Connection refused', true, /ssh me@host/],
  ] as const) {
    const facts = {
      exitCode: 255,
      killedBy: undefined,
      hasTimedOut: false,
      startFailure: undefined,
    }
    const cause = new CommandError({ program: 'ssh', errorOutput: words, ...facts })
    const problem = broken('x', place, new ConnectionError('COMMAND', cause.message, cause))
    assert.ok(problem instanceof Problem)
    assert.deepEqual([problem.code, problem.recoverable], ['unreachable', recoverable])
    assert.match(problem.suggestion ?? '', suggestion)
    assert.ok(problem.message.includes(words))
  }
})

test('a bug of ours is not dressed up as a lost connection', () => {
  const bug = new TypeError('x is not a function')
  assert.equal(broken('x', 'p', bug), bug)
})

test('ports, programs and images of this machine in words, with the engine’s own as the cause', () => {
  const told = [
    [
      'driver failed programming external connectivity on endpoint web (5c): Error starting userland proxy: listen tcp4 0.0.0.0:8085: bind: address already in use',
      'could not start web: port 8085 of the host is in use',
    ],
    [
      'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "slep": executable file not found in $PATH: unknown',
      "could not start web: slep can't be run: executable file not found in $PATH",
    ],
    [
      'Get "https://localhost/v2/": dial tcp [::1]:443: connect: connection refused',
      'could not start web: it is not on this machine',
    ],
  ] as const
  for (const [text, message] of told) {
    const problem = refusal('could not start web', 500, JSON.stringify({ message: text }))
    assert.equal(problem.message, message)
    assert.equal(problem.cause, text)
    assert.ok(problem.suggestion)
  }
})

test('an engine that is not there is called that', () => {
  const place = 'unix:///run/docker.sock'
  const absent = new ConnectionError('ENOENT', 'connect ENOENT /run/docker.sock', undefined)
  const problem = broken('could not list containers', place, absent)
  assert.ok(problem instanceof Problem)
  const words = `could not list containers: ${place}: no engine is there: this socket does not exist`
  assert.equal(problem.message, words)
  assert.match(problem.suggestion ?? '', /systemctl start docker.*DOCKER_HOST/)
  const refused = new ConnectionError(
    'ECONNREFUSED',
    'connect ECONNREFUSED /run/docker.sock',
    undefined,
  )
  const again = broken('x', place, refused)
  assert.ok(again instanceof Problem)
  assert.match(again.message, /nobody listens$/)
})

test('a socket of somebody else is told as such', () => {
  const said = 'connect EACCES /a.sock'
  const problem = broken(
    'could not list',
    'unix:///a.sock',
    new ConnectionError('EACCES', said, undefined),
  )
  assert.ok(problem instanceof Problem)
  assert.match(problem.message, /unix:\/\/\/a\.sock: this user may not use the socket$/)
})
