/** `tend reinit`: puts everything back after a reboot, from what was applied last. */
import type { JsonRecord } from '#model/json.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { reapplyRequest } from '../application/reapply.ts'
import { chosen } from '../chart/named.ts'
import { followRun } from '../application/start.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import { runDocument } from '../views/document.ts'
import type { RunSummary } from '../views/run-summary.ts'
import { installUnit } from './reinit-unit.ts'
import { byKind } from '../views/by-kind.ts'

export async function reinit(invocation: Invocation, context: CommandContext): Promise<number> {
  const { words, flags } = invocation
  const { session, screen, signal } = context
  if (flags.installs || flags.prints) return installUnit(flags, context)
  const memory = await session.memory()
  const records = await chosen(words, flags.namespace, memory.store)
  const stories: RunSummary[] = []
  for (const record of records) {
    if (signal.aborted) break
    const request = await reapplyRequest(record, 'reinit', flags, context, memory)
    if (request === undefined) {
      screen.note(`Warning: nothing is kept of ${record.application.name} that could be applied`)
      continue
    }
    const heading = {
      doing: `Putting back ${record.application.kind}`,
      subject: record.application.name,
    }
    if (stories.length > 0 && screen.format === 'table') screen.print([''])
    stories.push(await followRun(request, heading, flags, context, memory))
  }
  if (screen.format !== 'table') await screen.document(documentOf(stories))
  else if (stories.length === 0) screen.print(['No charts are installed.'])
  return stories.reduce((worst, summary) => Math.max(worst, exitCodeOf(summary, false)), 0)
}

function documentOf(stories: readonly RunSummary[]): JsonRecord {
  return byKind(stories, ({ application }) => application?.kind, runDocument)
}
