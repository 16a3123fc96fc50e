/** What a command writes to the history of a fleet's runs. */
import { append, entryOf, historyFile } from '#kinds/fleet/history.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext, Session } from '../session.ts'
import type { Pass } from './pass.ts'

export function historyFileOf({ fleet }: Flags, session: Session, database: string): string {
  return historyFile(database, session, fleet.historyFile)
}

export function entryFor(
  { summary, code }: Pick<Pass, 'summary' | 'code'>,
  flags: Flags,
  session: Session,
  { file, began }: { readonly file: string; readonly began: number },
): JsonRecord {
  const { isDryRun, fleet } = flags
  const isFromDb = fleet.isFromDb || isDryRun || fleet.loops
  const asked = { args: argumentsOf(flags), isFromDb, isDryRun, prunesMissing: fleet.prunesMissing }
  return entryOf({ file, began, code, summary, source: 'manual', ...asked }, session)
}

export function appendEntry(file: string, entry: JsonRecord, { screen }: CommandContext): void {
  append(file, entry, (text) => screen.note(`Warning: ${text}`))
}

function argumentsOf({ isDryRun, fleet }: Flags): readonly string[] {
  return [
    ...(fleet.isFromDb ? ['--from-db'] : []),
    ...(isDryRun ? ['--dry-run'] : []),
    ...(fleet.prunesMissing ? ['--prune-missing'] : []),
    ...(fleet.recreates ? ['--recreate'] : []),
    ...(fleet.loops ? ['--loop'] : []),
  ]
}
