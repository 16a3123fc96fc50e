/** The numbers of a fleet: against the bare commands of its programs, and against limits that were given. */
import { must } from './charts/unchanged.ts'
import { sixAtOnce } from './fleet/six-at-once.ts'
import { swaps } from './fleet/swaps.ts'
import { unchanged } from './fleet/unchanged.ts'
import type { Row } from './row.ts'

export async function* rows(): AsyncIterable<Row> {
  must(process.execPath, ['release/build.ts'], process.env)
  yield* unchanged()
  yield* swaps()
  yield* sixAtOnce()
}
