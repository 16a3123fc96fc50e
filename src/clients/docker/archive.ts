/** Files of a container, running or not: put there, and read. */
import { segment } from '#clients/containers/calls.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import type { Docker } from './client.ts'
import { firstFileIn } from './tar.ts'

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

type FileInside = {
  readonly content: Uint8Array
  /** When the file was changed last, ms; for a mounted file, by the host's clock. */
  readonly modifiedAt: number
}

/** A file of a container, running or not, as its mounts show it; undefined when there is none. */
export async function getFile(
  docker: Docker,
  container: string,
  path: string,
  signal: AbortSignal,
): Promise<FileInside | undefined> {
  const { status, headers, body } = await docker.stream(
    'GET',
    `/containers/${segment(container)}/archive`,
    {
      query: { path },
      signal,
      fine: [404],
      doing: `could not read ${path} of container ${container}`,
    },
  )
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  const content = status === 404 ? undefined : firstFileIn(Buffer.concat(parts))
  if (content === undefined) return undefined
  return { content, modifiedAt: modifiedAtOf(headers['x-docker-container-path-stat']) }
}

/** Where the time is not known, the file may have been changed just now. */
function modifiedAtOf(header: unknown): number {
  const text = Buffer.from(textOf(header), 'base64').toString('utf8')
  const stat: Json = text.startsWith('{') ? JSON.parse(text) : {}
  const time = Date.parse(textOf(recordOf(stat)['mtime']))
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}
