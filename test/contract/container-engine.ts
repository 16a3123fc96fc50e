/** What every engine of containers does behind its port, whichever API it is spoken to in. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Speaker } from '#clients/containers/calls.ts'
import type {
  ContainerEngine,
  Endpoint,
  InspectedContainer,
  Labels,
} from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { busybox } from '../testbed/image.ts'

/** What a container of the suite is made from. */
export type Wanted = {
  readonly command: readonly string[]
  readonly labels?: Labels
  /** A folder that gets a volume without a name. */
  readonly anonymous?: string
  readonly volume?: { readonly name: string; readonly target: string }
  readonly network?: string
  readonly check?: readonly string[]
  readonly port?: { readonly container: number; readonly host: number }
}

/** An engine, and what differs from API to API: the bodies. */
export type Bench = {
  readonly engine: ContainerEngine
  /** For what the port has no call for. */
  readonly speaker: Speaker
  container(name: string, wanted: Wanted): JsonRecord
  network(name: string, labels: Labels): JsonRecord
  volume(name: string, labels: Labels): JsonRecord
  endpoint(aliases: readonly string[]): Endpoint
  /** The names of all volumes. */
  volumes(): Promise<readonly string[]>
  close(): Promise<void>
}

const { signal } = new AbortController()
const sleeper = ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done']
const gone = { seconds: 0, withVolumes: true }

