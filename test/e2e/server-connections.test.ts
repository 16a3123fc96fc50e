/** Thousands of connections that do nothing: whoever has a right token, and /healthz, do not notice. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { startWorld } from './server-world.ts'

const token = 'f'.repeat(40)
const authorization = `Bearer ${token}`
const right = { headers: { authorization } }

type Held = { readonly socket: Socket; text: string; isClosed: boolean }

async function hold(port: number, from: string, say = ''): Promise<Held> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const held: Held = { socket, text: '', isClosed: false }
  socket.on('error', () => undefined)
  socket.on('close', () => (held.isClosed = true))
  socket.setEncoding('utf8').on('data', (part: string) => (held.text += part))
  await once(socket, 'connect')
  if (say !== '') socket.write(say)
  return held
}

async function holdMany(t: TestContext, port: number, from: readonly string[], say = '') {
  const all: Held[] = []
  t.after(() => all.forEach(({ socket }) => socket.destroy()))
  for (let at = 0; at < from.length; at += 100) {
    const some = from.slice(at, at + 100).map((address) => hold(port, address, say))
    all.push(...(await Promise.all(some)))
  }
  return all
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 20) {
    assert.ok(waited < 30_000, 'it did not happen')
    await pause(20)
  }
}

function open(all: readonly Held[]): number {
  return all.filter(({ isClosed }) => !isClosed).length
}

test('4,300 idle connections from one address: 64 stay, and the others are served', async (t) => {
  const { ask, served } = await startWorld({ fileToken: token })
  t.after(() => served.close())
  const { port } = served.address
  const idle = await holdMany(t, port, Array<string>(4300).fill('127.0.0.1'))
  await until(() => open(idle) <= 64)
  assert.equal((await ask('GET', '/healthz')).status, 200)
  for (let count = 0; count < 6; count += 1) {
    assert.equal((await ask('POST', '/api/refresh', right)).status, 200)
  }
  assert.ok(open(idle) >= 32, 'no more are closed than have to be')
})

test('20 addresses with 64 idle connections each: the total has an end too', async (t) => {
  const { ask, served } = await startWorld({ fileToken: token, limits: { connections: 600 } })
  t.after(() => served.close())
  const addresses = Array.from({ length: 20 * 64 }, (_, at) => `127.0.0.${10 + (at % 20)}`)
  const idle = await holdMany(t, served.address.port, addresses)
  await until(() => open(idle) <= 600)
  assert.equal((await ask('GET', '/healthz')).status, 200)
  assert.equal((await ask('POST', '/api/refresh', right)).status, 200)
})

test('a connection that showed a right token outlives a flood from its own address', async (t) => {
  const { served } = await startWorld({ fileToken: token })
  t.after(() => served.close())
  const { port } = served.address
  const line = `GET /api/v1/apps HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`
  const mine = await hold(port, '127.0.0.1', line)
  t.after(() => mine.socket.destroy())
  await until(() => mine.text.startsWith('HTTP/1.1 200'))
  const idle = await holdMany(t, port, Array<string>(300).fill('127.0.0.1'))
  await until(() => open(idle) <= 64)
  mine.text = ''
  mine.socket.write(line)
  await until(() => mine.text.startsWith('HTTP/1.1 200'))
  assert.equal(mine.isClosed, false)
  // what the same connection sends without a right token later makes it one of the others again
  mine.socket.write('GET /api/v1/apps HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await until(() => mine.text.includes('HTTP/1.1 401'))
  await holdMany(t, port, Array<string>(65).fill('127.0.0.1'))
  await until(() => mine.isClosed)
})

test('half requests give way like idle ones', async (t) => {
  const { ask, served } = await startWorld({ fileToken: token })
  t.after(() => served.close())
  const halves = [
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ',
    'POST /api/webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{',
  ]
  for (const half of halves) {
    const all = await holdMany(t, served.address.port, Array<string>(150).fill('127.0.0.1'), half)
    await until(() => open(all) <= 64)
    assert.equal((await ask('GET', '/healthz')).status, 200)
    assert.equal((await ask('POST', '/api/refresh', right)).status, 200)
    for (const { socket } of all) socket.destroy()
  }
})

test('a flood without a token, or with wrong ones, never makes a right one wait', async (t) => {
  const { ask, served } = await startWorld({ fileToken: token })
  t.after(() => served.close())
  const wrong = { headers: { authorization: 'Bearer wrong' } }
  const flood = Array.from({ length: 300 }, (_, at) =>
    ask('POST', '/api/refresh', at % 2 === 0 ? wrong : {}),
  )
  const own = Array.from({ length: 6 }, () => ask('POST', '/api/refresh', right))
  assert.deepEqual(await statuses(own), [200])
  assert.deepEqual(new Set(await statuses(flood)), new Set([401, 429]))
  assert.equal((await ask('POST', '/api/refresh', right)).status, 200)

  async function statuses(asked: readonly ReturnType<typeof ask>[]) {
    return [...new Set((await Promise.all(asked)).map(({ status }) => status))]
  }
})
