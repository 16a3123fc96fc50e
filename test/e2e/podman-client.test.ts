/** The testbed and the client, on a real Podman: everything the other tests stand on. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import {
  createContainer,
  listContainers,
  removeContainer,
  startContainer,
} from '#clients/podman/containers.ts'
import { listen } from '#clients/podman/events.ts'
import { findImage, listImages, pullImage } from '#clients/podman/images.ts'
import { lastLines } from '#clients/podman/logs.ts'
import { createNetwork, listNetworks, removeNetwork } from '#clients/podman/networks.ts'
import { createSecret, inspectSecret, listSecrets, removeSecret } from '#clients/podman/secrets.ts'
import { factsOf, ping } from '#clients/podman/system.ts'
import { createVolume, listVolumes, removeVolume } from '#clients/podman/volumes.ts'
import { Problem } from '#model/problem.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'
import { startRegistry } from '../testbed/registry.ts'

const skip = required('podman')
const { signal } = new AbortController()

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

test('Podman', { skip }, async (t) => {
  let service: TestPodman
  let proxy: Proxy
  let podman: Podman
  before(async () => {
    service = await startPodman()
    proxy = await startProxy(service.socket)
    podman = podmanAt(`unix://${proxy.socket}`)
    await addImage(service.socket)
  })
  after(async () => {
    podman.close()
    await proxy.stop()
    await service.stop()
  })

  await t.test('answers', async () => {
    await ping(podman, signal)
    assert.match((await factsOf(podman, signal)).version, /^\d+\.\d+/)
    const images = await listImages(podman, signal)
    assert.deepEqual(images[0]!.names, [busybox])
    assert.equal(await findImage(podman, busybox, signal), images[0]!.id)
    assert.equal(await findImage(podman, 'localhost/none:1', signal), undefined)
  })

  await t.test('a container through its life', async () => {
    const body = {
      name: 'one',
      image: busybox,
      command: ['sh', '-c', 'echo out; echo err >&2; sleep 60'],
      labels: { a: 'b' },
    }
    await createContainer(podman, body, signal)
    await assert.rejects(createContainer(podman, body, signal), codeIs('name_taken'))
    await startContainer(podman, 'one', signal)
    await startContainer(podman, 'one', signal)
    const [found] = await listContainers(podman, signal)
    assert.deepEqual([found!.name, found!.state, found!.labels['a']], ['one', 'running', 'b'])
    let lines: readonly string[] = []
    while (lines.length < 2) lines = await lastLines(podman, 'one', 10, signal)
    assert.deepEqual(lines.toSorted(), ['err', 'out'])
    await removeContainer(podman, 'one', 0, signal)
    await removeContainer(podman, 'one', 0, signal)
    assert.deepEqual(await listContainers(podman, signal), [])
  })

  await t.test('networks, volumes and secrets', async () => {
    await createNetwork(podman, { name: 'net', labels: { a: 'b' }, dns_enabled: true }, signal)
    await assert.rejects(createNetwork(podman, { name: 'net' }, signal), codeIs('name_taken'))
    const network = (await listNetworks(podman, signal)).find(({ name }) => name === 'net')
    assert.deepEqual([network!.labels, network!.hasNames], [{ a: 'b' }, true])
    await removeNetwork(podman, 'net', signal)
    await removeNetwork(podman, 'net', signal)
    await createVolume(podman, { Name: 'vol', Labels: { a: 'b' } }, signal)
    await assert.rejects(createVolume(podman, { Name: 'vol' }, signal), codeIs('name_taken'))
    assert.deepEqual(
      (await listVolumes(podman, signal)).map(({ name, labels }) => [name, labels]),
      [['vol', { a: 'b' }]],
    )
    await removeVolume(podman, 'vol', signal)
    await createSecret(podman, 'sec', { a: 'b' }, Buffer.from('hush'), signal)
    await assert.rejects(
      createSecret(podman, 'sec', {}, Buffer.from('x'), signal),
      codeIs('name_taken'),
    )
    assert.equal((await listSecrets(podman, signal))[0]!.name, 'sec')
    assert.deepEqual((await inspectSecret(podman, 'sec', signal))!.labels, { a: 'b' })
    await removeSecret(podman, 'sec', signal)
  })

  await t.test('events arrive as they happen, and listening ends when it is told to', async () => {
    const control = new AbortController()
    const events = await listen(podman, control.signal)
    await createVolume(podman, { Name: 'seen' }, signal)
    for await (const event of events) {
      if (event.type !== 'volume') continue
      assert.deepEqual([event.action, event.name], ['create', 'seen'])
      break
    }
    control.abort()
    await removeVolume(podman, 'seen', signal)
  })

  await t.test('failed and lost calls are told apart', async () => {
    const faults = [
      ['refuse', 'api_error', false],
      ['cut-before', 'unreachable', true],
      ['cut-after', 'unreachable', true],
    ] as const
    for (const [fault, code, recoverable] of faults) {
      proxy.plan(({ isWrite }) => (isWrite ? fault : 'pass'))
      await assert.rejects(createVolume(podman, { Name: fault }, signal), (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.deepEqual([error.code, error.recoverable], [code, recoverable])
        return true
      })
    }
    proxy.plan(() => 'pass')
    assert.deepEqual(
      (await listVolumes(podman, signal)).map(({ name }) => name),
      ['cut-after'],
    )
    await removeVolume(podman, 'cut-after', signal)
    proxy.plan(() => 'hang')
    const asked = podman.ask('GET', '/_ping', { signal, doing: 'ping', silence: 100 })
    await assert.rejects(asked, codeIs('timed_out'))
    const control = new AbortController()
    const waiting = listVolumes(podman, control.signal)
    setTimeout(() => control.abort(new Error('enough')), 20)
    await assert.rejects(waiting, /enough/)
    proxy.plan(() => 'pass')
    const nobody = podmanAt('unix:///nowhere/podman.sock')
    await assert.rejects(listVolumes(nobody, signal), codeIs('unreachable'))
  })

  await t.test('the proxy counts reads and writes', async () => {
    proxy.reset()
    await listVolumes(podman, signal)
    await removeVolume(podman, 'none', signal)
    // a read whose connection the engine had just closed is asked again
    const reads = new Set(proxy.reads().map(({ path }) => path))
    assert.deepEqual([reads.size, proxy.writes().length], [1, 1])
  })
})

test('a registry behind a password', { skip: skip || required('docker-registry') }, async (t) => {
  const registry = await startRegistry()
  const service = await startPodman({ plainRegistries: [registry.host] })
  const podman = podmanAt(service.socket)
  after(async () => {
    podman.close()
    await service.stop()
    await registry.stop()
  })
  const first = await addImage(service.socket, 'localhost/first:1', 'one')
  const second = await addImage(service.socket, 'localhost/second:1', 'two')
  const login = { username: registry.user, password: registry.password }
  const auth = Buffer.from(JSON.stringify(login)).toString('base64url')
  const said: string[] = []
  const pull = (image: string, secret: string | undefined) =>
    pullImage(
      podman,
      {
        image: `${registry.host}/${image}`,
        policy: 'always',
        auth: secret,
        report: (text) => said.push(text),
      },
      signal,
    )

  await t.test('a tag that moves brings another id, with progress', async () => {
    await registry.push(service.socket, first, 'app:1')
    assert.equal(await pull('app:1', auth), first)
    assert.ok(said.length > 0)
    await registry.push(service.socket, second, 'app:1')
    assert.equal(await pull('app:1', auth), second)
  })
  await t.test('no password, and no such tag', async () => {
    await assert.rejects(pull('app:1', undefined), codeIs('image_denied'))
    await assert.rejects(pull('app:9', auth), codeIs('image_not_found'))
  })
})
