import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { forward } from './forward.ts'

async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

test('a replica that stands still is not waited for by those who read, and is by those who change', async (t) => {
  let count = 0
  const still = await listening(t, (request, response) => {
    count += 1
    // one that was asked to change something takes its time
    if (request.method === 'POST') setTimeout(() => response.end('done'), 200)
  })
  const front = await listening(t, (request, response) => {
    forward(still, request, response, undefined, () => response.writeHead(503).end(), 50)
  })
  const read = await fetch(front, { signal: AbortSignal.timeout(5_000) })
  assert.equal(read.status, 503)
  const changed = await fetch(front, { method: 'POST', signal: AbortSignal.timeout(5_000) })
  assert.deepEqual([changed.status, await changed.text()], [200, 'done'])
  assert.equal(count, 2)
})
