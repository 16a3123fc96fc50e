/** Networks, and which containers are on them under which names. */
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { segment, type Podman } from './client.ts'

export type ListedNetwork = {
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

export async function inspectNetwork(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not look at network ${name}`
  const path = `/networks/${segment(name)}/json`
  const { status, body } = await podman.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : recordOf(body)
}

export function createNetwork(
  podman: Podman,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not create network ${textOf(body['name'])}`
  return podman.ask('POST', '/networks/create', { body, signal, doing })
}

/** Never by force: that would take the attached containers along. */
export function removeNetwork(podman: Podman, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `could not remove network ${name}`
  return podman.ask('DELETE', `/networks/${segment(name)}`, { signal, doing, fine: [404] })
}

/** The addresses that a container is to have on a network. */
export type Endpoint = { readonly static_ips: readonly string[]; readonly static_mac: string }

export function connectContainer(
  podman: Podman,
  network: string,
  container: string,
  aliases: readonly string[],
  signal: AbortSignal,
  endpoint?: Endpoint,
): Promise<unknown> {
  const doing = `could not connect container ${container} to network ${network}`
  const path = `/networks/${segment(network)}/connect`
  return podman.ask('POST', path, { body: { container, aliases, ...endpoint }, signal, doing })
}

export function disconnectContainer(
  podman: Podman,
  network: string,
  container: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not disconnect container ${container} from network ${network}`
  const path = `/networks/${segment(network)}/disconnect`
  return podman.ask('POST', path, { body: { Container: container }, signal, doing, fine: [404] })
}
