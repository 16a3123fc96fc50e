/** Health checks that never end, on a real Podman, where the service runs them itself: those of another source go on. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { execIn } from '#clients/docker/exec.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { gitBench } from '../testbed/git.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const never = new AbortController().signal

function service(check: string, timeout: string, scale: number): string {
  return `services:
  web:
    image: ${busybox}
    command: [sh, -c, "touch /well; exec sleep 1000"]
    stop_grace_period: 0s
    scale: ${scale}
    healthcheck: { test: ["CMD", ${check}], interval: 1s, timeout: ${timeout}, retries: 2 }
`
}

/** A number that no other process of the machine sleeps for. */
const hanging = `86${process.pid}`

/** By what its processes are called. */
function hangingNow(): number {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return all.filter((line) => line.trim() === `sleep ${hanging}`).length
}

void describe('checks that hang', { skip: required('podman') }, () => {
  void test('hold up nobody of another source', { timeout: 400_000 }, async (t) => {
    const engine = await startPodman()
    await addImage(engine.socket)
    const address = `unix://${engine.socket}`
    const docker = dockerAt({ address })
    const [hostile, good] = [gitBench(), gitBench()]
    const serving = await servingOn({ DOCKER_HOST: address, CONTAINER_HOST: 'unix:///nonexistent' })
    t.after(async () => {
      await serving.remove()
      hostile.remove()
      good.remove()
      docker.close()
      await engine.stop()
    })
    const names = ['one', 'two', 'three']
    const files = names.map((name) => [
      `${name}/compose.yaml`,
      service(`sleep, "${hanging}"`, '3600s', 4),
    ])
    hostile.commit('checks', Object.fromEntries(files))
    good.commit('one', { 'good/compose.yaml': service('test, "-f", "/well"', '5s', 1) })
    serving.declare(`
sources:
  hostile: { git: "${hostile.bare}", ref: main }
  good: { git: "${good.bare}", ref: main }
apps:
  - { stack: good, source: good, path: good }
${names.map((name) => `  - { stack: ${name}, source: hostile, path: ${name} }\n`).join('')}`)
    await serving.start()
    await serving.until('stack:good', ({ state }) => state === 'synced')
    // one at least of the others waits for a check that never ends
    await waitFor(() => hangingNow() > 0)
    let most = 0
    const until = async (state: string): Promise<void> => {
      await serving.until('stack:good', ({ health }) => {
        most = Math.max(most, hangingNow())
        return health.state === state
      })
    }
    await until('healthy')
    const asked = performance.now()
    const command = ['rm', '/well']
    await execIn(docker, 'good-web-1', { command, report() {} }, never)
    await until('failed')
    const seconds = ((performance.now() - asked) / 1000).toFixed(1)
    t.diagnostic(`failed after ${seconds} s, at most ${most} checks hang at once`)
    // it is restarted, and makes the file again
    await until('healthy')
    // whoever gives one up does not end it: three in each container
    assert.ok(most <= 3 * 4 * names.length, `${most} checks hang at once`)
  })
})
