/** `tend fleet clean`: clusters and registrations go; rows and the database stay. */
import type { Invocation } from '../../arguments/invocation.ts'
import { append, entryOf, historyFile } from '../../fleet/history.ts'
import { databaseOf, withClusters } from '../../fleet/open.ts'
import { pass } from '../../fleet/pass.ts'
import { report } from '../../fleet/report.ts'
import { settingsFor } from '../../fleet/settings.ts'
import type { Desk } from '../../session.ts'
import { tell } from './reconcile.ts'

export async function fleetClean({ flags }: Invocation, desk: Desk): Promise<number> {
  const { session } = desk
  const began = session.clock.now()
  const database = databaseOf(flags, session)
  const settings = settingsFor(flags, database)
  const { isDryRun } = flags
  return withClusters(flags, session, isDryRun ? 'read' : 'write', async (clusters) => {
    const wishes = {
      mode: 'clean',
      prunesAbsent: false,
      isAll: flags.fleet.isAll,
      recreates: false,
    } as const
    const input = { clusters, settings, wishes, doing: 'Cleaning fleet', isDryRun }
    const passed = await pass(input, { ...flags, allowEmpty: true, allowMassDelete: true }, desk)
    const file = historyFile(flags, session, database)
    const entry = { ...entryOf(passed, flags, session, { file, began }), args: ['clean'] }
    append(file, entry, desk)
    if (flags.fleet.report !== undefined) {
      const status = passed.code === 0 ? 'success' : 'failed'
      report(flags.fleet.report, { status, log: file, entry }, desk)
    }
    await tell(passed, flags, desk)
    return passed.code
  })
}
