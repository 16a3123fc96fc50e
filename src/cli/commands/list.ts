/** `tend list`: what is installed. */
import type { Invocation } from '../arguments/invocation.ts'
import { statusOf } from '../chart/health.ts'
import { chosenCharts } from '../chart/installed.ts'
import type { Desk } from '../session.ts'
import { listDocument, listLines } from '../views/listing.ts'

export async function list({ flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen } = desk
  const memory = await session.memoryIfAny()
  const records = await chosenCharts([], flags.namespace, memory?.store)
  const charts =
    memory === undefined
      ? []
      : await Promise.all(records.map((record) => statusOf(record, flags, desk, memory)))
  if (screen.format === 'table') screen.print(listLines(charts, session.clock.now()))
  else await screen.document(listDocument(charts))
  return 0
}
