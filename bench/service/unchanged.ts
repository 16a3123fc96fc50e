/** 200 stacks, nothing changed: what a cycle asks outside, and what it costs beside only asking. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Row } from '../row.ts'
import { cpuOf, hasChildren } from './processes.ts'
import { running, waited, type World } from './world.ts'

const cycles = 30
const run = promisify(execFile)

export async function* unchanged(world: World): AsyncIterable<Row> {
  const { git, proxy } = world
  await world.start('1s', running)
  await world.settled(running)
  await quiet(world)
  const ours: number[] = []
  const bare: number[] = []
  let [asked, lists, others, questions] = [0, 0, 0, 0]
  // in turns, so that what disturbs one disturbs both
  for (let turn = 0; turn < 3; turn += 1) {
    git.calls()
    proxy.reset()
    const began = cpuOf(world.pid())
    let calls: readonly string[] = []
    await waited(120_000, 50, async () => {
      calls = [...calls, ...git.calls()]
      return calls.length >= cycles / 3
    })
    ours.push((cpuOf(world.pid()) - began) / calls.length)
    asked += calls.length
    others += calls.filter((call) => call !== 'ls-remote').length
    const seen = proxy.calls().filter(({ path }) => !path.includes('/_ping'))
    lists += seen.filter(({ path }) => path.includes('/containers/json')).length
    questions += seen.filter(({ path }) => !/\/(json|volumes|networks)(\?|$)/.test(path)).length
    bare.push(await bareCpu(world))
  }
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, one) => sum + one, 0) / list.length
  yield {
    name: '200 stacks unchanged: container lists per ls-remote',
    measured: lists / asked,
    goal: { is: 'at most', than: 1.2 },
    behind: `${asked} cycles: ${asked} git, ${lists} container lists`,
  }
  yield {
    name: '200 stacks unchanged: other processes and other calls',
    measured: others + questions,
    goal: { is: 'at most', than: 0 },
    behind: `no programs but git and sh could be found; ${others} calls of them beside ls-remote, ${questions} other calls`,
  }
  yield {
    name: '200 stacks unchanged: CPU of a cycle to list, parse and git',
    measured: mean(ours) / mean(bare),
    goal: { is: 'at most', than: 1.3 },
    behind: `${mean(ours).toFixed(1)} ms against ${mean(bare).toFixed(1)} ms`,
  }
  await world.stop()
}

/**
 * Until what follows the last run is over. Processes that rendered rest for a minute, and when they end all that they ever used counts
 * as time of the service. Looks after events end before: no call for longer than a cycle but the usual ones.
 */
async function quiet(world: World): Promise<void> {
  const { git } = world
  await waited(180_000, 20, async () => !hasChildren(world.pid()))
  for (let rounds = 0; rounds < 5; rounds += 1) {
    git.calls()
    await waited(30_000, 50, async () => git.calls().length > 0)
  }
}

async function bareCpu({ socket, repository, path }: World): Promise<number> {
  const words = [`unix://${socket}`, repository, String(cycles / 3), path]
  const { stdout } = await run(process.execPath, ['bench/service/bare-cycle.ts', ...words])
  return Number(stdout)
}
