/** Streams of events: ids, coming back after a break, signs of life, slow readers, and many at once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fakeService } from '../fake/service.ts'
import { listen, startWorld, type Told, type World, worldToken } from './server-world.ts'

async function start(
  t: TestContext,
  wishes: Parameters<typeof startWorld>[0] = {},
): Promise<World> {
  const world = await startWorld(wishes)
  t.after(() => world.served.close())
  return world
}

function names(told: readonly Told[]): readonly string[] {
  return told.map(({ event }) => event)
}

test('a run from start to end, with growing ids', async (t) => {
  const { service, served } = await start(t)
  const stream = await listen(served.address.port, '/api/v1/events')
  await stream.until((told) => told.length === 1)
  assert.equal(stream.told[0]!.data.apps.length, 2)
  await service.sync('stack:web')
  const told = await stream.until((all) => all.length === 6)
  assert.deepEqual(names(told), ['snapshot', 'app', 'run', 'run', 'run', 'app'])
  const ids = told.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ids).size, ids.length)
  stream.end()
})

test('?app= tells of one application', async (t) => {
  const { service, served } = await start(t)
  const stream = await listen(served.address.port, '/api/v1/events?app=stack%3Adb')
  await stream.until((told) => told.length === 1)
  assert.deepEqual(
    stream.told[0]!.data.apps.map(({ key }: { key: string }) => key),
    ['stack:db'],
  )
  service.set('stack:web', { reason: 'not for you' })
  service.set('stack:db', { reason: 'for you' })
  const told = await stream.until((all) => all.length === 2)
  assert.equal(told[1]!.data.status.reason, 'for you')
  stream.end()
})

test('who comes back gets what was missed, once and in order', async (t) => {
  const { service, served } = await start(t)
  const { port } = served.address
  const first = await listen(port, '/api/events')
  service.set('stack:web', { reason: 'one' })
  const [, , seen] = await first.until((told) => told.length === 3)
  first.end()
  service.set('stack:web', { state: 'syncing' })
  service.set('stack:db', { state: 'failed' })
  const again = await listen(port, '/api/events', { 'last-event-id': seen!.id })
  const told = await again.until((all) => all.length === 2)
  assert.deepEqual(names(told), ['stack.upsert', 'stack.upsert'])
  assert.deepEqual(
    told.map(({ data }) => data.record.status),
    ['syncing', 'failed'],
  )
  again.end()
  const upToDate = await listen(port, '/api/events', { 'last-event-id': told[1]!.id })
  service.set('stack:web', { state: 'synced' })
  assert.deepEqual(names(await upToDate.until((all) => all.length === 1)), ['stack.upsert'])
  upToDate.end()
})

test('after a gap everything is told anew', async (t) => {
  const { service, served } = await start(t)
  const { port } = served.address
  const first = await listen(port, '/api/events')
  const [snapshot] = await first.until((told) => told.length === 2)
  first.end()
  for (let count = 0; count < 3000; count += 1) service.set('stack:web', { failures: count })
  for (const id of [snapshot!.id, '7', '9007199254740991', 'nonsense', '']) {
    const again = await listen(port, '/api/events', { 'last-event-id': id })
    const told = await again.until((all) => all.length === 2)
    assert.deepEqual(names(told), ['stack.snapshot', 'refresh.status'], id)
    again.end()
  }
})

test('signs of life', async (t) => {
  const { served } = await start(t, { limits: { heartbeat: 5 } })
  const stream = await listen(served.address.port, '/api/events')
  const { port } = served.address
  while (!stream.comments.some((comment) => comment.includes('still here'))) {
    await listen(port, '/api/events').then(async (other) => {
      await other.until((told) => told.length > 0)
      other.end()
    })
  }
  stream.end()
})

/** Asks for events and reads nothing of them. */
async function deafReader(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.pause()
  const own = `Authorization: Bearer ${worldToken}`
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n${own}\r\n\r\n`)
  return socket
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Buffers are given back a little after what held them is found to be gone. */
async function memory(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
}

test('one who does not read costs little, and others miss nothing', async (t) => {
  const many = Array.from({ length: 200 }, (_, index) => `app-${index}`)
  const { service, served } = await start(t, { names: many })
  const { port } = served.address
  const deaf = await deafReader(port)
  await untilStreams(port, 1)
  const reader = await listen(port, '/api/v1/events')
  await reader.until((told) => told.length === 1)
  const before = await memory()
  const reason = 'x'.repeat(2000)
  const rounds = 100
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of many) service.set(`stack:${name}`, { reason, failures: round })
    // the one who reads keeps up round by round
    const seen = 1 + round * many.length
    await reader.until((told) => told.length >= seen)
    reader.told.fill(reader.told[0]!, 1)
  }
  assert.equal(reader.told.length, 1 + rounds * many.length)
  // 50 MB went by; what waits is the last of each, and the frames that are kept for those who come back
  const grown = ((await memory()) - before) / 2 ** 20
  assert.ok(grown < 25, `${grown.toFixed(0)} MB`)
  deaf.destroy()
  reader.end()
})

test('one who does not read at all is let go', async (t) => {
  const { service, served, log } = await start(t, { limits: { heartbeat: 5 } })
  const deaf = await deafReader(served.address.port)
  await untilStreams(served.address.port, 1)
  const reason = 'x'.repeat(1_000_000)
  for (let count = 0; count < 30; count += 1) {
    service.set('stack:web', { reason })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await untilStreams(served.address.port, 0)
  assert.match(log.join('\n'), /too slow/)
  deaf.destroy()
})

test('one who is behind gets the last of each application, in order', async (t) => {
  const many = Array.from({ length: 50 }, (_, index) => `app-${index}`)
  const { service, served } = await start(t, { names: many })
  const socket = await deafReader(served.address.port)
  await untilStreams(served.address.port, 1)
  const reason = 'x'.repeat(20_000)
  const rounds = 30
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of many) service.set(`stack:${name}`, { reason, failures: round })
    await new Promise((resolve) => setImmediate(resolve))
  }
  const ids: number[] = []
  let ended = 0
  const lines = createInterface({ input: socket.resume() })
  for await (const line of lines) {
    if (line.startsWith('id: ')) ids.push(Number(line.slice(4)))
    if (line.includes(`"failures":${rounds},`)) ended += 1
    if (ended === many.length) break
  }
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.ok(ids.length < (rounds * many.length) / 2, `${ids.length} frames were sent`)
  socket.destroy()
})

/** Until so many listen. */
async function untilStreams(port: number, count: number): Promise<void> {
  while (!(await fetchMetrics(port)).includes(`tend_event_streams ${count}\n`)) continue
}

test('500 at once, and each hears everything', async (t) => {
  const { service, served } = await start(t, { names: ['web'] })
  const { port } = served.address
  const streams = await Promise.all(Array.from({ length: 500 }, () => listen(port, '/api/events')))
  await Promise.all(streams.map((stream) => stream.until((told) => told.length === 2)))
  for (let count = 1; count <= 20; count += 1) service.set('stack:web', { failures: count })
  await Promise.all(streams.map((stream) => stream.until((told) => told.length === 22)))
  for (const { told } of streams) {
    assert.equal(names(told).filter((name) => name === 'stack.snapshot').length, 1)
  }
  const metrics = await fetchMetrics(port)
  assert.match(metrics, /^tend_event_streams 500$/m)
  for (const stream of streams) stream.end()
})

async function fetchMetrics(port: number): Promise<string> {
  const headers = { authorization: `Bearer ${worldToken}` }
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
}

test('there is an end to how many', async (t) => {
  const { served, ask } = await start(t, { limits: { streams: 2 } })
  const { port } = served.address
  const open = [await listen(port, '/api/events'), await listen(port, '/api/v1/events')]
  assert.equal((await ask('GET', '/api/events')).status, 429)
  for (const stream of open) stream.end()
})

test('closing ends streams in good order', async () => {
  const service = fakeService(['web'])
  const { served } = await startWorld({ service })
  const stream = await listen(served.address.port, '/api/v1/events')
  await stream.until((told) => told.length === 1)
  service.set('stack:web', { reason: 'the last word' })
  await served.close()
  await stream.ended
  assert.equal(stream.told.at(-1)!.data.status.reason, 'the last word')
  assert.equal(service.listeners(), 0)
})
