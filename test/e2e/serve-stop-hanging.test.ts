/** SIGTERM while everything outside hangs: an engine and a repository that take every connection and never answer. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../testbed/port.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

test('it ends within two seconds, at its start and while it waits for both', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-hanging-'))
  const sockets = new Set<Socket>()
  const silent = (): Server => createServer((socket) => void sockets.add(socket))
  const [engine, forge] = [silent(), silent()]
  const port = await freePort()
  await new Promise<void>((done) => engine.listen(join(folder, 'engine.sock'), done))
  await new Promise<void>((done) => forge.listen(port, '127.0.0.1', done))
  const serving = await servingOn({ DOCKER_HOST: `unix://${join(folder, 'engine.sock')}` })
  t.after(async () => {
    await serving.remove()
    for (const socket of sockets) socket.destroy()
    engine.close()
    forge.close()
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(join(serving.folder, 'stacks/web'), { recursive: true })
  const text = 'services: { web: { image: busybox } }\n'
  writeFileSync(join(serving.folder, 'stacks/web/compose.yaml'), text)
  serving.declare(`sources:
  here: { directory: stacks }
  far: { git: "http://127.0.0.1:${port}/x.git", ref: main }
apps:
  - { stack: web, path: web, source: here }
  - { stack: other, path: x, source: far }
`)
  for (const isAsking of [false, true]) {
    const before = sockets.size
    await serving.start()
    if (isAsking) await waitFor(() => sockets.size >= before + 2)
    const began = performance.now()
    assert.equal(await serving.stop(), 0)
    const took = performance.now() - began
    assert.ok(took < 2000, `${isAsking ? 'while it asks both' : 'at once'}: ${Math.round(took)} ms`)
  }
})
