/** Where the clusters table is, and how it is opened for a command. */
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Clusters } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { openClusters, type OpenClusters } from '#store/clusters.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'

export function databaseOf(
  { fleet }: { readonly fleet: Pick<Flags['fleet'], 'db'> },
  { environment, home }: Pick<Session, 'environment' | 'home'>,
): string {
  const given = fleet.db ?? environment['TEND_FLEET_DB'] ?? ''
  return given === '' ? join(home, 'fleet.db') : resolve(given)
}

/** Closes it whatever happens. */
export async function withClusters<Result>(
  flags: Flags,
  session: Session,
  access: OpenClusters['access'],
  work: (clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  const file = databaseOf(flags, session)
  if (access === 'make') makeFolder(dirname(file))
  const clusters = await openClusters({ file, access, now: () => session.clock.now() })
  try {
    return await work(clusters)
  } finally {
    await clusters.close()
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'store_unusable',
      message: `the folder ${folder} can't be made`,
      suggestion: 'name another file with --db',
      cause,
    })
  }
}
