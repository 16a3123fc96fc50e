/** `tend fleet verify`: whether clusters are as the table says. 0 they are, 10 one is missing, 11 states differ, 1 it can't be said. */
import { problemOf } from '#model/problem.ts'
import { observeClusters } from '#domains/fleet/observe/clusters.ts'
import { verified, verifyCode } from '#domains/fleet/look/verify.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { tellFailure } from '../../failure.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import { forReader, verifyLines } from '../../fleet/view.ts'
import type { CommandContext } from '../../session.ts'

export async function fleetVerify({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen, signal } = context
  try {
    const settings = settingsFor(flags, databaseOf(flags, session))
    return await withClusters(flags, session, 'read', async (clusters) => {
      const fleet = await openFleetContext(clusters, settings, reconciling, session)
      const observations = await observeClusters(
        fleet,
        ({ desired }) => desired === 'present',
        signal,
      )
      const seen = verified(fleet, observations)
      if (screen.format === 'table') screen.print(forReader(verifyLines(seen), screen, flags))
      else await screen.document({ ...seen, records: [...seen.records] })
      return verifyCode(seen)
    })
  } catch (thrown) {
    if (problemOf(thrown).code !== 'store_unusable') throw thrown
    await tellFailure(thrown, screen, flags.isVerbose)
    return 1
  }
}
