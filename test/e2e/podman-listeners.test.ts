/** However many listen to events, calls get through: a watch of many applications must not stop the repairs it is for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { podmanAt } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listen } from '#clients/podman/events.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'

test('sixty listeners leave room', { skip: required('podman') }, async () => {
  const service = await startPodman()
  const podman = podmanAt(`unix://${service.socket}`)
  const stop = new AbortController()
  try {
    await Promise.all(Array.from({ length: 60 }, () => listen(podman, stop.signal)))
    const listed = await listContainers(podman, AbortSignal.timeout(10_000))
    assert.deepEqual(listed, [])
  } finally {
    stop.abort()
    podman.close()
    await service.stop()
  }
})
