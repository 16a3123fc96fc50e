/** Images that make every list of their engine long: none is run for a followed application, and those of others hold nobody up. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { createContainer } from '#clients/docker/containers.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { gitBench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal

/** Engines take no longer line of a Dockerfile than 65,535 bytes. */
const long = 'x'.repeat(61_000)

function times(count: number, text: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join('')
}

function service(source: string, scale: number): string {
  return `services:
  web:
    ${source}
    command: [sleep, "1000"]
    stop_grace_period: 0s
    scale: ${scale}
`
}

const built = 'build: .'

type Attack = readonly [compose: string, dockerfile: string, said: RegExp]

const attacks: Readonly<Record<string, Attack>> = {
  labels: [
    service(built, 60),
    `FROM ${busybox}\n${times(15, (at) => `LABEL l${at}="${long}"\n`)}`,
    /the Dockerfile has 91\d{4} bytes, more than the 262144/,
  ],
  multiplied: [
    service(built, 60),
    `FROM ${busybox}\nARG A="${long}"\nLABEL ${times(6, (at) => `l${at}=$A `)}\n`,
    /multiplied-web is too heavy .* 366\d{3} letters, more than 256000/,
  ],
  sum: [
    service(built, 60),
    `FROM ${busybox}\nARG A="${long}"\nENV ${times(3, (at) => `e${at}=$A `)}\n`,
    /sum-web is too heavy .*of the 60 containers .* 1\d{7} letters, more than 4000000/,
  ],
  stranger: [service('image: localhost/heavy:1', 60), '', /image localhost\/heavy:1 is too heavy/],
}

/** Podman keeps a range as one port, and tells of none of them in its lists. */
const onDocker: Readonly<Record<string, Attack>> = {
  ports: [
    service(built, 10),
    `FROM ${busybox}\nEXPOSE 1-20000/tcp 1-20000/udp\n`,
    /of the 10 containers .* more than 4000000/,
  ],
}

/** The suite of attacks has both engines; among all tests one is enough for what costs minutes of a processor. */
const engines = process.env['TEND_HOSTILE'] === undefined ? bothEngines.slice(0, 1) : bothEngines

for (const [name, skip, begin] of engines) {
  void describe(`heavy images on ${name}`, { skip }, () => {
    void test('no list grows by them, and nobody waits', { timeout: 900_000 }, async (t) => {
      const engine = await begin()
      const docker = dockerAt({ address: `unix://${engine.socket}` })
      const all = name === 'Docker' ? { ...attacks, ...onDocker } : attacks
      const [hostile, good] = [gitBench(), gitBench()]
      const serving = await servingOn({
        DOCKER_HOST: `unix://${engine.socket}`,
        CONTAINER_HOST: name === 'Podman' ? `unix://${engine.socket}` : 'unix:///nonexistent',
      })
      t.after(async () => {
        await serving.remove()
        hostile.remove()
        good.remove()
        docker.close()
        await engine.stop()
      })
      await heavyImage(docker)
      good.commit('one', { 'good/compose.yaml': service(`image: ${busybox}`, 1) })
      const files = Object.entries(all).flatMap(([folder, [compose, dockerfile]]) => [
        [`${folder}/compose.yaml`, compose],
        ...(dockerfile === '' ? [] : [[`${folder}/Dockerfile`, dockerfile]]),
      ])
      hostile.commit('attacks', { ...Object.fromEntries(files), ...chart })
      serving.declare(`
sources:
  hostile: { git: "${hostile.bare}", ref: main }
  good: { git: "${good.bare}", ref: main }
apps: [{ stack: good, source: good, path: good, interval: 1s }]
discover: [{ source: hostile, name: hostile, interval: 1s }]
`)
      await serving.start()
      await serving.until('stack:good', ({ state }) => state === 'synced')
      const stop = await asking(serving, t)
      const wrong: string[] = []
      for (const [folder, [, , said]] of Object.entries(all)) {
        const reason = await reasonOf(serving, `stack:${folder}`)
        if (!said.test(reason) || !/(compose.yaml:2|Dockerfile:1):\d/.test(reason)) {
          wrong.push(`${folder}: ${reason}`)
        }
      }
      if (name === 'Podman') {
        const reason = await reasonOf(serving, 'chart:chart')
        if (!/heavy:1 is too heavy.*more than 256000/s.test(reason)) wrong.push(reason)
        if (!reason.includes('templates/web.yaml:1')) wrong.push(reason)
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual(await namesOn(docker), ['good-web-1', 'stranger'])
      quick(await stop(), t, 'while heavy images are refused')
      for (let at = 0; at < 60; at += 1) await stranger(docker, `stranger-${at}`)
      const since = await asking(serving, t)
      good.commit('two', { 'good/compose.yaml': service(`image: ${busybox}\n    init: true`, 1) })
      const began = performance.now()
      await serving.until(
        'stack:good',
        ({ synced, state }) => synced?.message === 'two' && state === 'synced',
      )
      t.diagnostic(`a push is synced after ${(performance.now() - began).toFixed(0)} ms`)
      quick(await since(), t, 'with 60 containers of others that have 900 KB of labels each')
    })
  })
}

const chart = {
  'chart/Chart.yaml': 'name: chart\nversion: 1.0.0\n',
  'chart/templates/web.yaml':
    'apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: { name: heavy-web }\nspec: { image: "localhost/heavy:1", command: [sleep, "1000"] }\n',
}

/** By hand, as somebody else would. */
async function stranger(docker: Docker, name: string): Promise<void> {
  const labels = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`l${at}`, long]))
  const body = { Image: busybox, Cmd: ['sleep', '1000'], Labels: labels }
  await createContainer(docker, { name, body }, never)
}

