/** `tend up` is killed at random moments: the next plain run converges, with no volume lost, no duplicate, no orphan. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt } from '#clients/docker/client.ts'
import { execIn } from '#clients/docker/exec.ts'
import { onEngine } from '../e2e/stack-bench.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn } from '../testbed/tend.ts'
import { sketchOf, stackOf, type Sketch, type Version } from './stack-scene.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const { signal } = new AbortController()

for (const [engineName, kills] of [
  ['Docker', isWhole ? 60 : 20],
  ['Podman', isWhole ? 60 : 4],
] as const) {
  const skip = required(engineName === 'Docker' ? 'dockerd' : 'podman')
  onEngine(engineName, skip, async ({ t, socket }) => {
    const shell = tendOn(socket)
    const docker = dockerAt({ address: `unix://${socket}` })
    t.after(() => {
      shell.remove()
      docker.close()
    })
    const port = await freePort()
    function write(version: Version): void {
      shell.write({ 'killed/compose.yaml': stackOf(version, port) })
    }
    async function up(version: Version): Promise<number> {
      const began = performance.now()
      write(version)
      const { code, out, err } = await shell.tend('up -f killed/compose.yaml')
      assert.equal(code, 0, out + err)
      return performance.now() - began
    }
    async function said(service: string, ...command: readonly string[]): Promise<string> {
      const lines: string[] = []
      const exec = { command, report: (line: string) => lines.push(line) }
      await execIn(docker, `killed-${service}-1`, exec, signal)
      return lines.join('\n')
    }
    async function seen(): Promise<Sketch & { readonly data: string; readonly site: string }> {
      const [data, site] = [
        await said('db', 'cat', '/data/mark'),
        await said('web', 'cat', '/site'),
      ]
      return { ...(await sketchOf(docker, signal)), data, site }
    }

    await t.test(`${kills} kills`, async (context) => {
      await up('first')
      await said('db', 'sh', '-c', 'echo kept > /data/mark')
      const first = await seen()
      assert.equal(first.data, 'kept')
      assert.equal(first.markers, 1)
      const lasted = await up('second')
      const second = await seen()
      for (let kill = 1; kill <= kills; kill += 1) {
        const version = kill % 2 === 1 ? 'first' : 'second'
        const moment = Math.round(Math.random() * lasted * 1.1)
        write(version)
        const { child, told } = shell.start('up -f killed/compose.yaml')
        await Promise.race([sleep(moment), told])
        child.kill('SIGKILL')
        await told
        const took = await up(version)
        const where = `killed after ${moment} ms on the way to the ${version}`
        assert.deepEqual(await seen(), version === 'first' ? first : second, where)
        context.diagnostic(`${where}; the next run took ${Math.round(took)} ms`)
      }
      const { code, out, err } = await shell.tend('down -p killed --volumes --yes')
      assert.equal(code, 0, out + err)
    })
  })
}
