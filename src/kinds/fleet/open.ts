/** How the clusters table of a fleet is opened for a while. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clusters } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { openClusters, type OpenClusters } from '#store/clusters.ts'
import type { FleetAround } from './around.ts'

/** Closes it whatever happens. */
export async function withTable<Result>(
  file: string,
  access: OpenClusters['access'],
  { clock }: Pick<FleetAround, 'clock'>,
  work: (clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  if (access === 'make') makeFolder(dirname(file))
  const clusters = await openClusters({ file, access, now: () => clock.now() })
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
