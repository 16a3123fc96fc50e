/** The numbers of a fleet: against the bare commands of its programs, and against limits that were given. */
import { must } from './charts/unchanged.ts'
import { sixAtOnce } from './fleet/six-at-once.ts'
import { swaps } from './fleet/swaps.ts'
import { unchanged } from './fleet/unchanged.ts'
import type { Row } from './row.ts'

export const parts = {
  unchanged: () => onRelease(unchanged),
  swaps: () => onRelease(swaps),
  'six-at-once': () => onRelease(sixAtOnce),
}

async function* onRelease(rows: () => AsyncIterable<Row>): AsyncIterable<Row> {
  must(process.execPath, ['release/build.ts'], process.env)
  yield* rows()
}
