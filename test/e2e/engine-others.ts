/** A real engine itself, its images, networks and volumes, and what goes wrong on the way to it. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildImage } from '#clients/docker/build.ts'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import {
  createContainer,
  inspectContainer,
  removeContainer,
  startContainer,
  waitForExit,
} from '#clients/docker/containers.ts'
import { inspectImage, listImages, pullImage, type PullProgress } from '#clients/docker/images.ts'
import { lastLines } from '#clients/docker/logs.ts'
import {
  connectContainer,
  createNetwork,
  disconnectContainer,
  inspectNetwork,
  listNetworks,
  removeNetwork,
} from '#clients/docker/networks.ts'
import { factsOf, ping } from '#clients/docker/system.ts'
import { tarBytes, tarStream } from '#clients/docker/tar.ts'
import { createVolume, inspectVolume, listVolumes, removeVolume } from '#clients/docker/volumes.ts'
import { recordOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { busybox } from '../testbed/image.ts'
import { freePort } from '../testbed/port.ts'
import { type Registry } from '../testbed/registry.ts'
import { authOf, codeIs, file, signal, type Bench } from './engine-bench.ts'

export async function otherCases({
  engineName,
  t,
  docker,
  create,
  engine,
  registry,
  proxy,
}: Bench): Promise<void> {
  await t.test('agrees on a version with one ping, and tells what it can', async () => {
    proxy.reset()
    assert.equal(await docker.apiVersion(signal), '1.41')
    assert.equal(await docker.apiVersion(signal), '1.41')
    assert.deepEqual(
      proxy.calls().map(({ path }) => path),
      ['/_ping'],
    )
    await ping(docker, signal)
    const facts = await factsOf(docker, signal)
    assert.match(facts.version, /^\d+\.\d+/)
    assert.match(facts.platform, /^linux\/\w+$/)
    assert.equal(facts.joinsSeveralNetworks, false)
    assert.equal(facts.runsChecksWhenAsked, engineName === 'Podman')
  })

  await t.test('images that are there', async () => {
    const [listed] = await listImages(docker, signal)
    assert.deepEqual(listed!.names, [busybox])
    const image = await inspectImage(docker, busybox, signal)
    assert.equal(image!['Id'], listed!.id)
    assert.match(listed!.id, /^sha256:/)
    assert.equal(await inspectImage(docker, 'localhost/none:1', signal), undefined)
  })

  /** Tried again as a run does it: interfaces of other tests come and go. */
  async function made(body: JsonRecord, tries = 5): Promise<string> {
    try {
      return await createNetwork(docker, body, signal)
    } catch (thrown) {
      if (tries === 0 || !problemOf(thrown).recoverable) throw thrown
      await sleep(100)
      return made(body, tries - 1)
    }
  }

  await t.test('networks: created, joined, left, removed', async () => {
    const body = { Name: 'net', Driver: 'bridge', Labels: { a: 'b' } }
    const id = await made(body)
    await made({ Name: 'net2' })
    await assert.rejects(createNetwork(docker, body, signal), codeIs('name_taken'))
    const [listed, ...others] = await listNetworks(docker, ['a=b'], signal)
    assert.deepEqual(
      [listed!.id, listed!.name, listed!.labels, others],
      [id, 'net', { a: 'b' }, []],
    )
    assert.match(listed!.subnets[0]!.subnet, /^10\./)
    assert.equal((await inspectNetwork(docker, 'net', signal))!['Id'], id)
    assert.equal(await inspectNetwork(docker, 'absent', signal), undefined)
    const endpoints = { EndpointsConfig: { net: { Aliases: ['first'] } } }
    await create('on-net', ['sleep', '60'], {
      HostConfig: { NetworkMode: 'net' },
      NetworkingConfig: endpoints,
    })
    await connectContainer(docker, 'net2', 'on-net', { Aliases: ['second'] }, signal)
    await startContainer(docker, 'on-net', signal)
    const [joined] = await listContainers(docker, ['test=on-net'], signal)
    assert.deepEqual(joined!.networks.map(({ network }) => network).toSorted(), ['net', 'net2'])
    assert.ok(joined!.networks.every(({ address }) => address.startsWith('10.')))
    assert.ok([id, 'net'].includes(joined!.networks.find((n) => n.network === 'net')!.networkId))
    await assert.rejects(removeNetwork(docker, 'net', signal), codeIs('in_use'))
    await create('asks', ['nslookup', 'second'], { HostConfig: { NetworkMode: 'net2' } })
    await startContainer(docker, 'asks', signal)
    assert.equal(await waitForExit(docker, 'asks', signal), 0)
    await disconnectContainer(docker, 'net2', 'on-net', signal)
    const settings = recordOf(
      (await inspectContainer(docker, 'on-net', signal))!['NetworkSettings'],
    )
    assert.deepEqual(Object.keys(recordOf(settings['Networks'])), ['net'])
    await assert.rejects(
      connectContainer(docker, 'absent', 'on-net', {}, signal),
      codeIs('not_found'),
    )
    for (const name of ['on-net', 'asks']) await removeContainer(docker, name, true, signal)
    for (const name of ['net', 'net2', 'net']) await removeNetwork(docker, name, signal)
  })

  await t.test('volumes: an existing one is given back as it is', async () => {
    const made = await createVolume(docker, { Name: 'vol', Labels: { a: 'b' } }, signal)
    assert.deepEqual([made.name, made.labels], ['vol', { a: 'b' }])
    const again = await createVolume(docker, { Name: 'vol', Labels: { a: 'c' } }, signal)
    assert.deepEqual(again.labels, { a: 'b' })
    assert.equal((await listVolumes(docker, ['a=b'], signal))[0]!.name, 'vol')
    assert.deepEqual(await listVolumes(docker, ['a=c'], signal), [])
    assert.deepEqual((await inspectVolume(docker, 'vol', signal))!.labels, { a: 'b' })
    assert.equal(await inspectVolume(docker, 'none', signal), undefined)
    const mounts = [{ Type: 'volume', Source: 'vol', Target: '/data' }]
    await create('keeper', ['sleep', '60'], { HostConfig: { Mounts: mounts } })
    const [keeper] = await listContainers(docker, ['test=keeper'], signal)
    assert.deepEqual(
      keeper!.mounts.map(({ name, destination }) => [name, destination]),
      [['vol', '/data']],
    )
    await assert.rejects(removeVolume(docker, 'vol', signal), codeIs('in_use'))
    await removeContainer(docker, 'keeper', true, signal)
    await removeVolume(docker, 'vol', signal)
    await removeVolume(docker, 'vol', signal)
  })

  await t.test('an image is built from a streamed context', async () => {
    const text = `FROM ${busybox} AS base\nARG WHO\nRUN echo hello $WHO > /who\nCOPY a/b /b\nFROM base AS last\n`
    const context = [
      file('Dockerfile.x', text),
      { path: 'a', mode: 0o755, type: 'folder' } as const,
      file('a/b', 'from context\n'),
    ]
    const said: string[] = []
    const wanted = {
      tag: 'localhost/built:1',
      dockerfile: 'Dockerfile.x',
      arguments: { WHO: 'you' },
      labels: { made: 'here' },
      stage: 'last',
      report: (line: string) => void said.push(line),
    }
    const id = await buildImage(docker, { ...wanted, context: tarStream(context) }, signal)
    const image = await inspectImage(docker, 'localhost/built:1', signal)
    assert.equal(image!['Id'], id)
    assert.equal(recordOf(recordOf(image!['Config'])['Labels'])['made'], 'here')
    assert.ok(said.length > 2)
    const body = { Image: 'localhost/built:1', Cmd: ['cat', '/who', '/b'] }
    await createContainer(docker, { name: 'built', body }, signal)
    await startContainer(docker, 'built', signal)
    await waitForExit(docker, 'built', signal)
    assert.deepEqual(await lastLines(docker, 'built', 5, signal), ['hello you', 'from context'])
    await removeContainer(docker, 'built', true, signal)
    const broken = [file('Dockerfile.x', `FROM ${busybox}\nRUN echo this went wrong; exit 7\n`)]
    const failing = buildImage(
      docker,
      { ...wanted, stage: undefined, context: tarBytes(broken) },
      signal,
    )
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.match(error.message, /could not build image localhost\/built:1: [^]*this went wrong/)
      return true
    })
  })

  await t.test('pulls: progress, a moved tag, no login, no such tag, no registry', async () => {
    const auth = authOf(registry)
    const first = await engine.addImage('localhost/first:1', 'one')
    const second = await engine.addImage('localhost/second:1', 'two')
    const said: PullProgress[] = []
    const pull = (image: string, secret: string | undefined) =>
      pullImage(docker, { image, auth: secret, report: (line) => void said.push(line) }, signal)
    const idOf = async (image: string) => (await inspectImage(docker, image, signal))!['Id']
    await engine.push(registry, first, 'app:1')
    assert.equal(await pull(`${registry.host}/app:1`, auth), await idOf('localhost/first:1'))
    await engine.push(registry, second, 'app:1')
    assert.equal(await pull(`${registry.host}/app:1`, auth), await idOf('localhost/second:1'))
    assert.ok(said.length > 0)
    const digest = await digestOf(registry, 'app', '1')
    assert.equal(
      await pull(`${registry.host}/app@${digest}`, auth),
      await idOf('localhost/second:1'),
    )
    await assert.rejects(pull(`${registry.host}/app:1`, undefined), codeIs('image_denied'))
    await assert.rejects(pull(`${registry.host}/app:9`, auth), codeIs('image_not_found'))
    await assert.rejects(pull(`127.0.0.1:${await freePort()}/app:1`, auth), codeIs('unreachable'))
    await assert.rejects(pull('Not A Name', auth), codeIs('image_not_found'))
  })

  await t.test('failed and lost calls are told apart', async () => {
    const faults = [
      ['refuse', 'api_error', false],
      ['cut-before', 'unreachable', true],
      ['cut-after', 'unreachable', true],
    ] as const
    for (const [fault, code, recoverable] of faults) {
      proxy.plan(({ isWrite }) => (isWrite ? fault : 'pass'))
      await assert.rejects(createVolume(docker, { Name: fault }, signal), (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.deepEqual([error.code, error.recoverable], [code, recoverable])
        return true
      })
    }
    proxy.plan(() => 'pass')
    const volumes = await listVolumes(docker, [], signal)
    assert.deepEqual(
      volumes.map(({ name }) => name),
      ['cut-after'],
    )
    await removeVolume(docker, 'cut-after', signal)
    const control = new AbortController()
    proxy.plan(() => 'hang')
    const waiting = listVolumes(docker, [], control.signal)
    setTimeout(() => control.abort(new Error('enough')), 20)
    await assert.rejects(waiting, /enough/)
    proxy.plan(() => 'pass')
    const nobody = dockerAt({ address: 'unix:///nowhere/docker.sock' })
    await assert.rejects(listVolumes(nobody, [], signal), codeIs('unreachable'))
  })
}

async function digestOf(registry: Registry, name: string, tag: string): Promise<string> {
  const login = Buffer.from(`${registry.user}:${registry.password}`).toString('base64')
  const { headers } = await fetch(`http://${registry.host}/v2/${name}/manifests/${tag}`, {
    headers: {
      Authorization: `Basic ${login}`,
      Accept:
        'application/vnd.oci.image.manifest.v1+json,application/vnd.docker.distribution.manifest.v2+json',
    },
  })
  return headers.get('docker-content-digest') ?? ''
}
