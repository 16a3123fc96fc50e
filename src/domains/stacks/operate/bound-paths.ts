/** A bound folder that is missing and not to be made is a refusal. Docker says so itself; Podman makes every one. */
import { stat } from 'node:fs/promises'
import { Problem } from '#model/problem.ts'
import type { ServiceSpec } from '../spec.ts'
import type { Job } from './job.ts'

/** Nothing is said of paths that can't be seen from here. */
export async function assertBoundPaths(job: Job, { mounts }: ServiceSpec): Promise<void> {
  const { engine, confinement } = job
  for (const { from, target } of mounts) {
    // with a label of SELinux Docker makes it, too
    if (from.kind !== 'bind' || from.makesPath || from.selinux !== undefined) continue
    const { path } = from
    const isSeen = confinement === undefined ? engine.isLocal : confinement.sees(path)
    if (!isSeen || !(await isMissing(path))) continue
    throw new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: `bind source path does not exist: ${path} (mounted at ${target})`,
      suggestion: 'make it, or write create_host_path: true, with which it is made as a folder',
    })
  }
}

function isMissing(path: string): Promise<boolean> {
  const isGone = (error: NodeJS.ErrnoException): boolean =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR'
  return stat(path).then(() => false, isGone)
}
