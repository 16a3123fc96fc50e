/** `tend status`: how one chart is, or all of them. */
import type { Invocation } from '../arguments/invocation.ts'
import { statusOf } from '../chart/health.ts'
import { chosenCharts } from '../chart/installed.ts'
import type { Desk } from '../session.ts'
import { statusDocument, statusLines } from '../views/status.ts'

/** 0 when everything is healthy, else 1: scripts ask for little more. */
export async function status({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen } = desk
  const memory = await session.memoryIfAny()
  const records = await chosenCharts(words, flags.namespace, memory?.store)
  const states =
    memory === undefined
      ? []
      : await Promise.all(records.map((record) => statusOf(record, flags, desk, memory)))
  if (screen.format === 'table') {
    const now = session.clock.now()
    const blocks = states.flatMap((one, index) => [
      ...(index > 0 ? [''] : []),
      ...statusLines(one, now, screen.paint),
    ])
    screen.print(blocks.length === 0 ? ['No charts are installed.'] : blocks)
  } else if (words.length > 0) await screen.document(statusDocument(states[0]!))
  else await screen.document({ charts: states.map(statusDocument) })
  return states.every(({ state }) => state === 'healthy') ? 0 : 1
}
