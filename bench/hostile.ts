/** `/healthz` while repositories try to stop the service: the 99th percentile against the 100 ms that are promised. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDocker } from '../test/testbed/docker.ts'
import { gitBench, type Bench } from '../test/testbed/git.ts'
import { busybox } from '../test/testbed/image.ts'
import { servingOn, waitFor, type Serving } from '../test/testbed/serving.ts'
import type { Row } from './row.ts'

/** ms */
const promised = 100
const loop = '{{ range until 1600000 }}{{ end }}\n'

export async function* rows(): AsyncIterable<Row> {
  const engine = await startDocker()
  await engine.addImage()
  const [hostile, many, good, large] = [gitBench(), gitBench(), gitBench(), gitBench()]
  const serving = await servingOn({
    DOCKER_HOST: `unix://${engine.socket}`,
    CONTAINER_HOST: 'unix:///nonexistent/podman.sock',
  })
  try {
    good.commit('one', { 'web/compose.yaml': stack })
    hostile.commit('nothing', { 'web/compose.yaml': stack })
    many.commit('nothing', { 'web/compose.yaml': stack })
    large.commit('nothing', { README: '' })
    serving.declare(declared(hostile, many, good, large))
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'synced')
    yield await measured('/healthz, 99 %, quiet', serving, () => sleep(3_000))
    yield await measured('/healthz, 99 %, 99,000 new files', serving, async () => {
      const from = serving.log().length
      await manyFiles(many)
      await waitFor(() => serving.log().slice(from).includes('new revision'), 300_000)
    })
    // git keeps this process busy: before anybody asks, so that the service is not blamed for it
    hostile.commit('bombs', bombs())
    yield await measured(
      '/healthz, 99 %, charts that loop, bombs of aliases',
      serving,
      async () => {
        await serving.until('stack:h-aliases', ({ state }) => state === 'failed')
        await serving.until('chart:h-loops', ({ state }) => state === 'failed')
      },
    )
    const names = commitLargest(large)
    yield await measured('/healthz, 99 %, stacks as large as may be, planned', serving, () =>
      planned(serving, names),
    )
  } finally {
    await serving.remove()
    for (const bench of [hostile, many, good, large]) bench.remove()
    await engine.stop()
  }
}

const stack = `services:
  web: { image: ${busybox}, command: [sleep, "1000"], stop_grace_period: 0s }
`

function declared(hostile: Bench, many: Bench, good: Bench, large: Bench): string {
  return `
sources:
  hostile: { git: "${hostile.bare}", ref: main }
  many: { git: "${many.bare}", ref: main }
  good: { git: "${good.bare}", ref: main }
  large: { git: "${large.bare}", ref: main }
render: { timeout: 6s, memory: 400M }
apps:
  - { stack: web, source: good, path: web, interval: 1s }
  - { stack: many, source: many, path: web, interval: 1s }
discover:
  - { source: hostile, name: hostile, prefix: h-, interval: 1s }
  - { source: large, name: large, prefix: l-, interval: 1s, suspended: true }
`
}

/** Just within the limits of a stack: they are rendered, compared and planned as any other, and never started. */
function commitLargest(large: Bench): readonly string[] {
  const each = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('')
  const image = `image: ${busybox}`
  const service = (name: string): string =>
    `  ${name}:\n    ${image}\n    labels:\n${each(5_000, (i) => `      l${i}: "${i}"\n`)}    environment:\n${each(5_000, (i) => `      E${i}: "${i}"\n`)}`
  const files = {
    'containers/compose.yaml': `services: { web: { ${image}, scale: 1000 } }\n`,
    'waits/compose.yaml': `services: { db: { ${image}, scale: 140 }, web: { ${image}, scale: 140, depends_on: [db] } }\n`,
    'entries/compose.yaml': `services:\n${each(10, (i) => service(`s${i}`))}`,
  }
  large.commit('large', files)
  return Object.keys(files).map((file) => `stack:l-${file.split('/')[0]}`)
}

async function planned(serving: Serving, names: readonly string[]): Promise<void> {
  for (const key of names) await serving.until(key, ({ desired }) => desired !== undefined)
  for (const key of names) {
    const answer = await serving.api(`/api/v1/apps/${key}/plan`)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${key}: ${text.slice(0, 500)}`)
  }
}

/** As fast as Git takes them, and beside the questions: who asks must not wait for it. */
async function manyFiles(many: Bench): Promise<void> {
  const head = 'commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 4\nmany\n'
  const files = Array.from({ length: 99_000 }, (_, index) => {
    const text = `content ${index}\n`
    const folder = index % 2 === 0 ? 'flat' : `d${index % 50}`
    return `M 100644 inline ${folder}/f${index}\ndata ${text.length}\n${text}\n`
  })
  const input = `${head}from refs/heads/main^0\n${files.join('')}`
  const git = spawn('git', ['fast-import', '--quiet', '--force'], { cwd: many.bare })
  git.stdin.end(input)
  await once(git, 'close')
}

function bombs(): Readonly<Record<string, string>> {
  const templates = Array.from({ length: 200 }, (_, i) => [`loops/templates/f${i}.yaml`, loop])
  const lines = ['x-0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i <= 9; i += 1) {
    lines.push(`x-${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`)
  }
  return {
    'loops/Chart.yaml': 'name: loops\nversion: 1.0.0\n',
    ...Object.fromEntries(templates),
    'aliases/compose.yaml': `${lines.join('\n')}\n${stack}`,
    'deep/compose.yaml': `services: ${'['.repeat(500_000)}\n`,
    'memory/compose.yaml': `${stack}x-a: [${'0,'.repeat(5_000_000)}0]\n`,
  }
}

/** ms that this process and the main thread of the service were ready to run and others had the processors: no fault of either. */
function waitedFor(pid: number): number {
  return [process.pid, pid]
    .map((one) => readFileSync(`/proc/${one}/task/${one}/schedstat`, 'utf8').split(' ')[1])
    .reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0)
}

async function measured(
  name: string,
  serving: Serving,
  work: () => Promise<unknown>,
): Promise<Row> {
  const loadBefore = loadavg()[0]?.toFixed(1) ?? '?'
  const took: number[] = []
  const own: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const waited = waitedFor(serving.pid())
      const began = performance.now()
      await (await fetch(`${serving.url}/healthz`)).text()
      const passed = performance.now() - began
      took.push(passed)
      own.push(Math.max(0, passed - (waitedFor(serving.pid()) - waited)))
      await sleep(10)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await asking
  }
  const at = (share: number, all = took): number =>
    all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * share)] ?? 0
  const alone = `without waiting for a processor ${at(0.99, own).toFixed(1)} ms, slowest ${at(1, own).toFixed(0)} ms`
  const behind = `${at(0.99).toFixed(1)} ms of ${promised} ms; median ${at(0.5).toFixed(1)} ms, slowest ${at(1).toFixed(0)} ms, ${took.length} answers; ${alone}; load of the machine ${loadBefore} before`
  return { name, measured: at(0.99) / promised, goal: { is: 'at most', than: 1 }, behind }
}
