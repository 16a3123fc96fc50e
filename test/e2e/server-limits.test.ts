/** What is meant to hurt: slow, huge, broken and half requests. The service answers, and goes on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { fakeService, type FakeService } from '../fake/service.ts'
import { startWorld, worldToken } from './server-world.ts'

const own = `Authorization: Bearer ${worldToken}`

const { ask, served, service } = await startWorld({ limits: { headers: 200, request: 400 } })
after(() => served.close())

/** Writes this, then reads until the service hangs up. */
async function raw(...parts: readonly string[]): Promise<string> {
  const socket = connect({ port: served.address.port, host: '127.0.0.1' })
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part: string) => (text += part))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const part of parts) socket.write(part)
  await closed
  return text
}

test('headers that never end', async () => {
  assert.match(await raw('GET / HTTP/1.1\r\nHost: localhost\r\nX-A: '), /^HTTP\/1\.1 408 /)
})

test('a body that never ends', async () => {
  const head = `POST /api/reconcile/ack HTTP/1.1\r\nHost: localhost\r\n${own}\r\nContent-Length: 50\r\n\r\n{"s`
  assert.match(await raw(head), /^HTTP\/1\.1 408 /)
})

test('bodies that are too large, announced or not', async () => {
  const announced = await ask('POST', '/api/v1/tokens', { body: 'x'.repeat(64 * 1024 + 1) })
  assert.deepEqual([announced.status, announced.json.code], [413, 'too_large'])
  const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const head = `POST /api/v1/tokens HTTP/1.1\r\nHost: localhost\r\n${own}\r\nTransfer-Encoding: chunked\r\n\r\n`
  assert.match(await raw(head, piece, piece), /^HTTP\/1\.1 413 /)
})

test('what is no HTTP', async () => {
  const answered = await raw('\x16\x03\x01\x02\x00 nonsense\r\n\r\n')
  assert.match(answered, /^HTTP\/1\.1 400 /)
  assert.match(answered, /application\/problem\+json/)
  const large = `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`
  assert.match(await raw(large), /^HTTP\/1\.1 431 /)
  assert.match(await raw('GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /, 'no Host')
  const smuggled =
    'POST /api/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  assert.match(await raw(smuggled), /^HTTP\/1\.1 400 /)
})

test('bodies that are no JSON, or not the JSON that is meant', async () => {
  for (const body of [
    '{',
    '"',
    '\u0000',
    'null',
    '[]',
    '{"name":1}',
    '{"__proto__":{"role":"admin"}}',
  ]) {
    const { status, json } = await ask('POST', '/api/v1/tokens', { body })
    assert.deepEqual([status, json.code], [400, 'bad_value'], body)
  }
  const deep = '['.repeat(30_000)
  assert.equal((await ask('POST', '/api/v1/tokens', { body: deep })).status, 400)
  assert.equal(
    (await ask('POST', '/api/v1/tokens', { body: Buffer.from([0xff, 0xfe]) })).status,
    400,
  )
})

test('one who goes while it is worked for', async () => {
  let end = () => {}
  service.until = new Promise((resolve) => (end = resolve))
  const socket = connect({ port: served.address.port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const asked = 'POST /api/v1/apps/stack:web/sync?wait=true HTTP/1.1\r\nHost: localhost'
  socket.write(`${asked}\r\n${own}\r\n\r\n`)
  while (service.app('stack:web').state !== 'syncing') {
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.destroy()
  end()
  service.until = Promise.resolve()
  assert.equal((await ask('GET', '/healthz')).status, 200)
})

test('closing waits for what goes on', async () => {
  const world = await startWorld()
  let end = () => {}
  world.service.until = new Promise((resolve) => (end = resolve))
  const answer = world.ask('POST', '/api/v1/apps/stack:web/sync?wait=true')
  while (world.service.app('stack:web').state !== 'syncing') {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const closed = world.served.close()
  end()
  assert.equal((await answer).status, 200)
  await closed
  await assert.rejects(world.ask('GET', '/healthz'))
})

test('a port that is taken is said', async () => {
  const { port } = served.address
  const again = startWorld({
    declarations: () => ({
      listen: { host: '127.0.0.1', port },
      hooks: [],
      projectName: '',
      isOrigin: false,
      discoveries: [],
    }),
  })
  await assert.rejects(again, /cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/)
})

test('who goes away while a source is asked is no bug in the log', async (t) => {
  const service = fakeService(['web'])
  const asked = Promise.withResolvers<void>()
  const waiting: FakeService = {
    ...service,
    newest: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        asked.resolve()
      }),
  }
  const { served, log } = await startWorld({ service: waiting })
  t.after(() => served.close())
  const gone = new AbortController()
  const answer = fetch(`http://127.0.0.1:${served.address.port}/api/v1/plans`, {
    method: 'POST',
    headers: { authorization: `Bearer ${worldToken}` },
    body: JSON.stringify({ apps: ['stack:web'], fresh: true }),
    signal: gone.signal,
  })
  const left = assert.rejects(answer, { name: 'AbortError' })
  await asked.promise
  gone.abort()
  await left
  const isAnswered = () => log.some((line) => line.includes('"route":"/api/v1/plans"'))
  while (!isAnswered()) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    log.filter((line) => line.includes('"level":"error"')),
    [],
  )
})
