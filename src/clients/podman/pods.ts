/** Creates, lists, starts, stops and removes pods. */
import { segment } from '#clients/containers/calls.ts'
import { recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Podman } from './client.ts'

export type ListedPod = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly createdAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly networks: readonly string[]
  readonly infraId: string
  readonly members: readonly {
    readonly id: string
    readonly name: string
    readonly state: string
  }[]
}

/** Called by its id: its name may be another pod's by then. */
type PodKey = Pick<ListedPod, 'id' | 'name'>

export async function listPods(podman: Podman, signal: AbortSignal): Promise<readonly ListedPod[]> {
  const doing = 'could not list pods'
  const { body } = await podman.ask('GET', '/pods/json', { signal, doing })
  return recordsOf(body).map((item) => ({
    id: textOf(item['Id']),
    name: textOf(item['Name']),
    state: textOf(item['Status']),
    createdAt: textOf(item['Created']),
    labels: textMapOf(item['Labels']),
    networks: textsOf(item['Networks']),
    infraId: textOf(item['InfraId']),
    members: recordsOf(item['Containers']).map((member) => ({
      id: textOf(member['Id']),
      name: textOf(member['Names']),
      state: textOf(member['Status']),
    })),
  }))
}

export function createPod(podman: Podman, body: JsonRecord, signal: AbortSignal): Promise<unknown> {
  const doing = `could not create pod ${textOf(body['name'])}`
  return podman.ask('POST', '/pods/create', { body, signal, doing, silence: 120_000 })
}

/** Each container may take as long to stop as it was declared to. */
export function stopPod(
  podman: Podman,
  { id, name }: PodKey,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not stop pod ${name}`
  const path = `/pods/${segment(id)}/stop`
  return podman.ask('POST', path, { signal, doing, fine: [304, 404], silence: 600_000 })
}

/** Removes the pod with the containers in it. */
export function removePod(
  podman: Podman,
  { id, name }: PodKey,
  signal: AbortSignal,
): Promise<unknown> {
  return podman.ask('DELETE', `/pods/${segment(id)}`, {
    query: { force: true },
    signal,
    doing: `could not remove pod ${name}`,
    fine: [404],
    silence: 120_000,
  })
}
