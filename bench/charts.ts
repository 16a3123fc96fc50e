/** The numbers of charts on Podman. */
import { planning } from './charts/planning.ts'
import { startUp } from './charts/start-up.ts'
import type { Row } from './row.ts'

export async function* rows(): AsyncIterable<Row> {
  yield await planning()
  yield* startUp()
}
