/** What makes the loop decide on all applications, and what does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindFilesIn } from '#sources/bind-files.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { systemClock } from '../../test/testbed/drive.ts'
import { usualDeclarations } from '../../test/testbed/serve.ts'
import { waitFor } from '../../test/testbed/serving.ts'
import { createLoop } from './loop.ts'
import { renderPool } from './render/render-pool.ts'

test('when only the other tasks may be due again, no application is decided on', async () => {
  const loop = createLoop({
    declarations: usualDeclarations,
    renders: renderPool(),
    isOpen: () => ({ isOpen: true, until: undefined }),
    repository: () => assert.fail('there is none'),
    kinds: [],
    bindFiles: bindFilesIn('/nonexistent'),
    store: memoryStore(),
    leases: memoryLeases(() => 0),
    notes: memoryNotes(),
    key: new Uint8Array(32),
    clock: systemClock,
    instance: 'test',
    holder: 'a test',
    log: () => undefined,
  })
  let [decisions, others] = [0, 0]
  const { apps } = loop.service
  apps.values = () => {
    decisions += 1
    return Map.prototype.values.call(apps)
  }
  try {
    loop.begin(() => {
      others += 1
      return Infinity
    })
    await waitFor(() => decisions === 1 && others === 1)
    loop.wakeOthers()
    await waitFor(() => others === 2)
    assert.equal(decisions, 1)
    loop.service.wake()
    await waitFor(() => decisions === 2 && others === 3)
  } finally {
    await loop.stop()
  }
})
