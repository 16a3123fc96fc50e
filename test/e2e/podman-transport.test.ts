/** The ways to a Podman beside its own socket: ssh as its own connections are named, and TLS with certificates both ways. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createServer, type Server } from 'node:tls'
import { makeCertificates, type Certificates } from '../testbed/docker-certificates.ts'
import { startSsh, type SshServer } from '../testbed/docker-ssh.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const chart = {
  'far/Chart.yaml': 'name: far\nversion: 1.0.0\n',
  'far/templates/a.yaml': `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata:\n  name: far\nspec:\n  image: ${busybox}\n  command: [sleep, "1000"]\n  stopTimeoutSeconds: 1\n  health: {type: exec, command: ["true"], intervalSeconds: 1}\n`,
}

test('over ssh and over TLS', { skip: required('podman') || required('sshd') }, async (t) => {
  let service: TestPodman
  let ssh: SshServer
  let shell: Tend
  const folder = mkdtempSync(join(tmpdir(), 'tend-podman-ways-'))
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    ssh = await startSsh(mkdtempSync(join(tmpdir(), 'tend-ssh-')))
    shell = tendOn(service.socket)
    shell.write(chart)
  })
  after(async () => {
    shell.remove()
    rmSync(folder, { recursive: true, force: true })
    await ssh.stop()
    await service.stop()
  })
  async function roundTrip(environment: Record<string, string>): Promise<void> {
    for (const [line, said] of [
      ['install ./far', /1 created/],
      ['upgrade far --set x=1', /unchanged/],
      ['status far', /healthy/],
      ['uninstall far', /1 deleted/],
    ] as const) {
      const { code, out, err } = await shell.tend(line, environment)
      assert.equal(code, 0, `${line}\n${out}${err}`)
      assert.match(out, said, line)
    }
  }

  await t.test('ssh://user@host:port/path of the socket', async () => {
    const environment = {
      CONTAINER_HOST: `ssh://${ssh.place}${service.socket}`,
      PATH: `${ssh.programs}:${process.env['PATH']}`,
    }
    await roundTrip(environment)
    const nobody = { ...environment, CONTAINER_HOST: `ssh://${ssh.place}/nowhere/podman.sock` }
    const { code, out } = await shell.tend('install ./far --timeout 1s', nobody)
    assert.equal(code, 1)
    assert.match(out, /nowhere\/podman\.sock/)
    assert.match(out, /Suggestion: see whether this works without a question: ssh /)
  })

  await t.test('tcp:// with certificates, and never without the right ones', async () => {
    const certificates = makeCertificates(folder)
    const port = await freePort()
    const relay = await tlsBefore(service.socket, certificates, port)
    after(() => relay.close())
    const files = {
      CONTAINER_HOST: `tcp://127.0.0.1:${port}`,
      CONTAINER_TLS_CA: join(certificates.client, 'ca.pem'),
      CONTAINER_TLS_CERT: join(certificates.client, 'cert.pem'),
      CONTAINER_TLS_KEY: join(certificates.client, 'key.pem'),
    }
    await roundTrip(files)
    const lost = await shell.tend('install ./far --timeout 1s', {
      ...files,
      CONTAINER_TLS_CA: '/nowhere/ca.pem',
    })
    assert.notEqual(lost.code, 0)
    const { CONTAINER_TLS_CERT: _, CONTAINER_TLS_KEY: __, ...unknown } = files
    const refused = await shell.tend('install ./far --timeout 1s', unknown)
    assert.equal(refused.code, 1, refused.out)
    const stranger = { ...files, CONTAINER_HOST: `tcp://localhost:${port}`, CONTAINER_TLS_CA: '' }
    const doubted = await shell.tend('install ./far --timeout 1s', stranger)
    assert.equal(doubted.code, 1, doubted.out)
    assert.match(doubted.out, /Suggestion: check that the authority in CONTAINER_TLS_CA/)
  })
})

/** Podman 4 has no TLS of its own: people put something before it that has. */
async function tlsBefore(
  socket: string,
  certificates: Certificates,
  port: number,
): Promise<Server> {
  const pem = (name: string) => readFileSync(join(certificates.server, name))
  const server = createServer(
    {
      ca: pem('ca.pem'),
      cert: pem('cert.pem'),
      key: pem('key.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (client) => {
      const inner = connect(socket)
      client.pipe(inner).pipe(client)
      for (const side of [client, inner]) {
        side.on('error', () => {
          client.destroy()
          inner.destroy()
        })
      }
    },
  )
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}