export function engineContract(
  name: string,
  open: () => Promise<Bench>,
  { skip }: { readonly skip: string | false },
): void {
  void describe(`${name} as an engine of containers`, { skip }, () => {
    let bench: Bench
    let engine: ContainerEngine
    before(async () => {
      bench = await open()
      ;({ engine } = bench)
    })
    after(() => bench.close())

    function make(object: string, wanted: Partial<Wanted> = {}): Promise<{ readonly id: string }> {
      const body = bench.container(object, { command: sleeper, ...wanted })
      return engine.createContainer({ name: object, body }, signal)
    }

    void test('what is not there is told as absent, and its removal is fine', async () => {
      assert.equal(await engine.inspectContainer('nobody', signal), undefined)
      assert.equal(await engine.networkLabels('nobody', signal), undefined)
      assert.equal(await engine.volumeLabels('nobody', signal), undefined)
      assert.equal(await engine.imageId('localhost/none:1', signal), undefined)
      assert.equal(await engine.inspectImage('localhost/none:1', signal), undefined)
      await engine.stopContainer('nobody', 0, signal)
      await engine.removeContainer('nobody', gone, signal)
      await engine.removeNetwork('nobody', signal)
      await engine.removeVolume('nobody', signal)
    })

    void test('a container through its life', async () => {
      const { id } = await make('one', { labels: { test: 'one' } })
      await assert.rejects(make('one'), codeIs('name_taken'))
      const made = await found('one')
      assert.deepEqual([made.id, made.name, made.labels['test']], [id, 'one', 'one'])
      assert.deepEqual([made.isRunning, made.pid, made.restartCount], [false, 0, 0])
      await engine.startContainer('one', signal)
      await engine.startContainer('one', signal)
      const running = await found(id)
      assert.deepEqual([running.state, running.isRunning], ['running', true])
      assert.ok(running.pid > 0)
      assert.ok(Math.abs(Date.now() - running.startedAt) < 60_000, `${running.startedAt}`)
      await engine.renameContainer('one', 'other', signal)
      assert.equal(await engine.inspectContainer('one', signal), undefined)
      assert.equal((await found(id)).name, 'other')
      await engine.stopContainer('other', 10, signal)
      await engine.stopContainer('other', 10, signal)
      const ended = await found('other')
      assert.deepEqual([ended.isRunning, ended.exitCode, ended.pid], [false, 0, 0])
      await engine.removeContainer('other', gone, signal)
      await engine.removeContainer('other', gone, signal)
      assert.equal(await engine.inspectContainer(id, signal), undefined)
    })

    void test('one that ended tells its exit code and its last lines', async () => {
      await make('ending', { command: ['sh', '-c', 'echo one; echo two; echo three; exit 3'] })
      await engine.startContainer('ending', signal)
      await until('ending', ({ isRunning, exitCode }) => !isRunning && exitCode === 3)
      assert.deepEqual(await engine.lastLines('ending', 2, signal), ['two', 'three'])
      await engine.removeContainer('ending', gone, signal)
    })

    void test('a removal gives it its time to end', async () => {
      const command = [
        'sh',
        '-c',
        'trap "echo bye > /data/bye; exit 0" TERM; echo ready; while true; do sleep 0.1; done',
      ]
      await engine.createVolume(bench.volume('left', {}), signal)
      const volume = { name: 'left', target: '/data' }
      await make('slow', { command, volume })
      await engine.startContainer('slow', signal)
      // before that it would not hear the signal
      while ((await engine.lastLines('slow', 1, signal))[0] !== 'ready') await sleep(50)
      await engine.removeContainer('slow', { seconds: 10, withVolumes: false }, signal)
      await make('reader', { command: ['cat', '/data/bye'], volume })
      await engine.startContainer('reader', signal)
      await until('reader', ({ isRunning, startedAt }) => !isRunning && startedAt > 0)
      assert.deepEqual(await engine.lastLines('reader', 5, signal), ['bye'])
      await assert.rejects(engine.removeVolume('left', signal), codeIs('in_use'))
      await engine.removeContainer('reader', gone, signal)
      await engine.removeVolume('left', signal)
    })

    void test('a paused one is running, and goes on', async () => {
      await make('paused')
      await engine.startContainer('paused', signal)
      const doing = 'could not pause it'
      await bench.speaker.ask('POST', '/containers/paused/pause', { signal, doing })
      assert.equal((await found('paused')).state, 'paused')
      await engine.unpauseContainer('paused', signal)
      assert.equal((await found('paused')).state, 'running')
      await engine.removeContainer('paused', gone, signal)
    })

    void test('volumes without a name go along only when it is said', async () => {
      const before = await bench.volumes()
      await make('holder', { anonymous: '/data' })
      assert.equal((await bench.volumes()).length, before.length + 1)
      await engine.removeContainer('holder', { seconds: 0, withVolumes: false }, signal)
      const kept = (await bench.volumes()).filter((one) => !before.includes(one))
      assert.equal(kept.length, 1)
      await engine.removeVolume(kept[0] ?? '', signal)
      await make('holder', { anonymous: '/data' })
      await engine.removeContainer('holder', gone, signal)
      assert.deepEqual(await bench.volumes(), before)
    })

    void test('a volume keeps its labels, whoever asks for its name', async () => {
      const labels = await engine.createVolume(bench.volume('data', { test: 'first' }), signal)
      assert.equal(labels['test'], 'first')
      const again = engine.createVolume(bench.volume('data', { test: 'second' }), signal)
      const said = await again.catch((error: unknown) => error)
      if (said instanceof Error) assert.ok(said instanceof Problem, String(said))
      else assert.deepEqual(said, labels)
      assert.equal((await engine.volumeLabels('data', signal))?.['test'], 'first')
      await engine.removeVolume('data', signal)
      assert.equal(await engine.volumeLabels('data', signal), undefined)
    })

    void test('a container goes off a network and on again as it was', async () => {
      await engine.createNetwork(bench.network('net', { test: 'net' }), signal)
      await engine.createNetwork(bench.network('home', {}), signal)
      assert.equal((await engine.networkLabels('net', signal))?.['test'], 'net')
      const { id } = await make('joined', { network: 'home' })
      await engine.startContainer('joined', signal)
      await engine.connect('net', id, bench.endpoint(['alpha', 'beta']), signal)
      await engine.connect('net', id, bench.endpoint(['alpha', 'beta']), signal)
      const on = (await found(id)).networks['net']
      assert.ok(on !== undefined)
      assert.match(on.addresses[0] ?? '', /^\d+\.\d+\.\d+\.\d+$/)
      assert.match(on.mac, /^[0-9a-f:]{17}$/)
      await assert.rejects(engine.removeNetwork('net', signal), codeIs('in_use'))
      await engine.disconnect('net', id, signal)
      await engine.disconnect('net', id, signal)
      assert.deepEqual(Object.keys((await found(id)).networks), ['home'])
      await engine.connect('net', id, on.endpoint, signal)
      const again = (await found(id)).networks['net']
      assert.deepEqual(sorted(again?.endpoint), sorted(on.endpoint))
      assert.deepEqual(
        sorted(on.endpoint),
        sorted({ ...on.endpoint, ...bench.endpoint(['alpha', 'beta']) }),
      )
      assert.ok(again !== undefined)
      const nameless = await engine.namelessEndpoint('net', again, signal)
      assert.ok(nameless !== undefined)
      await engine.disconnect('net', id, signal)
      await engine.connect('net', id, nameless, signal)
      const after = (await found(id)).networks['net']
      assert.deepEqual([after?.addresses, after?.mac], [again.addresses, again.mac])
      assert.doesNotMatch(JSON.stringify(after?.endpoint), /alpha|beta/)
      await engine.removeContainer('joined', gone, signal)
      await engine.connect('net', id, bench.endpoint([]), signal)
      for (const network of ['net', 'home']) await engine.removeNetwork(network, signal)
      assert.equal(await engine.networkLabels('net', signal), undefined)
    })

    void test('its health check and its ports are told', async () => {
      await make('plain')
      const plain = await found('plain')
      assert.deepEqual([plain.hasCheck, plain.health.status, plain.bindings], [false, '', {}])
      await make('checked', { check: ['CMD', 'true'], port: { container: 80, host: 45_678 } })
      const checked = await found('checked')
      assert.equal(checked.hasCheck, true)
      assert.deepEqual(
        checked.bindings['80/tcp']?.map(({ hostPort }) => hostPort),
        [45_678],
      )
      for (const object of ['plain', 'checked']) await engine.removeContainer(object, gone, signal)
    })

    void test('an image has one id, by name and by id', async () => {
      const id = await engine.imageId(busybox, signal)
      assert.match(id ?? '', /^[0-9a-f]{64}$/)
      assert.equal(await engine.imageId(id ?? '', signal), id)
      const inspected = await engine.inspectImage(busybox, signal)
      assert.deepEqual([inspected?.id, inspected?.onBuild], [id, []])
      assert.ok(Object.hasOwn(inspected?.labels ?? {}, 'mark'))
      const listed = (await engine.listImages(signal)).find(({ names }) => names.includes(busybox))
      assert.equal(listed?.id.replace(/^sha256:/, ''), id)
      const missing = bench.container('lost', { command: ['true'] })
      const body = JSON.parse(JSON.stringify(missing).replaceAll(busybox, 'localhost/none:1'))
      const made = engine.createContainer({ name: 'lost', body }, signal)
      await assert.rejects(made, codeIs('image_not_found'))
    })

    void test('whoever is told to stop gets no answer', async () => {
      const stop = new AbortController()
      stop.abort(new Error('enough'))
      await assert.rejects(engine.inspectContainer('nobody', stop.signal), /enough/)
    })

    async function found(object: string): Promise<InspectedContainer> {
      const seen = await engine.inspectContainer(object, signal)
      assert.ok(seen !== undefined, `${object} is gone`)
      return seen
    }

    async function until(
      object: string,
      isSo: (seen: InspectedContainer) => boolean,
    ): Promise<void> {
      while (!isSo(await found(object))) await sleep(50)
    }
  })
}

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

/** Engines tell aliases in any order. */
function sorted(value: Endpoint | undefined): unknown {
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, item]) => [
      key,
      Array.isArray(item) ? item.map(String).toSorted() : item,
    ]),
  )
}
