import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect, ConnectionError } from './connection.ts'

const { signal } = new AbortController()

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly host: string; readonly port: number; stop(): void }> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { host: '127.0.0.1', port: address.port, stop }
}

async function* parts(count: number): AsyncIterable<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(1000, index)
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const part of body) size += part.length
  return size
}

test('a body in parts is sent as it comes', async () => {
  const place = await serve((request, response) => {
    assert.equal(request.headers['transfer-encoding'], 'chunked')
    request.pipe(response)
  })
  const connection = connect(place)
  const answer = await connection.send({ method: 'PUT', path: '/', body: parts(500), signal })
  assert.equal(await sizeOf(answer.body), 500_000)
  connection.close()
  place.stop()
})

test('an answer that comes before the body was sent is an answer', async () => {
  const place = await serve((_request, response) => response.writeHead(404).end('no'))
  const connection = connect(place)
  const answer = await connection.send({ method: 'PUT', path: '/', body: parts(3), signal })
  assert.equal(answer.status, 404)
  assert.equal(await sizeOf(answer.body), 2)
  connection.close()
  place.stop()
})

test('a body that fails on the way fails the call', async () => {
  const place = await serve((request) => request.resume())
  const connection = connect(place)
  async function* failing(): AsyncIterable<Uint8Array> {
    yield Buffer.from('x')
    throw new Error('the disk broke')
  }
  const sent = connection.send({ method: 'PUT', path: '/', body: failing(), signal })
  await assert.rejects(sent, (error: unknown) => {
    return error instanceof ConnectionError && error.message === 'the disk broke'
  })
  connection.close()
  place.stop()
})

test('who takes a connection and never ends the handshake is given up after one silence, not two', async () => {
  const taken: Socket[] = []
  const server = createTcpServer((socket) => void taken.push(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const connection = connect({ host: '127.0.0.1', port: address.port, tls: { isVerified: true } })
  const later = new AbortController()
  const timer = setTimeout(() => later.abort(), 500)
  const call = { method: 'GET', path: '/', signal: later.signal, silence: 300 } as const
  await assert.rejects(connection.send(call), { code: 'SILENT' })
  clearTimeout(timer)
  connection.close()
  for (const socket of taken) socket.destroy()
  server.close()
})

test('calls that are apart take no place from others, however many of them hang', async () => {
  const place = await serve(({ url }, response) => {
    if (url === '/quick') response.end('yes')
  })
  const connection = connect(place, 2)
  const ends = new AbortController()
  const hanging = Array.from({ length: 40 }, () =>
    connection.send({
      method: 'GET',
      path: '/',
      signal: ends.signal,
      silence: 60_000,
      isApart: true,
    }),
  )
  const answer = await connection.send({ method: 'GET', path: '/quick', signal, silence: 10_000 })
  assert.equal(await sizeOf(answer.body), 3)
  ends.abort()
  await Promise.allSettled(hanging)
  connection.close()
  place.stop()
})
