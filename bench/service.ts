/** The numbers of the service: its API, 200 unchanged stacks, one that changed, one that was killed, and 1,000. */
import { provide } from '../test/testbed/packages.ts'
import { must } from './charts/unchanged.ts'
import type { Row } from './row.ts'
import { rows as apiRows } from './service-api.ts'
import { changed } from './service/changed.ts'
import { killed } from './service/killed.ts'
import { thousand } from './service/thousand.ts'
import { unchanged } from './service/unchanged.ts'
import { openWorld } from './service/world.ts'

export const parts = { api: apiRows, stacks }

async function* stacks(): AsyncIterable<Row> {
  if (!provide('dockerd')) throw new Error('Docker is missing')
  must(process.execPath, ['release/build.ts'], process.env)
  const world = await openWorld()
  try {
    yield* unchanged(world)
    yield* changed(world)
    yield* killed(world)
    await world.stop()
    yield* thousand(world)
  } finally {
    await world.close()
  }
}
