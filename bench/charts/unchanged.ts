/** The common case: nothing changed. It makes no write and costs hardly more than the look itself. */
import { spawnSync } from 'node:child_process'
import type { Podman } from '#clients/podman/client.ts'
import { podmanAt } from '#clients/podman/client.ts'
import { memoryStore } from '#store/memory.ts'
import type { TestPodman } from '../../test/testbed/podman.ts'
import { startProxy } from '../../test/testbed/proxy.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import type { Fifty } from './fifty.ts'
import { bareLists, roadOf } from './road.ts'

export async function* unchanged(
  service: TestPodman,
  podman: Podman,
  fifty: Fifty,
): AsyncIterable<Row> {
  const store = memoryStore()
  const road = roadOf(podman, fifty.chart, store)
  await road.run()
  await road.run()
  yield* calls(service, fifty, store)
  const inside = await contest(
    { look: { run: () => bareLists(podman) }, run: { run: () => road.run() } },
    25,
  )
  yield {
    name: 'unchanged upgrade of 50 containers, to the bare lists',
    measured: inside.run / inside.look,
    goal: { is: 'at most', than: 2 },
    behind: `${milliseconds(inside.run)} against ${milliseconds(inside.look)}`,
  }
  await road.run(true)
}

/** The first run of a process, which remembers nothing but its history: that the last run ended well. */
async function* calls(
  service: TestPodman,
  fifty: Fifty,
  store: ReturnType<typeof memoryStore>,
): AsyncIterable<Row> {
  const proxy = await startProxy(service.socket)
  const counted = podmanAt(`unix://${proxy.socket}`)
  await roadOf(counted, fifty.chart, store).run()
  const [writes, reads] = [proxy.writes().length, proxy.reads()]
  counted.close()
  await proxy.stop()
  const inspections = reads.filter(({ path }) => /\/containers\/[^/]+\/json/.test(path)).length
  yield {
    name: 'unchanged upgrade of 50 containers, write calls',
    measured: writes,
    goal: { is: 'at most', than: 0 },
    behind: `${writes} writes, ${reads.length} reads`,
  }
  yield {
    name: 'unchanged upgrade of 50 containers, inspections of one',
    measured: inspections,
    goal: { is: 'at most', than: 0 },
    behind: `${inspections} of ${reads.length} reads`,
  }
}

/** The whole command, start-up included, against the peer on the equivalent file. Both find everything running. */
export async function wholeCommand(service: TestPodman, fifty: Fifty): Promise<Row> {
  const environment = {
    ...process.env,
    CONTAINER_HOST: `unix://${service.socket}`,
    TEND_HOME: `${fifty.folder}/home`,
  }
  function tend(...words: readonly string[]): void {
    must('dist/tend', words, environment)
  }
  function compose(...words: readonly string[]): void {
    must(
      'podman-compose',
      ['--podman-path', service.command, '-f', fifty.compose, ...words],
      process.env,
    )
  }
  tend('install', fifty.chart)
  compose('up', '-d')
  const times = await contest(
    {
      tend: { run: () => tend('upgrade', fifty.chart) },
      compose: { run: () => compose('up', '-d'), rounds: 1 },
    },
    3,
  )
  tend('uninstall', 'fifty', '--yes')
  compose('down', '-t', '0')
  return {
    name: 'unchanged, whole command, podman-compose up -d to ours',
    measured: times.compose / times.tend,
    goal: { is: 'at least', than: 20 },
    behind: `${milliseconds(times.compose)} against ${milliseconds(times.tend)}`,
  }
}

export function must(
  command: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const { status, stderr, stdout } = spawnSync(command, words, {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stdout}\n${stderr}`)
}
