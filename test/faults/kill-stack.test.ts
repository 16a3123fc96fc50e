/** `tend up` is killed at random moments: the next plain run converges, with no volume lost, no duplicate, no orphan. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { execIn } from '#clients/docker/exec.ts'
import { onEngine } from '../e2e/stack-bench.ts'
import { busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { waitFor } from '../testbed/serving.ts'
import { tendOn } from '../testbed/tend.ts'
import { sketchOf, stackOf, type Sketch, type Version } from './stack-scene.ts'
import { watchHome } from './home-history.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const { signal } = new AbortController()

for (const [engineName, kills] of [
  ['Docker', isWhole ? 60 : 8],
  ['Podman', isWhole ? 60 : 4],
] as const) {
  const tally = tallyOf(`stacks on ${engineName}`)
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

    await t.test('killed in its health wait: the next run judges it again', async () => {
      const text = `services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    healthcheck: { test: ["CMD", "test", "-f", "/tmp/ready"], interval: 500ms, retries: 1000 }
`
      shell.write({ 'waits/compose.yaml': text })
      const { child, told } = shell.start('up -f waits/compose.yaml')
      await waitFor(async () => {
        const all = await listContainers(docker, ['com.docker.compose.project=waits'], signal)
        return all.some(({ state }) => state === 'running')
      })
      child.kill('SIGKILL')
      await told
      for (const time of ['second', 'third']) {
        const again = await shell.tend('up -f waits/compose.yaml --timeout 2s')
        assert.notEqual(again.code, 0, `${time}: ${again.out}${again.err}`)
        assert.match(again.out + again.err, /not healthy/, time)
      }
      await execIn(
        docker,
        'waits-web-1',
        { command: ['touch', '/tmp/ready'], report: () => undefined },
        signal,
      )
      const well = await shell.tend('up -f waits/compose.yaml --timeout 60s')
      assert.equal(well.code, 0, well.out + well.err)
      assert.equal((await shell.tend('down -p waits --volumes --yes')).code, 0)
    })

    await t.test(`${kills} kills`, async (context) => {
      await up('first')
      await said('db', 'sh', '-c', 'echo kept > /data/mark')
      const first = await seen()
      assert.equal(first.data, 'kept')
      assert.equal(first.markers, 1)
      const history = await watchHome(join(shell.folder, 'home'))
      context.after(() => history.close())
      const lasted = await up('second')
      const second = await seen()
      for (let kill = 1; kill <= kills; kill += 1) {
        const version = kill % 2 === 1 ? 'first' : 'second'
        const moment = Math.round(Math.random() * lasted * 1.1)
        tally.tried('killed')
        write(version)
        const { child, told } = shell.start('up -f killed/compose.yaml')
        await Promise.race([sleep(moment), told])
        child.kill('SIGKILL')
        await told
        history.died()
        const took = await up(version)
        const where = `killed after ${moment} ms on the way to the ${version}`
        await history.check(where)
        assert.deepEqual(await seen(), version === 'first' ? first : second, where)
        tally.converged('killed')
        context.diagnostic(`${where}; the next run took ${Math.round(took)} ms`)
      }
      const { code, out, err } = await shell.tend('down -p killed --volumes --yes')
      assert.equal(code, 0, out + err)
    })
  })
}
