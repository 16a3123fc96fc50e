/** Ctrl-C: calls under way end, what was begun is brought to an end, the exit code is 130, and the next run converges. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { podmanAt } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Going, type Tend } from '../testbed/tend.ts'

const skip = required('podman')

/** Never healthy when `slow` is set: an install of it waits. */
const chart = {
  'slow/Chart.yaml': 'name: slow\nversion: 1.0.0\n',
  'slow/values.yaml': 'check: "true"\n',
  'slow/templates/one.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: one
spec:
  image: ${busybox}
  command: ["/bin/sleep", "1000"]
  health:
    type: exec
    command: [{{ .Values.check | quote }}]
    intervalSeconds: 1
    startPeriodSeconds: 300
    retries: 100
  stopTimeoutSeconds: 0
`,
}

test('interruptions', { skip }, async (t) => {
  let podman: TestPodman
  let shell: Tend
  before(async () => {
    podman = await startPodman()
    await addImage(podman.socket)
    shell = tendOn(podman.socket)
    shell.write(chart)
  })
  after(async () => {
    await podman.stop()
    shell.remove()
  })

  /** The id of the container that runs under the name, or undefined. */
  async function running(): Promise<string | undefined> {
    const client = podmanAt(`unix://${podman.socket}`)
    const all = await listContainers(client, new AbortController().signal)
    client.close()
    return all.find(({ name, state }) => name === 'one' && state === 'running')?.id
  }

  /** Until another one runs than before; fails when the command ended without it. */
  async function changed(before: string | undefined, going: Going): Promise<void> {
    while (going.child.exitCode === null) {
      const now = await running()
      if (now !== undefined && now !== before) return
      await sleep(50)
    }
    assert.fail(`it ended by itself: ${going.out()}${going.err()}`)
  }

  await t.test(
    'a first install stops, says so in its document, and can be done again',
    async () => {
      const going = shell.start('install ./slow --set check=false -o json')
      await changed(undefined, going)
      going.child.kill('SIGINT')
      const { code, out, err } = await going.told
      assert.equal(code, 130, out + err)
      assert.match(err, /Ctrl-C again leaves at once/)
      const document: { [key: string]: unknown } = JSON.parse(out)
      assert.equal(document['status'], 'interrupted')
      const again = await shell.tend('install ./slow --reset-values')
      assert.equal(again.code, 0, again.out + again.err)
      assert.equal((await shell.tend('status slow')).code, 0)
    },
  )

  await t.test('an upgrade goes back', async () => {
    const before = await running()
    const going = shell.start('upgrade slow --set check=false')
    await changed(before, going)
    going.child.kill('SIGINT')
    const { code, out, err } = await going.told
    assert.equal(code, 130, out + err)
    assert.match(out, /Status: Interrupted/)
    assert.match(out, /Rolled back: everything runs as after run \d+/)
    const status = await shell.tend('status slow')
    assert.equal(status.code, 0, status.out)
  })

  await t.test('the second Ctrl-C leaves at once, and the next run converges', async () => {
    const before = await running()
    const going = shell.start('upgrade slow --set check=false')
    await changed(before, going)
    going.child.kill('SIGINT')
    await sleep(10)
    going.child.kill('SIGINT')
    assert.equal((await going.told).code, 130)
    const again = await shell.tend('upgrade slow')
    assert.equal(again.code, 0, again.out + again.err)
    assert.equal((await shell.tend('status slow')).code, 0)
  })
})
