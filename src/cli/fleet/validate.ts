/** The checks of `tend fleet validate` and of `regress`: those of the fleet, and that its table and settings can be read. */
import { problemOf } from '#model/problem.ts'
import { check, fleetChecks, type Check } from '#kinds/fleet/checks.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { databaseOf, settingsFor, withClusters } from './open.ts'

export async function validate(
  flags: Flags,
  { session, signal }: CommandContext,
): Promise<readonly Check[]> {
  const settings = settingsFor(flags, databaseOf(flags, session))
  const checks: Check[] = []
  try {
    await withClusters(flags, session, 'read', async (clusters) => {
      const context = await openFleetContext(clusters, settings, reconciling, session)
      const looking = { around: session, signal }
      for await (const one of fleetChecks(context, clusters.file, looking)) checks.push(one)
      signal.throwIfAborted()
    })
  } catch (thrown) {
    signal.throwIfAborted()
    const { message, suggestion, code } = problemOf(thrown)
    const what = code === 'store_unusable' ? 'database' : 'fleet.yaml'
    checks.push(check(what, `${message}${suggestion === undefined ? '' : `; ${suggestion}`}`, ''))
  }
  return checks
}
