/** Whether a container that another program made holds the files that it should hold: no hash on it says so. */
import { getFile } from '#clients/docker/archive.ts'
import type { Docker } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { Vault } from '#model/vault.ts'
import { contentHash } from './content-hash.ts'
import type { ServiceSpec } from './spec.ts'

/** Undefined: it holds them all. Else which one it does not hold, or why that can't be told. */
export async function otherFile(
  docker: Docker,
  id: string,
  { files, contents }: ServiceSpec,
  vault: Vault,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = new Map([
    ...files.map(({ target, content }) => [target, contentHash(vault.open(content))] as const),
    ...Object.entries(contents),
  ])
  if (wanted.size === 0) return undefined
  const about = (await inspectContainer(docker, id, signal)) ?? {}
  const startedAt = Date.parse(textOf(recordOf(about['State'])['StartedAt'])) || 0
  const mounted = recordsOf(about['Mounts']).map((mount) => mount['Destination'])
  for (const [target, hash] of wanted) {
    const found = await getFile(docker, id, target, signal)
    if (found === undefined) return `${target} is not in it`
    if (contentHash(found.content) !== hash) return `${target} holds something else`
    // a mounted file that was put in the place of another is not the one that the container sees
    const isLate = mounted.includes(target) && found.modifiedAt > startedAt
    if (isLate) return `${target} changed after it was started`
  }
  return undefined
}
