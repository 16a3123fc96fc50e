/** Every scenario of this folder, on a Podman in memory and on a real one. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { podmanAt } from '#clients/podman/client.ts'
import { listSecrets, removeSecret } from '#clients/podman/secrets.ts'
import { listVolumes, removeVolume } from '#clients/podman/volumes.ts'
import { fakePodman } from '../fake/podman.ts'
import { quickClock } from '../faults/scene.ts'
import { systemClock } from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { clearPodman } from '../testbed/podman-clear.ts'
import { startPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { judge } from './judge.ts'
import { play, type Stage } from './play.ts'
import { readScenario } from './scenario.ts'

const folder = import.meta.dirname
const only = process.env['TEND_SCENARIO'] ?? ''
const scenarios = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml') && name.includes(only))
  .toSorted()
  .map((name) => readScenario(join(folder, name)))
const skip = required('podman')
const { signal } = new AbortController()

async function freePorts(): Promise<Stage['ports']> {
  return { port: await freePort(), otherPort: await freePort() }
}

test('there are scenarios, each with a name of its own', () => {
  assert.ok(only !== '' || scenarios.length >= 35, `${scenarios.length} scenarios`)
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
})

test('on a Podman in memory', async (t) => {
  for (const scenario of scenarios) {
    await t.test(`${scenario.file}: ${scenario.name}`, async () => {
      const podman = fakePodman()
      const ports = await freePorts()
      const stage = { podman, clock: quickClock(), ports, connect: () => podman }
      judge(scenario, await play(scenario, stage), stage)
    })
  }
})

test('on a real Podman', { skip }, async (t) => {
  const service = await startPodman()
  const address = `unix://${service.socket}`
  const podman = podmanAt(address)
  try {
    await addImage(service.socket, 'localhost/tend/busybox:1', 'one')
    await addImage(service.socket, 'localhost/tend/busybox:2', 'two')
    for (const scenario of scenarios) {
      await t.test(`${scenario.file}: ${scenario.name}`, async () => {
        await cleanSlate(service.socket)
        const ports = await freePorts()
        const stage = { podman, clock: systemClock, ports, connect: () => podmanAt(address) }
        judge(scenario, await play(scenario, stage), stage)
      })
    }
  } finally {
    podman.close()
    await service.stop()
  }

  async function cleanSlate(socket: string): Promise<void> {
    await clearPodman(socket)
    for (const { name } of await listVolumes(podman, signal)) {
      await removeVolume(podman, name, signal)
    }
    for (const { id } of await listSecrets(podman, signal)) await removeSecret(podman, id, signal)
  }
})
