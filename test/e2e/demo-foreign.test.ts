/** The demo on a Podman that others use: what is not the demo's is neither taken over nor removed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'

const skip = required('podman')
const manifest = `apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata:
  name: data
spec:
  type: volume
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: sleeper
spec:
  image: ${busybox}
  args: [sleep, inf]
`

test(
  'a chart of somebody else with the name of the demo stays, with its data',
  { skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-demo-foreign-'))
    const podman = await startPodman()
    await addImage(podman.socket)
    const state = join(folder, 'state')
    const env = {
      ...process.env,
      XDG_STATE_HOME: state,
      TEND_HOME: join(folder, 'home'),
      CONTAINER_HOST: `unix://${podman.socket}`,
      DOCKER_HOST: `unix://${podman.socket}`,
    }
    function ran(...words: readonly string[]): { status: number | null; said: string } {
      const { status, stdout, stderr } = spawnSync('bin/set-up', words, { env, encoding: 'utf8' })
      return { status, said: stdout + stderr }
    }
    function isThere(): void {
      assert.match(ran('bin/tend', 'status', 'hello').said, /Volumes: 1 ok/)
    }
    try {
      const chart = join(folder, 'hello')
      mkdirSync(join(chart, 'templates'), { recursive: true })
      mkdirSync(state)
      cpSync('examples/hello/Chart.yaml', join(chart, 'Chart.yaml'))
      writeFileSync(join(chart, 'templates/sleeper.yaml'), manifest)
      const installed = ran('bin/tend', 'install', chart)
      assert.equal(installed.status, 0, installed.said)

      const down = ran('node', 'demo/run.ts', '--down')
      assert.equal(down.status, 0, down.said)
      assert.match(down.said, /is not up: there is nothing to remove/)
      isThere()

      const up = ran('node', 'demo/run.ts', '--no-clusters')
      assert.equal(up.status, 1, up.said)
      assert.match(up.said, /The demo can't go on: hello on this machine is not the demo's/)
      isThere()
      assert.deepEqual(readdirSync(state), [])
    } finally {
      await podman.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
