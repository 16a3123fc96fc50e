/**
 * The same sweep on a real Podman, behind a proxy that fails single calls: a sample of them here, all of them in
 * `npm run test:faults`.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listSecrets } from '#clients/podman/secrets.ts'
import { listVolumes, removeVolume } from '#clients/podman/volumes.ts'
import type { Clock } from '#model/clock.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { startProxy, type Fault, type Proxy } from '../testbed/proxy.ts'
import { perform, wentWell, whyNot, type Deed } from './scene.ts'
import { makeStrangers, strangerVolume, type Strangers } from './strangers.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const faults: readonly Fault[] = ['refuse', 'cut-before', 'cut-after', 'garbage', 'hang']
/** Longer than any call takes here, short enough that one that hangs does not hold up the sweep. */
const silence = 4_000
const skip = required('podman')
const tally = tallyOf('Podman, charts')
const { signal } = new AbortController()
const clock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  random: () => Math.random(),
}
let service: TestPodman
let proxy: Proxy
let podman: Podman
let direct: Podman
let port: number
let docker: Docker
let strangers: Strangers

before(async () => {
  if (skip !== false) return
  service = await startPodman()
  await addImage(service.socket)
  proxy = await startProxy(service.socket)
  podman = podmanAt(`unix://${proxy.socket}`, silence)
  direct = podmanAt(`unix://${service.socket}`)
  port = await freePort()
  docker = dockerAt({ address: `unix://${service.socket}` })
  strangers = await makeStrangers(docker)
})

after(async () => {
  if (skip !== false) return
  podman.close()
  direct.close()
  docker.close()
  await proxy.stop()
  await service.stop()
})

async function well(deed: Deed, on = direct): Promise<void> {
  const events = await perform(on, deed, port, clock)
  assert.ok(wentWell(events), `${deed}: ${whyNot(events)}`)
}

async function cleared(): Promise<void> {
  await well('uninstall')
  for (const { name } of await listVolumes(direct, signal)) {
    if (name !== strangerVolume) await removeVolume(direct, name, signal)
  }
}

async function sketch(): Promise<unknown> {
  const containers = await listContainers(direct, signal)
  const secrets = await listSecrets(direct, signal)
  return {
    containers: containers
      .map(({ name, state, networks }) => `${name} ${state} on ${networks.toSorted().join(', ')}`)
      .toSorted(),
    networks: (await listNetworks(direct, signal)).map(({ name }) => name).toSorted(),
    volumes: (await listVolumes(direct, signal)).map(({ name }) => name).toSorted(),
    secrets: secrets.map(({ name }) => name.replace(/-[0-9a-f]{6}$/, '')).toSorted(),
  }
}

/** Volumes that live on keep what was written in them. */
async function births(): Promise<ReadonlyMap<string, string>> {
  const volumes = await listVolumes(direct, signal)
  return new Map(volumes.map(({ name, createdAt }) => [name, createdAt]))
}

const deeds: readonly { readonly deed: Deed; readonly before: readonly Deed[] }[] = [
  { deed: 'first', before: [] },
  { deed: 'second', before: ['first'] },
  { deed: 'uninstall', before: ['first'] },
]

for (const { deed, before: earlier } of deeds) {
  test(`${deed} on Podman: calls fail, a plain run converges`, { skip }, async (context) => {
    for (const one of earlier) await well(one)
    proxy.plan(() => 'pass')
    proxy.reset()
    // a busy machine is no fault: the run that is measured waits for as long as users do
    const patient = podmanAt(`unix://${proxy.socket}`)
    await well(deed, patient)
    patient.close()
    const count = proxy.calls().filter(({ path }) => !path.includes('/events')).length
    const wanted = await sketch()
    await cleared()
    const step = isWhole ? 1 : Math.ceil(count / 4)
    for (let number = isWhole ? 1 : 2; number <= count; number += step) {
      for (const fault of isWhole ? faults : [faults[number % faults.length]!]) {
        tally.tried(fault)
        for (const one of earlier) await well(one)
        const old = await births()
        let seen = 0
        let what = ''
        proxy.plan(({ path, method }) => {
          if (path.includes('/events')) return 'pass'
          seen += 1
          if (seen !== number) return 'pass'
          what = `${method} ${path.split('?')[0]}`
          return fault
        })
        const events = await perform(podman, deed, port, clock)
        proxy.plan(() => 'pass')
        await well(deed)
        const where = `${fault} at call ${number} of ${count}, ${what}, which ${whyNot(events)}`
        assert.deepEqual(await sketch(), wanted, where)
        const now = await births()
        for (const [name, birth] of old) assert.equal(now.get(name), birth, `${where}: ${name}`)
        await strangers.check(where)
        tally.converged(fault)
        context.diagnostic(where)
        await cleared()
      }
    }
  })
}
