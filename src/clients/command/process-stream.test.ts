/** The stand-in for ssh is a program that carries bytes between its standard streams and a unix socket. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { after, before, test } from 'node:test'
import { connect, ConnectionError } from '#clients/http/connection.ts'
import { CommandError } from './command-error.ts'
import { openProcess } from './process-stream.ts'

const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), 'tend-stream-'))
const socket = join(folder, 'socket')
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (request.url === '/never') return
  request.pipe(response)
})
before(() => new Promise<void>((resolve) => server.listen(socket, resolve)))
after(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const carry = `const s = require('node:net').connect(process.argv[1])
process.stdin.pipe(s).pipe(process.stdout)
s.on('close', () => process.exit())`
const started: Duplex[] = []
const carried = {
  open: () => {
    const stream = openProcess({ program: process.execPath, arguments: ['-e', carry, socket] })
    started.push(stream)
    return stream
  },
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('HTTP through a program: one process serves call after call, large bodies too', async () => {
  const connection = connect(carried)
  const large = 'x'.repeat(3_000_000)
  for (const body of ['one', large, 'three']) {
    const answer = await connection.send({ method: 'POST', path: '/', body, signal, silence: 5000 })
    assert.equal(await textOf(answer.body), body)
  }
  assert.equal(started.length, 1)
  assert.equal(started[0]!.listenerCount('timeout'), 1)
  connection.close()
})

test('a silent answer and an abort end the wait', async () => {
  const connection = connect(carried)
  const call = { method: 'GET', path: '/never', signal } as const
  await assert.rejects(connection.send({ ...call, silence: 50 }), (error: unknown) => {
    return error instanceof ConnectionError && error.code === 'SILENT'
  })
  const control = new AbortController()
  const waiting = connection.send({ ...call, signal: control.signal })
  setTimeout(() => control.abort(new Error('enough')), 20)
  await assert.rejects(waiting, /enough/)
  connection.close()
})

test('a program that ends instead of answering is an error with its last words', async () => {
  for (const [program, words, message] of [
    ['sh', ['-c', 'echo Permission denied >&2; exit 255'], /code 255: Permission denied/],
    ['no-such-program-of-tend', [], /not installed/],
  ] as const) {
    const connection = connect({ open: () => openProcess({ program, arguments: words }) })
    const sent = connection.send({ method: 'POST', path: '/', body: 'x', signal })
    await assert.rejects(sent, (error: unknown) => {
      assert.ok(error instanceof ConnectionError && error.cause instanceof CommandError)
      assert.match(error.message, message)
      return true
    })
  }
})
