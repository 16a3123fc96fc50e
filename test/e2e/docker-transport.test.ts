/** The ways to an engine beside its own socket: TLS with certificates both ways, and ssh. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import {
  createContainer,
  inspectContainer,
  removeContainer,
  startContainer,
} from '#clients/docker/containers.ts'
import { listen } from '#clients/docker/events.ts'
import { execIn } from '#clients/docker/exec.ts'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { listImages } from '#clients/docker/images.ts'
import { factsOf } from '#clients/docker/system.ts'
import { Problem } from '#model/problem.ts'
import { makeCertificates } from '../testbed/docker-certificates.ts'
import { startSsh } from '../testbed/docker-ssh.ts'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'

const { signal } = new AbortController()

function engineIn(environment: Readonly<Record<string, string>>) {
  return findEngine({ ...surroundings(undefined), environment })
}

function unreachable(pattern: RegExp, isRecoverable: boolean): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.code, error.recoverable], ['unreachable', isRecoverable], error.message)
    assert.match(`${error.message}\n${error.suggestion}`, pattern)
    return true
  }
}

test('over TLS', { skip: requiredDocker() || required('openssl') }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-certificates-'))
  const { server, client } = makeCertificates(join(folder, 'ours'))
  const stranger = makeCertificates(join(folder, 'others')).client
  const port = await freePort()
  const pems = {
    ca: join(server, 'ca.pem'),
    cert: join(server, 'cert.pem'),
    key: join(server, 'key.pem'),
  }
  const service = await startDocker({ tls: { port, ...pems } })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })
  await service.addImage()
  const host = { DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_TLS_VERIFY: '1' }

  await t.test('with the certificates of DOCKER_CERT_PATH', async () => {
    const docker = dockerAt(engineIn({ ...host, DOCKER_CERT_PATH: client }))
    assert.equal(docker.isLocal, false)
    assert.equal((await factsOf(docker, signal)).apiVersion, '1.41')
    const listening = await listen(docker, {}, signal)
    await createContainer(docker, { name: 'one', body: { Image: busybox } }, signal)
    for await (const { action } of listening) {
      assert.equal(action, 'create')
      break
    }
    docker.close()
  })
  await t.test(
    'an authority that did not sign the engine, and a client that it does not know',
    async () => {
      const strange = dockerAt(engineIn({ ...host, DOCKER_CERT_PATH: stranger }))
      await assert.rejects(listImages(strange, signal), unreachable(/ca\.pem/, false))
      const tls = { ca: pems.ca, cert: join(stranger, 'cert.pem'), key: join(stranger, 'key.pem') }
      const unknown = dockerAt({ address: host.DOCKER_HOST, tls: { ...tls, isVerified: true } })
      await assert.rejects(listImages(unknown, signal), unreachable(/cert\.pem/, false))
      const nameless = dockerAt({
        address: `tcp://localhost.localdomain:${port}`,
        tls: { ...tls, isVerified: true },
      })
      await assert.rejects(
        listImages(nameless, signal),
        unreachable(/ca\.pem|name of the host/, false),
      )
    },
  )
  await t.test(
    'without TLS where the engine wants it, and without the files that it takes',
    async () => {
      const plain = dockerAt({ address: host.DOCKER_HOST })
      await assert.rejects(listImages(plain, signal), unreachable(/DOCKER_TLS_VERIFY=1/, false))
      assert.throws(
        () => dockerAt(engineIn({ ...host, DOCKER_CERT_PATH: folder })),
        /ca\.pem can't be read/,
      )
    },
  )
})

test('over ssh', { skip: requiredDocker() || required('sshd') }, async (t) => {
  const service = await startDocker()
  const ssh = await startSsh(mkdtempSync(join(tmpdir(), 'tend-ssh-')))
  const path = process.env['PATH']
  process.env['PATH'] = `${ssh.programs}:${path}`
  await service.addImage()
  const docker = dockerAt(engineIn({ DOCKER_HOST: `ssh://${ssh.place}${service.socket}` }))
  after(async () => {
    docker.close()
    process.env['PATH'] = path
    await ssh.stop()
    await service.stop()
  })

  await t.test('calls, streams and a command in a container', async () => {
    assert.equal(await docker.apiVersion(signal), '1.41')
    assert.deepEqual((await listImages(docker, signal))[0]!.names, [busybox])
    const control = new AbortController()
    const listening = await listen(docker, { type: ['container'] }, control.signal)
    const body = { Image: busybox, Cmd: ['sleep', '60'] }
    await createContainer(docker, { name: 'far', body }, signal)
    await startContainer(docker, 'far', signal)
    const seen: string[] = []
    for await (const { action } of listening) if (seen.push(action) === 2) break
    control.abort()
    assert.deepEqual(seen.slice(0, 1), ['create'])
    const said: string[] = []
    const report = (line: string) => void said.push(line)
    assert.equal(await execIn(docker, 'far', { command: ['echo', 'hello'], report }, signal), 0)
    assert.deepEqual(said, ['hello'])
    const looks = Array.from({ length: 20 }, () => inspectContainer(docker, 'far', signal))
    assert.ok((await Promise.all(looks)).every((found) => found !== undefined))
    await removeContainer(docker, 'far', true, signal)
  })
  await t.test(
    'no engine behind it, and no key: each in the words of those who refused',
    async () => {
      const nobody = dockerAt({ address: `ssh://${ssh.place}/nowhere/docker.sock` })
      await assert.rejects(listImages(nobody, signal), unreachable(/nowhere\/docker\.sock/, true))
      ssh.loseKey()
      const locked = dockerAt({ address: `ssh://${ssh.place}` })
      await assert.rejects(
        listImages(locked, signal),
        unreachable(/[Pp]ermission denied.*\n.*ssh /s, false),
      )
    },
  )
})
