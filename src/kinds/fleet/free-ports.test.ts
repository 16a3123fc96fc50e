import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePorts } from '#clients/providers/host.ts'
import { hostBeside } from './free-ports.ts'

test('a port that HAProxy will listen on is taken, though nobody listens there yet', async () => {
  const [http = 0, https = 0, other = 0] = await freePorts(3)
  const host = hostBeside({
    haproxy: { http: `127.0.0.1:${http},[::1]:${http}`, https: `*:${https} tfo` },
  })
  const free = await Promise.all([http, https, other].map((port) => host.isPortFree(port)))
  assert.deepEqual(free, [false, false, true])
  assert.equal(await hostBeside({}).isPortFree(http), true)
})
