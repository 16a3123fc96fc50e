/** Networks, and which containers are on them under which names. */
import { connectAt, disconnectAt, inspected, segment } from '#clients/containers/calls.ts'
import { recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Podman } from './client.ts'

export { removeNetwork } from '#clients/containers/calls.ts'

export type ListedNetwork = {
  readonly id: string
  readonly name: string
  readonly driver: string
  readonly labels: Readonly<Record<string, string>>
  readonly subnets: readonly { readonly subnet: string; readonly gateway: string }[]
  readonly hasNames: boolean
}

export async function listNetworks(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedNetwork[]> {
  const doing = 'could not list networks'
  const { body } = await podman.ask('GET', '/networks/json', { signal, doing })
  return recordsOf(body).map((item) => ({
    id: textOf(item['id']),
    name: textOf(item['name']),
    driver: textOf(item['driver']),
    labels: textMapOf(item['labels']),
    subnets: recordsOf(item['subnets']).map((subnet) => ({
      subnet: textOf(subnet['subnet']),
      gateway: textOf(subnet['gateway']),
    })),
    hasNames: item['dns_enabled'] === true,
  }))
}

export function inspectNetwork(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  return inspected(podman, `network ${name}`, `/networks/${segment(name)}/json`, signal)
}

export function createNetwork(
  podman: Podman,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not create network ${textOf(body['name'])}`
  return podman.ask('POST', '/networks/create', { body, signal, doing })
}

export function connectContainer(
  podman: Podman,
  network: string,
  container: string,
  aliases: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  return connectAt(podman, network, container, { container, aliases }, signal)
}

export function disconnectContainer(
  podman: Podman,
  network: string,
  container: string,
  signal: AbortSignal,
): Promise<unknown> {
  return disconnectAt(podman, network, container, { Container: container }, signal)
}
