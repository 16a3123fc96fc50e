/** Runs are killed at random moments: the next plain run converges, at once, with no volume lost, no duplicate, no orphan. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { podmanAt } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listSecrets } from '#clients/podman/secrets.ts'
import { listVolumes } from '#clients/podman/volumes.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { waitFor } from '../testbed/serving.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'
import { filesOf, type Version } from './scene.ts'
import { watchHome } from './home-history.ts'
import { tallyOf } from './tally.ts'

const tally = tallyOf('charts on Podman')
const kills = process.env['TEND_FAULTS'] === 'all' ? 60 : 8
const skip = required('podman')
const { signal } = new AbortController()
let service: TestPodman
let shell: Tend
let port: number

before(async () => {
  if (skip !== false) return
  service = await startPodman()
  await addImage(service.socket)
  shell = tendOn(service.socket)
  port = await freePort()
})

after(async () => {
  if (skip !== false) return
  shell.remove()
  await service.stop()
})

function write(version: Version): void {
  const files = Object.entries(filesOf(version, port))
  shell.write({ 'chart/Chart.yaml': 'name: my-app\nversion: 1.0.0\n' })
  shell.write(Object.fromEntries(files.map(([path, text]) => [`chart/${path}`, text])))
}

async function sketch(): Promise<unknown> {
  const podman = podmanAt(`unix://${service.socket}`)
  try {
    const containers = await listContainers(podman, signal)
    const secrets = await listSecrets(podman, signal)
    return {
      containers: containers
        .map(({ name, state, networks }) => `${name} ${state} on ${networks.toSorted().join(', ')}`)
        .toSorted(),
      networks: (await listNetworks(podman, signal)).map(({ name }) => name).toSorted(),
      volumes: (await listVolumes(podman, signal))
        .map(({ name, createdAt }) => `${name} of ${createdAt}`)
        .toSorted(),
      secrets: secrets.map(({ name }) => name.replace(/-[0-9a-f]{6}$/, '')).toSorted(),
    }
  } finally {
    podman.close()
  }
}

async function install(version: Version): Promise<number> {
  const began = performance.now()
  write(version)
  const { code, out, err } = await shell.tend('install ./chart --yes')
  assert.equal(code, 0, out + err)
  return performance.now() - began
}

test('killed in its health wait: the next run judges it again', { skip }, async () => {
  const pod = `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: waits }
spec:
  image: ${busybox}
  command: [sleep, "1000"]
  health:
    type: exec
    command: [test, -f, /tmp/ready]
    intervalSeconds: 1
    retries: 1000
`
  shell.write({
    'waits/Chart.yaml': 'name: waits\nversion: 1.0.0\n',
    'waits/templates/pod.yaml': pod,
  })
  const { child, told } = shell.start('install ./waits --yes')
  const podman = podmanAt(`unix://${service.socket}`)
  await waitFor(async () => {
    const all = await listContainers(podman, signal)
    return all.some(({ name, state }) => name.includes('waits') && state === 'running')
  })
  child.kill('SIGKILL')
  await told
  podman.close()
  const again = await shell.tend('install ./waits --yes --timeout 3s')
  assert.notEqual(again.code, 0, again.out + again.err)
  assert.match(again.out + again.err, /not healthy/)
  assert.equal((await shell.tend('uninstall waits --yes')).code, 0)
})

test(`${kills} kills`, { skip }, async (context) => {
  await install('first')
  const first = await sketch()
  const history = await watchHome(join(shell.folder, 'home'))
  context.after(() => history.close())
  const lasted = await install('second')
  const second = await sketch()
  for (let kill = 1; kill <= kills; kill += 1) {
    const version = kill % 2 === 1 ? 'first' : 'second'
    const moment = Math.round(Math.random() * lasted * 1.1)
    tally.tried('killed')
    write(version)
    const { child, told } = shell.start('install ./chart --yes')
    await Promise.race([sleep(moment), told])
    child.kill('SIGKILL')
    await told
    history.died()
    const took = await install(version)
    const where = `killed after ${moment} ms on the way to the ${version}`
    await history.check(where)
    assert.deepEqual(await sketch(), version === 'first' ? first : second, where)
    tally.converged('killed')
    context.diagnostic(`${where}; the next run took ${Math.round(took)} ms`)
  }
})
