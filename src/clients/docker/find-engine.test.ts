import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { checkedAddress, serverAddressOf, sshTo } from './engine-address.ts'
import { findEngine, type Surroundings } from './find-engine.ts'

const nowhere: Surroundings = {
  environment: {},
  uid: 1000,
  home: '/home/me',
  exists: () => false,
  mayUse: () => false,
  read: () => undefined,
}

function withFiles(files: Readonly<Record<string, string>>): Surroundings {
  return { ...nowhere, read: (path) => files[path], exists: (path) => path in files }
}

function context(name: string, endpoint: object): Readonly<Record<string, string>> {
  const folder = createHash('sha256').update(name).digest('hex')
  const meta = { Name: name, Metadata: {}, Endpoints: { docker: endpoint } }
  return { [`/home/me/.docker/contexts/meta/${folder}/meta.json`]: JSON.stringify(meta) }
}

test('what the user named comes first, in this order', () => {
  const environment = { DOCKER_HOST: 'tcp://h:1', DOCKER_CONTEXT: 'far', CONTAINER_HOST: '/c.sock' }
  const named = { ...withFiles(context('far', { Host: 'ssh://me@far' })), environment }
  assert.deepEqual(findEngine({ ...named, target: '/a.sock' }), { address: 'unix:///a.sock' })
  assert.deepEqual(findEngine(named), { address: 'tcp://h:1' })
  const less = { ...named, environment: { ...environment, DOCKER_HOST: '' } }
  assert.deepEqual(findEngine(less), { address: 'ssh://me@far' })
  const least = { ...named, environment: { CONTAINER_HOST: 'unix:/c.sock' } }
  assert.deepEqual(findEngine(least), { address: 'unix:///c.sock' })
})

test('the current context of Docker’s command, with its certificates', () => {
  const config = { '/home/me/.docker/config.json': '{"currentContext":"far"}' }
  const files = { ...config, ...context('far', { Host: 'tcp://far:2376', SkipTLSVerify: false }) }
  assert.deepEqual(findEngine(withFiles(files)), { address: 'tcp://far:2376' })
  const folder = createHash('sha256').update('far').digest('hex')
  const ca = `/home/me/.docker/contexts/tls/${folder}/docker/ca.pem`
  assert.deepEqual(findEngine(withFiles({ ...files, [ca]: '' })), {
    address: 'tcp://far:2376',
    tls: { ca, isVerified: true },
  })
  assert.throws(() => findEngine(withFiles(config)), /context far is not there/)
  const nameless = { ...config, ...context('far', {}) }
  assert.throws(() => findEngine(withFiles(nameless)), /names no engine/)
  const usual = { '/home/me/.docker/config.json': '{"currentContext":"default"}' }
  assert.throws(() => findEngine(withFiles(usual)), /no Docker and no Podman/)
  assert.throws(() => findEngine(withFiles({ '/home/me/.docker/config.json': '{' })), /no Docker/)
})

test('then the usual sockets: Docker’s, rootless ones, Podman’s', () => {
  const places = [
    '/var/run/docker.sock',
    '/run/user/1000/docker.sock',
    '/run/user/1000/podman/podman.sock',
    '/run/podman/podman.sock',
  ]
  for (const [index, place] of places.entries()) {
    const rest = places.slice(index)
    const around = { ...nowhere, mayUse: (path: string) => rest.includes(path) }
    assert.deepEqual(findEngine(around), { address: `unix://${place}` })
  }
})

test('nothing there: says what was tried and the line that starts one', () => {
  assert.throws(
    () => findEngine(nowhere),
    (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.match(error.suggestion ?? '', /systemctl start docker.*systemctl --user start podman/)
      const tried = error.details.join('\n')
      for (const word of ['DOCKER_HOST', 'config.json', '/var/run/docker.sock', '/run/podman/']) {
        assert.ok(tried.includes(word), word)
      }
      return true
    },
  )
  const denied = { ...nowhere, exists: (path: string) => path === '/var/run/docker.sock' }
  assert.throws(() => findEngine(denied), /docker\.sock is there, but you may not use it/)
})

test('TLS is asked for by either variable, and for tcp alone', () => {
  const tls = (from: string) => ({
    ca: `${from}/ca.pem`,
    cert: `${from}/cert.pem`,
    key: `${from}/key.pem`,
    isVerified: true,
  })
  const host = { DOCKER_HOST: 'tcp://h' }
  const at = (environment: Readonly<Record<string, string>>) =>
    findEngine({ ...nowhere, environment })
  assert.deepEqual(at({ ...host, DOCKER_CERT_PATH: '/c' }).tls, tls('/c'))
  assert.deepEqual(at({ ...host, DOCKER_TLS_VERIFY: '1' }).tls, tls('/home/me/.docker'))
  assert.equal(at(host).tls, undefined)
  assert.equal(at({ DOCKER_HOST: '/x', DOCKER_TLS_VERIFY: '1' }).tls, undefined)
})

test('addresses are made whole or refused', () => {
  assert.deepEqual(serverAddressOf({ address: 'unix:///x.sock' }), { socketPath: '/x.sock' })
  assert.deepEqual(serverAddressOf({ address: 'tcp://h' }), { host: 'h', port: 2375 })
  assert.deepEqual(serverAddressOf({ address: 'tcp://[::1]:9' }), { host: '::1', port: 9 })
  const tls = serverAddressOf({ address: 'tcp://h', tls: { isVerified: true } })
  assert.deepEqual(tls, { host: 'h', port: 2376, tls: { isVerified: true } })
  for (const bad of [
    'docker',
    'tcp://',
    'http://h',
    'ssh://-oProxyCommand=x',
    'unix:',
    'npipe:////./x',
  ]) {
    assert.throws(
      () => checkedAddress(bad, 'DOCKER_HOST'),
      /DOCKER_HOST: .* is not an address/,
      bad,
    )
  }
  assert.throws(
    () => checkedAddress('ssh://me:secret@h', '--target'),
    (error: unknown) => {
      return error instanceof Problem && !`${error.message}${error.suggestion}`.includes('secret')
    },
  )
})

test('ssh gets the user, the port and the socket there, and never asks', () => {
  const options = '-T -oBatchMode=yes -oConnectTimeout=30'
  assert.equal(
    sshTo('ssh://host').arguments.join(' '),
    `${options} -- host docker system dial-stdio`,
  )
  assert.equal(
    sshTo('ssh://me@host:2222/run/my%20docker.sock').arguments.join(' '),
    `${options} -l me -p 2222 -- host docker --host 'unix:///run/my docker.sock' system dial-stdio`,
  )
})
