/** 1,000 applications: memory, and how soon after a start every status is known. */
import { milliseconds, type Row } from '../row.ts'
import { memoryOf } from './processes.ts'
import { all, waited, type World } from './world.ts'

const megabyte = 1024 ** 2

export async function* thousand(world: World): AsyncIterable<Row> {
  const first = await mostWhile(world, async () => {
    await world.start('5s', all)
    await world.settled(all)
  })
  const when = 'while 1,000 applications are synced for the first time'
  yield memoryRow(when, first, 'in that time', 150)
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
  const most = await mostWhile(world, async () => {
    const until = performance.now() + 20_000
    await waited(30_000, 100, async () => {
      await world.apps()
      return performance.now() > until
    })
  })
  yield memoryRow(
    'with 1,000 applications',
    most,
    'in four cycles with their statuses asked for',
    200,
  )
}

/** Bytes, at the worst of ten looks a second. */
async function mostWhile(world: World, work: () => Promise<void>): Promise<number> {
  let most = 0
  const looking = setInterval(() => {
    if (world.pid() > 0) most = Math.max(most, memoryOf(world.pid()))
  }, 100)
  try {
    await work()
    return most
  } finally {
    clearInterval(looking)
  }
}

function memoryRow(when: string, most: number, how: string, limit: number): Row {
  return {
    name: `resident memory ${when}, to ${limit} MB`,
    measured: most / (limit * megabyte),
    goal: { is: 'at most', than: 1 },
    behind: `${(most / megabyte).toFixed(0)} MB at most ${how}`,
  }
}
