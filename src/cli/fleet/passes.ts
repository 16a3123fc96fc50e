/** The passes of `tend fleet reconcile --loop`: each is a run of the service's loop, which has this fleet as its one application. */
import { join } from 'node:path'
import { runWhenAsked } from '#controller/run-when-asked.ts'
import { fleetApplication } from '#kinds/fleet/application.ts'
import type { FleetAsked, RunResult } from '#kinds/fleet/asked.ts'
import { targetOf } from '#kinds/fleet/fleet-address.ts'
import { loadedFleets } from '#kinds/fleet/load.ts'
import type { Declared } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import type { RunOptions } from '#domains/fleet/fleet-context.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { databaseOf, settingsFor } from './open.ts'
import { interrupted, passOf, showFleetRun, unplanned, type Pass } from './pass.ts'

export type Passes = {
  /** Makes one. Throws when it could not even begin. */
  pass(): Promise<Pass>
  close(): Promise<void>
}

export async function openPasses(
  options: RunOptions,
  flags: Flags,
  context: CommandContext,
): Promise<Passes> {
  const { session, signal } = context
  const { clock, instance, holder, home, environment } = session
  const { store, leases, key } = await session.memory()
  const database = databaseOf(flags, session)
  const application = fleetApplication(settingsFor(flags, database))
  let told: { result?: RunResult; failure?: unknown } = {}
  const asked: FleetAsked = {
    options,
    otherwise: 'told later',
    isRenderedByRuns: true,
    ended: (result) => (told.result = result),
    failed: (thrown) => (told.failure ??= thrown),
  }
  // what a pass came to is printed at its end
  const log = (): void => undefined
  const kind = loadedFleets({ clock, environment, home, instance, log }, asked)
  const bindFiles = bindFilesIn(join(home, 'files'))
  const own = { store, leases, key, bindFiles, clock, instance, holder, log, kinds: [kind] }
  const since = (await store.application(application))?.since ?? clock.now()
  const runs = runWhenAsked(own, declaredBy(application, database, flags), since)
  const stop = (): void => void runs.stop()
  signal.addEventListener('abort', stop, { once: true })
  const allowed = { empty: flags.allowEmpty, massDelete: flags.allowMassDelete }

  return {
    async pass() {
      told = {}
      const { isDryRun } = flags
      const events = isDryRun ? runs.dryRun(allowed) : runs.run(allowed)
      const shown = { doing: 'Reconciling fleet', file: database, options, isDryRun }
      const run = await showFleetRun(events, shown, flags, context)
      if (told.result !== undefined) return passOf(run, told.result, options, context)
      if (told.failure !== undefined) throw told.failure
      // rows were read, and nothing could be planned
      if (run.rendered !== undefined) return unplanned(run)
      throw new Problem(run.problems[0] ?? interrupted)
    },
    async close() {
      signal.removeEventListener('abort', stop)
      await runs.stop()
    },
  }
}

function declaredBy(
  application: Declared['application'],
  database: string,
  { fleet, timeout, concurrency }: Flags,
): Declared & { readonly isRenderedByRuns: true } {
  const target = targetOf({ database, config: fleet.config })
  return {
    application,
    source: { kind: 'table', of: application.kind, path: target },
    path: database,
    files: [],
    profiles: [],
    values: {},
    target,
    policy: { ...usualPolicy, timeout, concurrency, prune: false, rollback: 'never' },
    at: undefined,
    isRenderedByRuns: true,
  }
}
