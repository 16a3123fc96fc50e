/** Named volumes. */
import { inspected, listedVolume, segment, type ListedVolume } from '#clients/containers/calls.ts'
import { recordsOf } from '#model/read-json.ts'
import type { Podman } from './client.ts'

export { createVolume, removeVolume, type ListedVolume } from '#clients/containers/calls.ts'

export async function listVolumes(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedVolume[]> {
  const doing = 'could not list volumes'
  const { body } = await podman.ask('GET', '/volumes/json', { signal, doing })
  return recordsOf(body).map(listedVolume)
}

export async function inspectVolume(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<ListedVolume | undefined> {
  const found = await inspected(podman, `volume ${name}`, `/volumes/${segment(name)}/json`, signal)
  return found && listedVolume(found)
}
