/** Everything that is done with a chart, by a user without root on that user's own Podman, which Tend finds by itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers, removeContainer } from '#clients/podman/containers.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startRootlessPodman, type RootlessPodman } from '../testbed/rootless-podman.ts'
import { waitFor } from '../testbed/serving.ts'

const isRoot = process.getuid?.() === 0
const skip =
  required('podman') ||
  required('newuidmap') ||
  (!isRoot && 'without root all other tests of Podman are of this sort')
const { signal } = new AbortController()

const chart = {
  'own/Chart.yaml': 'name: own\nversion: 1.0.0\n',
  'own/values.yaml': 'greeting: hello\n',
  'own/templates/all.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata: { name: line }
---
apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata: { name: data }
---
apiVersion: cutepod/v1alpha0
kind: CuteSecret
metadata: { name: key }
spec: { type: opaque, stringData: { word: sesame } }
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c"]
  args: ["echo $GREETING > /data/greeting; exec httpd -f -p 8000 -h /data"]
  env: [{ name: GREETING, value: "{{ .Values.greeting }}" }]
  networks: [line]
  volumes: [{ name: data, mountPath: /data }]
  stopTimeoutSeconds: 0
  health: { type: exec, command: ["/bin/sh", "-c", "wget -q -O- http://127.0.0.1:8000/greeting"], intervalSeconds: 1 }
`,
}

test('a chart of a user without root', { skip }, async (t) => {
  let service: RootlessPodman
  let podman: Podman
  before(async () => {
    service = await startRootlessPodman()
    await addImage(service.socket)
    podman = podmanAt(`unix://${service.socket}`)
    service.write(chart)
  })
  after(async () => {
    podman.close()
    await service.stop()
  })

  async function said(line: string, pattern: RegExp): Promise<void> {
    const { code, out, err } = await service.tend(line)
    assert.equal(code, 0, `${line}\n${out}${err}`)
    assert.match(out, pattern, line)
  }

  const running = async (): Promise<readonly string[]> =>
    (await listContainers(podman, signal))
      .filter(({ state }) => state === 'running')
      .map(({ id }) => id)

  await t.test('it is a Podman without root', async () => {
    const { out } = await service.tend('doctor')
    assert.match(out, /without root/)
  })
  await t.test('install, again, status', async () => {
    await said('install ./own', /4 created/)
    await said('install ./own', /4 unchanged/)
    await said('status own', /healthy/)
  })
  await t.test('upgrade and rollback', async () => {
    const before = await running()
    await said('upgrade ./own --set greeting=bye', /1 updated/)
    assert.notDeepEqual(await running(), before)
    await said('rollback own', /1 updated/)
    await said('status own', /healthy/)
    await said('history own', /rollback/)
  })
  await t.test('watch puts back what was removed', async () => {
    const watch = service.start('watch own')
    try {
      await waitFor(() => /Watching/.test(watch.err()))
      const [id = ''] = await running()
      await removeContainer(podman, id, 0, signal)
      await waitFor(async () => (await running()).length === 1 && (await running())[0] !== id)
    } finally {
      watch.child.kill('SIGINT')
      await watch.told
    }
  })
  await t.test('uninstall', async () => {
    await said('uninstall own --prune-volumes', /4 deleted/)
    assert.deepEqual(await running(), [])
  })
})
