/** Repositories that want to stop the service: loops, bombs and floods in what is rendered. Others go on as if nothing were. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppStatus } from '#model/service.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

type Files = Readonly<Record<string, string>>

/** Seconds of one render; the loops below take many times as long. */
const timeout = 6

const loop = '{{ range until 1600000 }}{{ end }}\n'

function loopingChart(name: string, files: number): Files {
  const templates = Array.from({ length: files }, (_, i) => [`${name}/templates/f${i}.yaml`, loop])
  return {
    [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
    ...Object.fromEntries(templates),
  }
}

/** Each level ten times the one before. */
function aliases(levels: number): string {
  const lines = ['x-0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i <= levels; i += 1) {
    lines.push(`x-${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`)
  }
  return `${lines.join('\n')}\nservices: { web: { image: ${busybox} } }\n`
}

const bombs: Files = {
  ...loopingChart('loops20', 20),
  ...loopingChart('loops200', 200),
  'aliases/compose.yaml': aliases(9),
  // each of five million entries takes more than a hundred bytes once it is read
  'memory/compose.yaml': `services: { web: { image: ${busybox} } }\nx-a: [${'0,'.repeat(5_000_000)}0]\n`,
  'deep/compose.yaml': `services: ${'['.repeat(500_000)}\n`,
  'nested/compose.yaml': `services: { web: { image: ${busybox} } }\n`,
  'nested/tend.yaml': `values: ${'[{a: '.repeat(150_000)}\n`,
  'line/Chart.yaml': `name: ${'x'.repeat(10_000_000)}\nversion: 1.0.0\n`,
}

function stack(greeting: string): Files {
  const text = `services:
  web:
    image: ${busybox}
    command: [sleep, "1000"]
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
`
  return { 'web/compose.yaml': text }
}

describe('a repository that wants to stop the service', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let hostile: Bench
  let good: Bench
  let serving: Serving

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    hostile = gitBench()
    good = gitBench()
    hostile.commit('bombs', bombs)
    good.commit('one', stack('one'))
    serving = await servingOn({
      DOCKER_HOST: `unix://${engine.socket}`,
      CONTAINER_HOST: 'unix:///nonexistent/podman.sock',
      TEND_TOKEN_OF_SOMEBODY: 'not for templates',
    })
    serving.declare(declared(`${timeout}s`))
  })
  after(async () => {
    await serving?.remove()
    hostile?.remove()
    good?.remove()
    await engine?.stop()
  })

  function declared(limit: string): string {
    return `
sources:
  hostile: { git: "${hostile.bare}", ref: main }
  good: { git: "${good.bare}", ref: main }
render: { timeout: ${limit}, memory: 400M }
apps:
  - { stack: web, source: good, path: web, interval: 1s }
discover:
  - { source: hostile, name: hostile, prefix: h-, interval: 1s }
`
  }

  async function apps(): Promise<readonly AppStatus[]> {
    const all: readonly AppStatus[] = JSON.parse(await (await serving.api('/api/v1/apps')).text())
    return all
  }

  /** Asks again and again until it is told to stop; gives how long each answer took, ms. */
  function asking(): () => Promise<readonly number[]> {
    let isOver = false
    const took: number[] = []
    const done = (async () => {
      while (!isOver) {
        const began = performance.now()
        const { status } = await fetch(`${serving.url}/healthz`)
        assert.equal(status, 200)
        took.push(performance.now() - began)
        await sleep(20)
      }
    })()
    return async () => {
      isOver = true
      await done
      return took.toSorted((a, b) => a - b)
    }
  }

  function shown(took: readonly number[]): string {
    const at = (share: number): string =>
      (took[Math.floor((took.length - 1) * share)] ?? 0).toFixed(1)
    return `${took.length} answers of /healthz: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`
  }

  test('its applications fail, each with its reason; the others are synced meanwhile', async (t) => {
    await serving.start()
    const stop = asking()
    const began = performance.now()
    await serving.until('stack:web', ({ state }) => state === 'synced')
    t.diagnostic(`the good one is synced after ${(performance.now() - began).toFixed(0)} ms`)
    const waiting = (await apps()).filter(
      ({ key, state }) => key.includes('h-') && state !== 'failed',
    )
    t.diagnostic(`${waiting.length} of the others are still rendered then`)
    const reasons = new Map<string, string>()
    for (const key of [
      'chart:h-loops20',
      'chart:h-loops200',
      'stack:h-aliases',
      'stack:h-memory',
      'stack:h-deep',
      'stack:h-nested',
    ]) {
      const { reason } = await serving.until(key, ({ state }) => state === 'failed')
      reasons.set(key, reason)
      t.diagnostic(`${key}: ${reason}`)
    }
    const took = await stop()
    t.diagnostic(shown(took))
    assert.ok(took.at(-1)! < 5_000, shown(took))
    const ended = new RegExp(
      `took longer than ${timeout} s and was ended|more than 5000000 steps together`,
    )
    assert.match(reasons.get('chart:h-loops20') ?? '', ended)
    assert.match(reasons.get('chart:h-loops200') ?? '', ended)
    assert.match(
      reasons.get('stack:h-memory') ?? '',
      new RegExp(
        `more than 400 MB of memory and was ended|took longer than ${timeout} s and was ended`,
      ),
    )
    assert.match(reasons.get('stack:h-memory') ?? '', /render\.(memory|timeout)/)
    assert.match(serving.log(), /line\/Chart\.yaml is larger than 256 KB/)
    assert.equal((await apps()).find(({ key }) => key === 'stack:web')?.state, 'synced')
  })

  /** How many renders there were of a kind, by outcome. */
  async function renders(kind: string, outcome: string): Promise<number> {
    const text = await (await serving.api('/metrics')).text()
    const line = text.split('\n').find((one) => {
      return one.startsWith('tend_renders_total') && one.includes(kind) && one.includes(outcome)
    })
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  test('nothing is rendered again while nothing of it changed; what was ended waits for a commit', async () => {
    const [ended, charts] = [await renders('stack', 'ended'), await renders('chart', 'done')]
    assert.equal(ended, 1)
    good.commit('two', stack('two'))
    await serving.until('stack:web', ({ synced }) => synced?.message === 'two')
    assert.equal(await renders('stack', 'ended'), ended)
    // of what was ended nobody knows what it read
    hostile.commit('elsewhere', { README: 'hello' })
    await waitFor(async () => (await renders('stack', 'ended')) === ended + 1)
    assert.equal(await renders('chart', 'done'), charts)
  })

  test('a render process has nothing of the service: no variables, a group of its own, the first to go', async () => {
    hostile.commit('more', loopingChart('more', 3))
    await waitFor(() => children(serving.pid()).length > 0)
    const [pid = 0] = children(serving.pid())
    // the service writes it once the process is there
    await waitFor(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim() === '900')
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1')
    assert.doesNotMatch(variables, /TEND|DOCKER|TOKEN|PATH/)
    assert.equal(fieldsOf(pid)[3], String(pid), 'a session of its own')
    await serving.until('chart:h-more', ({ state }) => state === 'failed')
  })

  test('what never becomes healthy, and what writes a line without an end, keeps no other source waiting', async (t) => {
    const never = `healthcheck: { test: [CMD, "false"], interval: 1s, start_period: 1h }`
    const endless = `head -c 60000000 /dev/zero | tr '\\0' x; exit 1`
    const text = (more: string) =>
      `services:\n  web:\n    image: ${busybox}\n    stop_grace_period: 0s\n    ${more}\n`
    hostile.git('rm', '-rqf', '.')
    hostile.commit('never healthy'.padEnd(100_000, ' x'), {
      'never/compose.yaml': text(`command: [sleep, "1000"]\n    ${never}`),
      'writes/compose.yaml': text(`command: [sh, -c, "${endless}"]\n    restart: "no"`),
    })
    await serving.until('stack:h-never', ({ state }) => state === 'syncing')
    const stop = asking()
    good.commit('while another waits', stack('while another waits'))
    await serving.until('stack:web', ({ synced }) => synced?.message === 'while another waits')
    const all = await apps()
    const waiting = all.find(({ key }) => key === 'stack:h-never')
    assert.equal(waiting?.state, 'syncing', 'it still waits')
    const told = JSON.stringify(all).length
    assert.ok(told < 50_000, `${told} letters are told of ${all.length} applications`)
    t.diagnostic(shown(await stop()))
  })

  test('while two hundred of them render, a push is synced and SIGTERM is heeded; no process stays', async (t) => {
    const many = Array.from({ length: 200 }, (_, i) => loopingChart(`m${i}`, 3))
    hostile.commit('two hundred', Object.assign({}, ...many))
    await waitFor(() => children(serving.pid()).some(isBusy))
    const stop = asking()
    good.commit('three', stack('three'))
    const pushed = performance.now()
    await serving.until('stack:web', ({ synced }) => synced?.message === 'three')
    t.diagnostic(`a push is synced after ${(performance.now() - pushed).toFixed(0)} ms`)
    await waitFor(() => children(serving.pid()).some(isBusy))
    t.diagnostic(shown(await stop()))
    const pids = children(serving.pid())
    const began = performance.now()
    assert.equal(await serving.stop(), 0)
    const ended = performance.now() - began
    t.diagnostic(`SIGTERM: ended after ${ended.toFixed(0)} ms`)
    assert.ok(ended < 15_000, `${ended} ms`)
    assert.deepEqual(pids.filter(isAlive), [])
  })

  test('killed, it leaves no process behind, though that is busy', async () => {
    // a render that would go on for minutes, were it let
    const long = `a: &a [x]\nb: [${'*a, '.repeat(60_000)}*a]\n`
    hostile.git('rm', '-rqf', '.')
    hostile.commit('long', {
      'long/Chart.yaml': 'name: long\nversion: 1.0.0\n',
      'long/values.yaml': long,
      'long/templates/a.yaml': loop,
    })
    serving.declare(declared('10m'))
    await serving.start()
    await waitFor(() => children(serving.pid()).some(isBusy))
    const pids = children(serving.pid())
    await serving.kill()
    await waitFor(() => pids.every((pid) => !isAlive(pid)))
  })
})

/** Fields of /proc/PID/stat behind the name: state, parent, group, session, … */
function fieldsOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  const [state] = fieldsOf(pid)
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Has used up half a second of processor: more than it takes to start, less than a render that is ended for its steps. */
function isBusy(pid: number): boolean {
  return Number(fieldsOf(pid)[11] ?? 0) > 50
}

function children(parent: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && fieldsOf(pid)[1] === String(parent))
    .filter((pid) => isRender(pid))
}

function isRender(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('__render')
  } catch {
    return false
  }
}
