/** Named volumes. */
import {
  filters,
  inspected,
  listedVolume,
  segment,
  type ListedVolume,
} from '#clients/containers/calls.ts'
import { recordOf, recordsOf } from '#model/read-json.ts'
import type { Docker } from './client.ts'

export { createVolume, removeVolume, type ListedVolume } from '#clients/containers/calls.ts'

export async function listVolumes(
  docker: Docker,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedVolume[]> {
  const query = { filters: labels.length === 0 ? undefined : filters({ label: labels }) }
  const doing = 'could not list volumes'
  const { body } = await docker.ask('GET', '/volumes', { query, signal, doing })
  return recordsOf(recordOf(body)['Volumes']).map(listedVolume)
}

export async function inspectVolume(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<ListedVolume | undefined> {
  const found = await inspected(docker, `volume ${name}`, `/volumes/${segment(name)}`, signal)
  return found && listedVolume(found)
}
