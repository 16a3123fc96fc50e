/** Networks, and which containers are on them. */
import { connectAt, disconnectAt, filters, inspected, segment } from '#clients/containers/calls.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'

export { removeNetwork } from '#clients/containers/calls.ts'

export type ListedNetwork = {
  readonly id: string
  readonly name: string
  readonly driver: string
  readonly labels: Readonly<Record<string, string>>
  readonly subnets: readonly { readonly subnet: string; readonly gateway: string }[]
  readonly isInternal: boolean
}

export async function listNetworks(
  docker: Docker,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedNetwork[]> {
  const query = { filters: labels.length === 0 ? undefined : filters({ label: labels }) }
  const doing = 'could not list networks'
  const { body } = await docker.ask('GET', '/networks', { query, signal, doing })
  return recordsOf(body).map((item) => ({
    id: textOf(item['Id']),
    name: textOf(item['Name']),
    driver: textOf(item['Driver']),
    labels: textMapOf(item['Labels']),
    subnets: recordsOf(recordOf(item['IPAM'])['Config']).map((subnet) => ({
      subnet: textOf(subnet['Subnet']),
      gateway: textOf(subnet['Gateway']),
    })),
    isInternal: item['Internal'] === true,
  }))
}

export function inspectNetwork(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  return inspected(docker, `network ${name}`, `/networks/${segment(name)}`, signal)
}

/** Gives the id of the new network. Old engines make a second one of the same name unless they are told to check. */
export async function createNetwork(
  docker: Docker,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<string> {
  const doing = `could not create network ${textOf(body['Name'])}`
  const asked = { body: { ...body, CheckDuplicate: true }, signal, doing }
  const said = await docker.ask('POST', '/networks/create', asked)
  return textOf(recordOf(said.body)['Id'])
}

/** `endpoint`: aliases, static addresses and the like, in the API's own words. */
export function connectContainer(
  docker: Docker,
  network: string,
  container: string,
  endpoint: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const body = { Container: container, EndpointConfig: endpoint }
  return connectAt(docker, network, container, body, signal)
}

export function disconnectContainer(
  docker: Docker,
  network: string,
  container: string,
  signal: AbortSignal,
): Promise<unknown> {
  return disconnectAt(docker, network, container, { Container: container, Force: true }, signal)
}
