/** Named volumes. */
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { segment, type Podman } from './client.ts'

export type ListedVolume = {
  readonly name: string
  readonly driver: string
  readonly mountpoint: string
  readonly createdAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

export async function listVolumes(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedVolume[]> {
  const doing = 'could not list volumes'
  const { body } = await podman.ask('GET', '/volumes/json', { signal, doing })
  return recordsOf(body).map(listed)
}

export async function inspectVolume(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<ListedVolume | undefined> {
  const doing = `could not look at volume ${name}`
  const path = `/volumes/${segment(name)}/json`
  const { status, body } = await podman.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : listed(recordOf(body))
}

export function createVolume(
  podman: Podman,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not create volume ${textOf(body['Name'])}`
  return podman.ask('POST', '/volumes/create', { body, signal, doing })
}

/** Never by force: that would take the containers that use it along. */
export function removeVolume(podman: Podman, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `could not remove volume ${name}`
  return podman.ask('DELETE', `/volumes/${segment(name)}`, { signal, doing, fine: [404] })
}

function listed(item: JsonRecord): ListedVolume {
  return {
    name: textOf(item['Name']),
    driver: textOf(item['Driver']),
    mountpoint: textOf(item['Mountpoint']),
    createdAt: textOf(item['CreatedAt']),
    labels: textMapOf(item['Labels']),
    options: textMapOf(item['Options']),
  }
}
