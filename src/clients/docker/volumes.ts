/** Named volumes. */
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { filters, segment, type Docker } from './client.ts'

export type ListedVolume = {
  readonly name: string
  readonly driver: string
  readonly mountpoint: string
  readonly labels: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

export async function listVolumes(
  docker: Docker,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedVolume[]> {
  const query = { filters: labels.length === 0 ? undefined : filters({ label: labels }) }
  const doing = 'could not list volumes'
  const { body } = await docker.ask('GET', '/volumes', { query, signal, doing })
  return recordsOf(recordOf(body)['Volumes']).map(listed)
}

export async function inspectVolume(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<ListedVolume | undefined> {
  const doing = `could not look at volume ${name}`
  const path = `/volumes/${segment(name)}`
  const { status, body } = await docker.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : listed(recordOf(body))
}

/** Where one of this name is there already engines give back that one, whatever its labels: the answer tells which it is. */
export async function createVolume(
  docker: Docker,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<ListedVolume> {
  const doing = `could not create volume ${textOf(body['Name'])}`
  const said = await docker.ask('POST', '/volumes/create', { body, signal, doing })
  return listed(recordOf(said.body))
}

/** Never by force: that would take the containers that use it along. */
export function removeVolume(docker: Docker, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `could not remove volume ${name}`
  return docker.ask('DELETE', `/volumes/${segment(name)}`, { signal, doing, fine: [404] })
}

function listed(item: JsonRecord): ListedVolume {
  return {
    name: textOf(item['Name']),
    driver: textOf(item['Driver']),
    mountpoint: textOf(item['Mountpoint']),
    labels: textMapOf(item['Labels']),
    options: textMapOf(item['Options']),
  }
}
