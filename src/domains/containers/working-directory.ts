/** The working directory of a container on Podman, in words that let nothing be made outside of the container. */
import { posix } from 'node:path'
import type { EngineJob } from './operate/job.ts'

/** Of the process itself, as the kernel sees it from inside: always the container's own root. */
const ownRoot = '/proc/self/root'

/**
 * At every start Podman 4.3 makes a working directory that is missing. It follows links of the container's files as the host reads
 * them, so that a link which an image has, or a process planted, leads onto the host. Below a mount, and /proc is one, Podman makes
 * nothing and leaves it to the runtime, which goes there inside of the container.
 */
export async function confinedWorkingDirectory(
  { engine, confinement, context }: EngineJob,
  image: string,
  declared: string | undefined,
): Promise<string | undefined> {
  if (confinement === undefined) return declared
  const found = declared ? undefined : await engine.inspectImage(image, context.signal)
  const folder = posix.join('/', declared || found?.workingDirectory || '')
  return folder === '/' ? folder : `${ownRoot}${folder}`
}
