/** `tend history`: the runs of a chart, newest first. */
import type { Invocation } from '../arguments/invocation.ts'
import { applicationFor } from '../chart/installed.ts'
import { notInstalled } from '../chart/locate.ts'
import type { Desk } from '../session.ts'
import { historyDocument, historyLines } from '../views/listing.ts'

/** Also of what was uninstalled: that it went is history too. */
export async function history({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen } = desk
  const store = (await session.memoryIfAny())?.store
  const application = await applicationFor(words[0]!, flags.namespace, store)
  const runs = (await store?.runs(application)) ?? []
  if (runs.length === 0) throw await notInstalled(application.name, flags.namespace, store)
  if (screen.format === 'table') screen.print(historyLines(runs, session.clock.now()))
  else await screen.document(historyDocument(application.name, runs))
  return 0
}