async function heavyImage(docker: Docker): Promise<void> {
  await stranger(docker, 'stranger')
  const query = { container: 'stranger', repo: 'localhost/heavy', tag: '1' }
  await docker.ask('POST', '/commit', { query, body: {}, signal: never, doing: 'commit' })
}

async function namesOn(docker: Docker): Promise<readonly string[]> {
  return (await listContainers(docker, [], never)).map((one) => one.name).toSorted()
}

/** Once it failed, or came through: builds take their time. */
async function reasonOf(serving: Serving, key: string): Promise<string> {
  for (;;) {
    const said = await serving
      .until(key, ({ state }) => state === 'failed' || state === 'synced')
      .catch(() => undefined)
    if (said !== undefined) return said.reason
  }
}

/** How long answers took, ms, in order: of the service, and of a program beside it that has nothing to do. */
type Took = { readonly own: readonly number[]; readonly idle: readonly number[] }

/** Asks both again and again until it is told to stop. What the idle one takes is the machine's own doing. */
async function asking(serving: Serving, t: TestContext): Promise<() => Promise<Took>> {
  const program = `require('http').createServer((_, r) => r.end()).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const idle = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => idle.kill())
  const [port] = await once(idle.stdout.setEncoding('utf8'), 'data')
  let isStopped = false
  async function ask(url: string): Promise<readonly number[]> {
    const took: number[] = []
    while (!isStopped) {
      const began = performance.now()
      assert.equal((await fetch(url)).status, 200)
      took.push(performance.now() - began)
      await sleep(10)
    }
    return took.toSorted((a, b) => a - b)
  }
  const asked = Promise.all([
    ask(`${serving.url}/healthz`),
    ask(`http://127.0.0.1:${String(port).trim()}/`),
  ])
  return async () => {
    isStopped = true
    const [own, others] = await asked
    return { own, idle: others }
  }
}

function quick({ own, idle }: Took, t: { diagnostic(text: string): void }, when: string): void {
  const at = (took: readonly number[], share: number): number =>
    took[Math.floor((took.length - 1) * share)] ?? 0
  const shown = `${when}: ${own.length} answers of /healthz, median ${at(own, 0.5).toFixed(1)} ms, 99 % ${at(own, 0.99).toFixed(1)} ms, slowest ${at(own, 1).toFixed(1)} ms; of an idle program 99 % ${at(idle, 0.99).toFixed(1)} ms, slowest ${at(idle, 1).toFixed(1)} ms`
  t.diagnostic(shown)
  // where others take the processor away, who works waits longer for it than who idles
  assert.ok(at(own, 0.99) < Math.max(100, 4 * at(idle, 0.99)), shown)
}
