/** 1,000 applications: memory, and how soon after a start every status is known. */
import { milliseconds, type Row } from '../row.ts'
import { memoryOf } from './processes.ts'
import { all, waited, type World } from './world.ts'

const megabyte = 1024 ** 2

export async function* thousand(world: World): AsyncIterable<Row> {
  await world.start('5s', all)
  await world.settled(all)
  await world.stop()
  const began = performance.now()
  await world.start('5s', all)
  await waited(120_000, 20, async () => {
    const ready = await fetch(`${world.url}/readyz`)
    if (!ready.ok) return false
    return (await world.apps()).filter(({ state }) => state === 'synced').length === all
  })
  const lasted = performance.now() - began
  yield {
    name: 'start with 1,000 applications, all statuses known, to 10 s',
    measured: lasted / 10_000,
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(lasted)} from the start of the process`,
  }
  let most = 0
  const until = performance.now() + 20_000
  await waited(30_000, 100, async () => {
    most = Math.max(most, memoryOf(world.pid()))
    await world.apps()
    return performance.now() > until
  })
  yield {
    name: 'resident memory with 1,000 applications, to 200 MB',
    measured: most / (200 * megabyte),
    goal: { is: 'at most', than: 1 },
    behind: `${(most / megabyte).toFixed(0)} MB at most in four cycles with their statuses asked for`,
  }
}
