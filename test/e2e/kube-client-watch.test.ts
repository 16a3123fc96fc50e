import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applyObject, deleteObject, getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { watchObjects, type WatchEvent } from '#clients/kubernetes/watch.ts'
import { Problem } from '#model/problem.ts'
import { startRelay, type Relay } from '../testbed/kube-relay.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { clock, configMap, signal, worldOf, type World } from './kube-client-world.ts'

const skip = requiredKube(['kube-apiserver'])
const writing = { signal, manager: 'tend-test' }
let kube: TestKube
let world: World
let relay: Relay

before(async () => {
  if (skip !== false) return
  kube = await startKube({ isBare: true })
  relay = await startRelay(kube.port)
  world = worldOf(kube, relay.port)
})

after(async () => {
  if (skip !== false) return
  world.kubernetes.close()
  relay.stop()
  await kube.stop()
})

/** What a follower of the events believes is there, and waiting until it believes something. */
async function follow(labels: string) {
  const end = new AbortController()
  const believed = new Map<string, string>()
  let listed = 0
  let wake = () => {}
  let failure: unknown
  const { kind } = await world.place('v1', 'ConfigMap', '')
  const events = watchObjects(world.kubernetes, kind, { labels }, { clock, signal: end.signal })
  const take = (event: WatchEvent) => {
    if (event.kind === 'lost') return
    if (event.kind === 'listed') {
      believed.clear()
      listed += 1
    }
    for (const object of event.kind === 'listed' ? event.objects : [event.object]) {
      const { name } = metadataOf(object)
      if (event.kind === 'removed') believed.delete(name)
      else believed.set(name, JSON.stringify(object['data']))
    }
  }
  const done = (async () => {
    try {
      for await (const event of events) {
        take(event)
        wake()
      }
    } catch (error) {
      if (!end.signal.aborted) failure = error
      wake()
    }
  })()
  async function until(text: string): Promise<void> {
    for (;;) {
      if (failure !== undefined) throw failure
      const now = [...believed].map(([name, data]) => `${name}=${data}`).toSorted()
      if (now.join(' ') === text) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  async function stop(): Promise<void> {
    end.abort()
    await done
  }
  return { until, stop, listed: () => listed }
}

async function put(name: string, value: string, label: string): Promise<void> {
  const place = await world.place('v1', 'ConfigMap', name)
  const metadata = { name, namespace: 'default', labels: { watched: label } }
  const object = { ...configMap(name, { v: value }), metadata }
  for (let tries = 0; ; tries += 1) {
    try {
      await applyObject(world.kubernetes, place, object, writing)
      return
    } catch (error) {
      if (!(error instanceof Problem) || !error.recoverable || tries > 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function remove(name: string): Promise<void> {
  await deleteObject(world.kubernetes, await world.place('v1', 'ConfigMap', name), { signal })
}

test('what is made, changed and removed is heard, and nothing of others', { skip }, async () => {
  await put('a', '1', 'one')
  await put('other', '1', 'none')
  const follower = await follow('watched=one')
  await follower.until('a={"v":"1"}')
  await put('b', '1', 'one')
  await put('a', '2', 'one')
  await follower.until('a={"v":"2"} b={"v":"1"}')
  await put('b', '1', 'gone')
  await remove('a')
  await follower.until('')
  assert.equal(follower.listed(), 1)
  await follower.stop()
})

test('a line that is cut is taken up where it was, without listing anew', { skip }, async () => {
  const follower = await follow('watched=cut')
  await put('c', '1', 'cut')
  await follower.until('c={"v":"1"}')
  relay.cut()
  await put('c', '2', 'cut')
  await put('d', '1', 'cut')
  await follower.until('c={"v":"2"} d={"v":"1"}')
  assert.equal(follower.listed(), 1)
  await follower.stop()
})

test('a watch outlives the API server', { skip }, async () => {
  const follower = await follow('watched=restart')
  await put('e', '1', 'restart')
  await put('f', '1', 'restart')
  await follower.until('e={"v":"1"} f={"v":"1"}')
  await kube.stopServer()
  const place = await world.place('v1', 'ConfigMap', 'e')
  await assert.rejects(
    getObject(world.kubernetes, place, signal),
    (error: unknown) =>
      error instanceof Problem && error.recoverable && error.code === 'unreachable',
  )
  await kube.startServer()
  await put('e', '2', 'restart')
  await remove('f')
  await put('g', '1', 'restart')
  await follower.until('e={"v":"2"} g={"v":"1"}')
  await follower.stop()
})

test('a server whose database hangs is given up in time, and used again', { skip }, async () => {
  const place = await world.place('v1', 'ConfigMap', 'h')
  await put('h', '1', 'slow')
  kube.pauseDatabase()
  try {
    const changed = applyObject(world.kubernetes, place, configMap('h', { v: '2' }), {
      ...writing,
      silence: 300,
    })
    await assert.rejects(
      changed,
      (error: unknown) =>
        error instanceof Problem && error.recoverable && error.code === 'timed_out',
    )
  } finally {
    kube.resumeDatabase()
  }
  await put('h', '3', 'slow')
  const now = await getObject(world.kubernetes, place, signal)
  assert.deepEqual(now?.['data'], { v: '3' })
})
