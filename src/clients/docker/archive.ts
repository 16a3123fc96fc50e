/** Puts files into a container, running or not. */
import { segment, type Docker } from './client.ts'

/** Unpacks the tar below `folder`, which has to be there; owners are those of the tar, also when the container runs as somebody else. */
export function putFiles(
  docker: Docker,
  container: string,
  folder: string,
  tar: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<unknown> {
  return docker.ask('PUT', `/containers/${segment(container)}/archive`, {
    query: { path: folder, noOverwriteDirNonDir: true },
    body: tar,
    signal,
    doing: `could not put files into container ${container}`,
  })
}
