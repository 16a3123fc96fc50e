/** Which clusters table and which fleet.yaml a command means. */
import { withTable } from '#kinds/fleet/open.ts'
import { databaseAt } from '#kinds/fleet/fleet-address.ts'
import { settingsAt } from '#kinds/fleet/settings.ts'
import type { Clusters } from '#model/clusters.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { OpenClusters } from '#store/clusters.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'

export function databaseOf(
  { fleet }: { readonly fleet: Pick<Flags['fleet'], 'db'> },
  session: Pick<Session, 'environment' | 'home'>,
): string {
  return databaseAt(fleet.db, session)
}

export function settingsFor({ fleet }: Flags, database: string): FleetSettings {
  return settingsAt(database, fleet.config)
}

/** Opens the table for `work`, and closes it whatever happens. */
export function withClusters<Result>(
  flags: Flags,
  session: Session,
  access: OpenClusters['access'],
  work: (clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  return withTable(databaseOf(flags, session), access, session, work)
}
