/** The numbers of the service: its API, 200 unchanged stacks, one that changed, one that was killed, and 1,000. */
import { provide } from '../test/testbed/packages.ts'
import { must } from './charts/unchanged.ts'
import type { Row } from './row.ts'
import { rows as apiRows } from './service-api.ts'
import { changed } from './service/changed.ts'
import { killed } from './service/killed.ts'
import { thousand } from './service/thousand.ts'
import { unchanged } from './service/unchanged.ts'
import { openWorld, type World } from './service/world.ts'

export const parts = {
  api: apiRows,
  unchanged: () => inWorld(unchanged),
  changed: () => inWorld(changedAndKilled),
  thousand: () => inWorld(thousand),
}

async function* changedAndKilled(world: World): AsyncIterable<Row> {
  yield* changed(world)
  yield* killed(world)
}

async function* inWorld(rows: (world: World) => AsyncIterable<Row>): AsyncIterable<Row> {
  if (!provide('dockerd')) throw new Error('Docker is missing')
  must(process.execPath, ['release/build.ts'], process.env)
  const world = await openWorld()
  try {
    yield* rows(world)
  } finally {
    await world.close()
  }
}
