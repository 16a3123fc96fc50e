/** 1,000 objects of 200 kustomizations, nothing changed: what a minute costs, with every interval in it once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FluxWorld } from '../../test/testbed/flux-world.ts'
import { milliseconds, type Row } from '../row.ts'
import { cpuOf } from '../service/processes.ts'
import { allReady, filesOf, kustomizationsOf } from './sets.ts'

const minute = 60_000

export async function* steady(world: FluxWorld): AsyncIterable<Row> {
  const commit = world.push('200 sets', filesOf(100, 200, 5))
  world.apply(...kustomizationsOf(100, 200))
  await allReady(world, 200, commit)
  await calm(world)
  const before = cpuOf(world.serving.pid())
  await sleep(minute)
  const used = cpuOf(world.serving.pid()) - before
  yield {
    name: '1,000 objects, nothing changed: CPU, to 1% of a core',
    measured: used / (minute / 100),
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(used)} in 60 s, its git included; 200 kustomizations, interval 1m`,
  }
}

/** Until what follows the last run is over: five seconds that cost little. */
async function calm({ serving }: FluxWorld): Promise<void> {
  for (let tries = 0; tries < 12; tries += 1) {
    const before = cpuOf(serving.pid())
    await sleep(5000)
    if (cpuOf(serving.pid()) - before <= 100) return
  }
}
