/** Prints the runs of an application, newest first. */
import type { Application } from '#model/application.ts'
import type { ApplicationRecord, RunRecord } from '#model/store.ts'
import type { CommandContext } from '../session.ts'
import { historyDocument, historyLines } from '../views/listing.ts'
import { Problem } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import { nameWithSpace, type ApplicationQuery } from './installed.ts'
import { findRunning } from './unknown-app.ts'

/** Prints the runs of an uninstalled application too: its removal is history as well. */
export async function tellHistory(
  sought: ApplicationQuery,
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const { session, screen } = context
  const store = (await session.memoryIfAny())?.store
  const { name, namespace } = sought
  const found: { readonly application: Application; readonly runs: readonly RunRecord[] }[] = []
  for (const kind of sought.kinds) {
    const application = { kind, namespace, name }
    found.push({ application, runs: (await store?.runs(application)) ?? [] })
  }
  const first = found.find(({ runs }) => runs.length > 0)
  if (first === undefined) throw lost(await findRunning(sought, flags, context, store))
  return tellRuns(first.application, first.runs, { session, screen })
}

function lost({ application }: ApplicationRecord): Problem {
  const name = nameWithSpace(application)
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${name} runs, and none of its runs is known here: the history was lost, or is in another TEND_HOME`,
    suggestion: `its next run begins a new history; tend status ${name} shows what runs`,
  })
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
