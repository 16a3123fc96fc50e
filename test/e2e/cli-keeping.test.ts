/** Keeping things as they were applied: watch repairs within a second, reinit puts all back after a reboot. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers, removeContainer, stopContainer } from '#clients/podman/containers.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')
const { signal } = new AbortController()

const chart = {
  'pair/Chart.yaml': 'name: pair\nversion: 1.0.0\n',
  'pair/templates/all.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata:
  name: line
spec:
  driver: bridge
{{- range list "one" "two" }}
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: {{ . }}
spec:
  image: ${busybox}
  command: ["/bin/sleep", "1000"]
  networks: [line]
  stopTimeoutSeconds: 0
{{- end }}
`,
}

/** One that ends with an error from its second start on, and one that is well until a file says otherwise. */
const troubled = {
  'troubled/Chart.yaml': 'name: troubled\nversion: 1.0.0\n',
  'troubled/templates/all.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: falls }
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c", "[ -e /tmp/x ] && exit 3; touch /tmp/x; exec sleep 1000"]
  stopTimeoutSeconds: 0
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: sick }
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c", "rm -f /tmp/sick; exec sleep 1000"]
  stopTimeoutSeconds: 0
  health: { type: exec, command: ["/bin/sh", "-c", "[ ! -e /tmp/sick ]"], intervalSeconds: 1, retries: 2 }
`,
}

test('keeping', { skip }, async (t) => {
  let service: TestPodman
  let podman: Podman
  let shell: Tend
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    podman = podmanAt(`unix://${service.socket}`)
    shell = tendOn(service.socket)
    shell.write(chart)
    const installed = await shell.tend('install ./pair')
    assert.equal(installed.code, 0, installed.out + installed.err)
  })
  after(async () => {
    podman.close()
    await service.stop()
    shell.remove()
  })

  async function running(): Promise<readonly string[]> {
    const all = await listContainers(podman, signal)
    return all
      .filter(({ state }) => state === 'running')
      .map(({ name }) => name)
      .toSorted()
  }

  async function until(isSo: () => boolean): Promise<void> {
    const began = Date.now()
    while (!isSo()) {
      if (Date.now() - began > 60_000) throw new Error('it did not come to that')
      await sleep(50)
    }
  }

  async function backAfter(): Promise<number> {
    const began = Date.now()
    while ((await running()).join() !== 'one,two') {
      if (Date.now() - began > 60_000) throw new Error('it did not come back')
      await sleep(20)
    }
    return Date.now() - began
  }

  await t.test('watch repairs what is stopped or removed, and tells each repair', async () => {
    // so seldom that only events can bring about what follows
    const watching = shell.start('watch --interval 1h')
    after(() => watching.child.kill('SIGTERM'))
    await until(() => watching.err().includes('Watching'))
    const repairs = (): number => watching.out().match(/Container (one|two) repaired/g)?.length ?? 0
    const times: number[] = []
    for (let round = 1; round <= 3; round += 1) {
      await stopContainer(podman, 'one', 0, signal)
      times.push(await backAfter())
      await until(() => repairs() === 2 * round - 1)
      await removeContainer(podman, 'two', 0, signal)
      times.push(await backAfter())
      await until(() => repairs() === 2 * round)
    }
    t.diagnostic(`stopped, removed, …: back after ${times.join(', ')} ms`)
    watching.child.kill('SIGTERM')
    const { code, out, err } = await watching.told
    assert.equal(code, 0, out + err)
    assert.match(out, /✓ pair: Container one repaired: /)
    assert.match(out, /✓ pair: Container two repaired: /)
    assert.match((await shell.tend('history pair')).out, /drift/)
  })

  await t.test(
    'watch gives up haste where repairs do not hold, and restarts what is not well',
    async () => {
      shell.write(troubled)
      const installed = await shell.tend('install ./troubled')
      assert.equal(installed.code, 0, installed.out + installed.err)
      const watching = shell.start('watch troubled --interval 10s')
      await until(() => watching.err().includes('Watching'))
      const words = ['exec', 'sick', 'touch', '/tmp/sick']
      assert.equal(spawnSync(service.command, words).status, 0)
      await until(() => /✓ troubled: Container sick restarted: /.test(watching.out()))
      await stopContainer(podman, 'falls', 0, signal)
      await until(() => /ended with exit code 3 after each of 3 repairs/.test(watching.err()))
      const repairs = watching.out().match(/Container falls repaired/g) ?? []
      assert.equal(repairs.length, 4, watching.out())
      watching.child.kill('SIGTERM')
      const { code, out, err } = await watching.told
      assert.equal(code, 0, out + err)
      assert.equal((await shell.tend('uninstall troubled')).code, 0)
    },
  )

  await t.test(
    'what other commands do meanwhile is not undone, and kept from then on',
    async () => {
      const watching = shell.start('watch --interval 1s')
      const repairs = (): number => watching.out().match(/Container one repaired/g)?.length ?? 0
      await until(() => watching.err().includes('Watching'))
      async function run(words: string): Promise<void> {
        const { code, out, err } = await shell.tend(words)
        assert.equal(code, 0, out + err)
      }
      const version = (name: string): void =>
        shell.write({ 'pair/Chart.yaml': `name: pair\nversion: ${name}\n` })
      version('1.1.0')
      await run('upgrade ./pair')
      await run('uninstall pair')
      version('1.2.0')
      await run('install ./pair')
      await removeContainer(podman, 'one', 0, signal)
      await until(() => repairs() > 0)
      watching.child.kill('SIGINT')
      const { code, out, err } = await watching.told
      assert.equal(code, 0, out + err)
      assert.doesNotMatch(err, /failed/)
      const { out: history } = await shell.tend('history pair')
      assert.match(history, /drift +1\.2\.0.*\n.* manual +1\.2\.0.*\n.* uninstall /)
      assert.deepEqual(await running(), ['one', 'two'])
    },
  )

  await t.test('status tells the drift, reinit puts it back after a reboot', async () => {
    podman.close()
    await service.restart({ isReboot: true })
    podman = podmanAt(`unix://${service.socket}`)
    const down = await shell.tend('status pair')
    assert.equal(down.code, 1, down.out)
    assert.match(down.out, /~ one +drifted|✗ one +missing/)
    const back = await shell.tend('reinit')
    assert.equal(back.code, 0, back.out + back.err)
    assert.match(back.out, /^Putting back chart: pair\n/)
    assert.deepEqual(await running(), ['one', 'two'])
    assert.equal((await shell.tend('status')).code, 0)
    assert.match((await shell.tend('history pair')).out, /reinit/)
  })
})
