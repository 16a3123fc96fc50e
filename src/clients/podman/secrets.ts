/** Secrets: they can be made and removed, never read or changed. */
import { inspected, segment } from '#clients/containers/calls.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Podman } from './client.ts'

export type ListedSecret = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Always empty in a list of 4.x: only an inspection shows the labels there. */
  readonly labels: Readonly<Record<string, string>>
}

export async function listSecrets(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedSecret[]> {
  const doing = 'could not list secrets'
  const { body } = await podman.ask('GET', '/secrets/json', { signal, doing })
  return recordsOf(body).map(listed)
}

export async function inspectSecret(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<ListedSecret | undefined> {
  const found = await inspected(podman, `secret ${name}`, `/secrets/${segment(name)}/json`, signal)
  return found && listed(found)
}

/** Sends bytes: Podman would swallow a body of the content type of forms. */
export function createSecret(
  podman: Podman,
  name: string,
  labels: Readonly<Record<string, string>>,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<unknown> {
  const query = { name, labels: JSON.stringify(labels) }
  const doing = `could not create secret ${name}`
  return podman.ask('POST', '/secrets/create', { query, body: content, signal, doing })
}

export function removeSecret(podman: Podman, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `could not remove secret ${name}`
  return podman.ask('DELETE', `/secrets/${segment(name)}`, { signal, doing, fine: [404] })
}

function listed(item: JsonRecord): ListedSecret {
  const spec = recordOf(item['Spec'])
  return {
    id: textOf(item['ID']),
    name: textOf(spec['Name']),
    createdAt: textOf(item['CreatedAt']),
    labels: textMapOf(spec['Labels']),
  }
}
