/** From a row to what its cluster is made of. */
import { contactIn, type Contact } from '#clients/providers/kubeconfig.ts'
import type { ClusterShape } from '#clients/providers/provider.ts'
import type { ClusterRow, Provider } from '#model/clusters.ts'
import { hashOf, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { FleetSettings } from './settings.ts'

/** What can't be changed without making the cluster anew. Ports mean nothing to those that publish none. */
export function shapeOf(row: ClusterRow, settings: FleetSettings): JsonRecord {
  const { provider } = row
  if (provider !== 'kind' && provider !== 'k3d') return { provider }
  const own = settings.clusters?.[row.name]?.image
  return {
    provider,
    image: own ?? settings.providers?.[provider]?.image ?? null,
    httpPort: row.httpPort,
    httpsPort: row.httpsPort,
    subnet: provider === 'k3d' ? row.subnet : null,
  }
}

export function clusterShapeOf(name: string, spec: Json): ClusterShape {
  const shape = isRecord<Json>(spec) ? spec : {}
  return {
    name,
    image: textIn(shape, 'image'),
    httpPort: numberIn(shape, 'httpPort'),
    httpsPort: numberIn(shape, 'httpsPort'),
    subnet: textIn(shape, 'subnet'),
  }
}

export function providerIn(spec: Json, otherwise: Provider): Provider {
  const name = isRecord<Json>(spec) ? spec['provider'] : undefined
  return name === 'kind' || name === 'k3d' || name === 'kwok' || name === 'existing'
    ? name
    : otherwise
}

function textIn(shape: JsonRecord, field: string): string | null {
  const value = shape[field]
  return typeof value === 'string' ? value : null
}

function numberIn(shape: JsonRecord, field: string): number | null {
  const value = shape[field]
  return typeof value === 'number' ? value : null
}

/** Where requests for its services go: the host's own port when it has one, else its node. */
export function addressOf(
  row: ClusterRow,
  settings: FleetSettings,
  serverIp: string | null,
): string {
  const own = settings.clusters?.[row.name]?.address
  if (own !== undefined) return own
  if (row.httpPort !== null) return settings.haproxy?.address ?? '127.0.0.1'
  return serverIp ?? ''
}

/** What others need to know of a cluster: where its services, its API and its authority are. */
export function outputsOf(
  row: ClusterRow,
  settings: FleetSettings,
  serverIp: string | null,
  kubeconfig: string | undefined,
): Readonly<Record<string, Json>> {
  const address = addressOf(row, settings, serverIp)
  const contact = kubeconfig === undefined ? undefined : usableContact(kubeconfig, row.name)
  if (contact === undefined) return { address }
  return {
    address,
    server: contact.server.href.replace(/\/$/, ''),
    authority: hashOf(contact.ca ?? '').slice(0, 16),
  }
}

/** A file that is kept may be harmed: it is asked for anew when the cluster is. */
function usableContact(kubeconfig: string, name: string): Contact | undefined {
  try {
    return contactIn(kubeconfig, name)
  } catch {
    return undefined
  }
}
