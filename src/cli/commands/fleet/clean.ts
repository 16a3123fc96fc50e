/** `tend fleet clean`: removes clusters and registrations. Rows and the database stay. */
import type { Invocation } from '../../arguments/invocation.ts'
import { appendEntry, entryFor, historyFileOf } from '../../fleet/history.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { pass } from '../../fleet/pass.ts'
import { report } from '../../fleet/report.ts'
import type { CommandContext } from '../../session.ts'
import { tell } from './reconcile.ts'

export async function fleetClean({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session } = context
  const began = session.clock.now()
  const database = databaseOf(flags, session)
  const settings = settingsFor(flags, database)
  const { isDryRun } = flags
  return withClusters(flags, session, isDryRun ? 'read' : 'write', async (clusters) => {
    const options = {
      mode: 'clean',
      prunesAbsent: false,
      isAll: flags.fleet.isAll,
      recreates: false,
    } as const
    const input = { clusters, settings, options, doing: 'Cleaning fleet', isDryRun }
    const passed = await pass(input, { ...flags, allowEmpty: true, allowMassDelete: true }, context)
    const file = historyFileOf(flags, session, database)
    const entry = { ...entryFor(passed, flags, session, { file, began }), args: ['clean'] }
    appendEntry(file, entry, context)
    if (flags.fleet.report !== undefined) {
      const status = passed.code === 0 ? 'success' : 'failed'
      report(flags.fleet.report, { status, log: file, entry }, context)
    }
    await tell(passed, flags, context)
    return passed.code
  })
}
