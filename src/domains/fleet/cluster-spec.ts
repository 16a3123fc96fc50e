/** From a row to what its cluster is made of. */
import { contactIn, type Contact } from '#clients/providers/kubeconfig.ts'
import { isSameImage } from '#clients/providers/image-name.ts'
import type { ClusterFacts, ClusterShape } from '#clients/providers/provider.ts'
import type { ClusterNote, ClusterRow, Made, Provider } from '#model/clusters.ts'
import { hashOf, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { effectiveSettings } from './effective-settings.ts'
import type { FleetSettings } from './settings.ts'

/** What can't be changed without making the cluster anew. Ports mean nothing to those that publish none. */
export function shapeOf(
  row: ClusterRow,
  settings: FleetSettings,
  note: Pick<ClusterNote, 'settings'> | undefined,
): JsonRecord {
  const { provider } = row
  const own = effectiveSettings(row, settings, note)
  const config = Object.keys(own.config).length === 0 ? null : configMark(own.config)
  if (provider === 'kwok') return { provider, config }
  if (provider !== 'kind' && provider !== 'k3d') return { provider }
  return {
    provider,
    image: own.image,
    httpPort: row.httpPort,
    httpsPort: row.httpsPort,
    subnet: provider === 'k3d' ? row.subnet : null,
    servers: own.servers,
    agents: own.agents,
    apiAddress: own.apiAddress,
    config,
  }
}

/** A configuration may hold passwords of registries: only what tells two of them apart is noted and shown. */
function configMark(config: JsonRecord): string {
  return hashOf(config).slice(0, 12)
}

/** What the cluster really is: as its provider tells where it does, else as it was noted when it was made. */
export function recordedShape(
  wanted: JsonRecord,
  made: Made | undefined,
  facts: ClusterFacts | undefined,
): JsonRecord {
  const isTold = made?.phase === 'found' && facts !== undefined
  // a note of an earlier version lacks what was not noted then
  const noted = !isTold && isRecord<Json>(made?.spec) ? { ...wanted, ...made.spec } : wanted
  if (facts === undefined) return noted
  const { httpPort, httpsPort, servers, agents } = facts
  const apiAddress = (wanted['apiAddress'] ?? null) === null ? null : facts.apiAddress
  const image = imageSeen(wanted['image'] ?? null, noted['image'] ?? null, facts.image)
  return { ...noted, httpPort, httpsPort, servers, agents, apiAddress, image }
}

/** Whatever the engine runs is right where nobody named an image. */
function imageSeen(wanted: Json, noted: Json, seen: string | undefined): Json {
  if (seen === undefined || typeof wanted !== 'string') return noted
  return isSameImage(wanted, seen) ? wanted : seen
}

/** How the cluster is to be made: as the plan says, with the configuration that counts for it. */
export function clusterShapeOf(
  row: ClusterRow,
  spec: Json,
  settings: FleetSettings,
  note: Pick<ClusterNote, 'settings'> | undefined,
): ClusterShape {
  const shape = isRecord<Json>(spec) ? spec : {}
  return {
    name: row.name,
    image: textIn(shape, 'image'),
    httpPort: numberIn(shape, 'httpPort'),
    httpsPort: numberIn(shape, 'httpsPort'),
    subnet: textIn(shape, 'subnet'),
    servers: numberIn(shape, 'servers') ?? 1,
    agents: numberIn(shape, 'agents') ?? 0,
    apiAddress: textIn(shape, 'apiAddress') ?? '127.0.0.1',
    config: effectiveSettings(row, settings, note).config,
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

/** What it publishes counts: while its row names another port, a route that works goes on working until it is made anew. */
function portsOf(
  { httpPort, httpsPort, nodePort }: ClusterRow,
  facts: Pick<ClusterFacts, 'httpPort' | 'httpsPort'> | undefined,
): { readonly port: number | null; readonly tlsPort: number | null } {
  return {
    port: httpPort === null ? nodePort : (facts?.httpPort ?? httpPort),
    tlsPort: httpsPort === null ? null : (facts?.httpsPort ?? httpsPort),
  }
}

/** What others need to know of a cluster: where its services, its API and its authority are. */
export function outputsOf(
  row: ClusterRow,
  settings: FleetSettings,
  serverIp: string | null,
  kubeconfig: string | undefined,
  facts: Pick<ClusterFacts, 'apiAddress' | 'httpPort' | 'httpsPort'> | undefined,
): Readonly<Record<string, Json>> {
  const services = { address: addressOf(row, settings, serverIp), ...portsOf(row, facts) }
  const contact = kubeconfig === undefined ? undefined : usableContact(kubeconfig, row.name)
  if (contact === undefined) return services
  return {
    ...services,
    server: contact.server.href.replace(/\/$/, ''),
    authority: authorityMark(contact.ca),
    reach: isLoopback(facts?.apiAddress ?? '') ? 'loopback' : '',
  }
}

/** Tells the authority of one cluster from that of another. */
export function authorityMark(ca: string | undefined): string {
  return hashOf(ca ?? '').slice(0, 16)
}

/** Who listens there is reached by nobody but this host. */
export function isLoopback(address: string): boolean {
  return /^(127\.|\[?::1\]?$|localhost$)/.test(address)
}

/** A file that is kept may be harmed: it is asked for anew when the cluster is. */
function usableContact(kubeconfig: string, name: string): Contact | undefined {
  try {
    return contactIn(kubeconfig, name)
  } catch {
    // its reason is told when the new one can't be read either
    return undefined
  }
}
