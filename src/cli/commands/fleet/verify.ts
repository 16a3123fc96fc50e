/** `tend fleet verify`: whether clusters are as the table says. 0 they are, 10 one is missing, 11 states differ, 1 it can't be said. */
import { problemOf } from '#model/problem.ts'
import { sightsOf } from '#domains/fleet/sight.ts'
import { verified, verifyCode } from '#domains/fleet/verify.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { tellFailure } from '../../failure.ts'
import { databaseOf, withClusters } from '../../fleet/open.ts'
import { settingsFor } from '../../fleet/settings.ts'
import { reconciling, siteFor } from '../../fleet/site.ts'
import { forReader, verifyLines } from '../../fleet/view.ts'
import type { Desk } from '../../session.ts'

export async function fleetVerify({ flags }: Invocation, desk: Desk): Promise<number> {
  const { session, screen, signal } = desk
  try {
    const settings = settingsFor(flags, databaseOf(flags, session))
    return await withClusters(flags, session, 'read', async (clusters) => {
      const site = await siteFor(clusters, settings, reconciling, session)
      const sights = await sightsOf(site, ({ desired }) => desired === 'present', signal)
      const seen = verified(site, sights)
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
