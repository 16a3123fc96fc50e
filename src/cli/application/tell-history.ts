/** Prints the runs of an application, newest first. */
import type { Application } from '#model/application.ts'
import type { RunRecord } from '#model/store.ts'
import type { CommandContext } from '../session.ts'
import { historyDocument, historyLines } from '../views/listing.ts'
import { notInstalled, type ApplicationQuery } from './installed.ts'

/** Prints the runs of an uninstalled application too: its removal is history as well. */
export async function tellHistory(
  sought: ApplicationQuery,
  { session, screen }: CommandContext,
): Promise<number> {
  const store = (await session.memoryIfAny())?.store
  const { name, namespace } = sought
  const found: { readonly application: Application; readonly runs: readonly RunRecord[] }[] = []
  for (const kind of sought.kinds) {
    const application = { kind, namespace, name }
    found.push({ application, runs: (await store?.runs(application)) ?? [] })
  }
  const first = found.find(({ runs }) => runs.length > 0)
  if (first === undefined) throw await notInstalled(sought, store)
  return tellRuns(first.application, first.runs, { session, screen })
}

export async function tellRuns(
  application: Application,
  runs: readonly RunRecord[],
  { session, screen }: Pick<CommandContext, 'session' | 'screen'>,
): Promise<number> {
  if (screen.format === 'table') screen.print(historyLines(runs, session.clock.now()))
  else await screen.document(historyDocument(application, runs))
  return 0
}
