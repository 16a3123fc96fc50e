/** What no list tells is asked once, and the labels of a container are not read again with every list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Docker } from '#clients/docker/client.ts'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { recordLabel } from '#domains/containers/record.ts'
import { containerLearner } from './learn-containers.ts'

const { signal } = new AbortController()

test('a container that came later is never inspected on Docker, and its record is not read', async () => {
  const [docker, facts] = [inspecting(), { runsChecksWhenAsked: false, limitsProcesses: true }]
  const learn = containerLearner(docker, 'tend')
  const reads: string[] = []
  await learn([], facts, signal)
  const later = [listed('one', reads), listed('two', reads)]
  for (let round = 0; round < 10; round += 1) await learn(later, facts, signal)
  assert.deepEqual(reads, [])
})

test('on Podman the record of a container is read once', async () => {
  const [docker, facts] = [inspecting(), { runsChecksWhenAsked: true, limitsProcesses: true }]
  const learn = containerLearner(docker, 'tend')
  const reads: string[] = []
  const one = listed('one', reads)
  for (let round = 0; round < 10; round += 1) await learn([one], facts, signal)
  assert.deepEqual(reads, ['one'])
  // one that went and came back may be another
  await learn([], facts, signal)
  await learn([one], facts, signal)
  assert.deepEqual(reads, ['one', 'one'])
})

function listed(id: string, reads: string[]): ListedContainer {
  const labels = {
    [recordLabel.owner]: 'tend:stack:web',
    get [recordLabel.spec]() {
      reads.push(id)
      return 'no record'
    },
  }
  const nothing = { health: undefined, exitCode: undefined, networks: [], ports: [], mounts: [] }
  const about = { name: id, image: 'busybox', imageId: 'sha256:1', state: 'running', createdAt: 0 }
  return { id, ...about, ...nothing, labels }
}

/** An engine that refuses to be asked. */
function inspecting(): Docker {
  return {
    address: 'unix:///nowhere',
    isLocal: true,
    apiVersion: async () => '1.41',
    ask: (_, path) => Promise.reject(new Error(`asked for ${path}`)),
    stream: () => Promise.reject(new Error('not here')),
    close: () => undefined,
  }
}
