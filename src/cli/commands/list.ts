/** `tend list`: what is installed. */
import type { Flags, Invocation } from '../arguments/invocation.ts'
import { statusOf } from '../chart/health.ts'
import { chosenCharts } from '../chart/installed.ts'
import type { Desk } from '../session.ts'
import { listDocument, listLines, type Installed } from '../views/listing.ts'

export async function list({ flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen } = desk
  const memory = await session.memoryIfAny()
  const records = await chosenCharts([], flags.namespace, memory?.store)
  const charts: Installed[] =
    memory === undefined
      ? []
      : await Promise.all(records.map((record) => statusOf(record, flags, desk, memory)))
  charts.push(...(await forgotten(charts, flags, desk)))
  if (screen.format === 'table') screen.print(listLines(charts, session.clock.now()))
  else await screen.document(listDocument(charts))
  return 0
}

/** Those that run but are not in the history: it was lost, or another home installed them. */
async function forgotten(
  charts: readonly Installed[],
  flags: Flags,
  { session, signal }: Desk,
): Promise<readonly Installed[]> {
  const runtime = await session.runtime(flags)
  const recalled = await runtime.recall(signal).catch(() => [])
  return recalled
    .map(({ application: { name, namespace }, version, since }) => {
      return { name, namespace, version, run: 0, state: 'unknown', since, path: null } as const
    })
    .filter(({ name, namespace }) => {
      if (flags.namespace !== null && flags.namespace !== namespace) return false
      return !charts.some((chart) => chart.name === name && chart.namespace === namespace)
    })
}
