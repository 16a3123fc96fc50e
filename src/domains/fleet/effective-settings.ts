/** What counts for one cluster: what was set for it alone, then clusters.NAME of fleet.yaml, then what its provider has. Pure. */
import { recordsOf } from '#model/read-json.ts'
import { mergedOver } from '#clients/providers/merged.ts'
import type { ClusterNote, ClusterRow, ClusterSettings } from '#model/clusters.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { FleetSettings } from './settings.ts'

type EffectiveSettings = {
  readonly image: string | null
  /** Null: nobody said; it is 127.0.0.1 for what Tend makes, and nothing is held against what others made. */
  readonly apiAddress: string | null
  readonly servers: number
  readonly agents: number
  readonly config: JsonRecord
}

export function effectiveSettings(
  { name, provider }: Pick<ClusterRow, 'name' | 'provider'>,
  settings: FleetSettings,
  note: Pick<ClusterNote, 'settings'> | undefined,
): EffectiveSettings {
  const shared = providerSettings(provider, settings)
  const layers: readonly ClusterSettings[] = [
    note?.settings ?? {},
    clusterSettings(settings.clusters?.[name]),
  ]
  const config = [shared, ...layers.toReversed()].reduce<JsonRecord>(
    (under, layer) => plain(mergedOver(under, layer.config ?? {})),
    {},
  )
  const counts = countsIn(provider, config)
  return {
    image: imageOf(provider, layers) ?? shared.image ?? null,
    apiAddress: first(layers, 'apiAddress') ?? shared.apiAddress ?? null,
    servers: first(layers, 'servers') ?? counts.servers,
    agents: first(layers, 'agents') ?? counts.agents,
    config,
  }
}

function providerSettings(provider: string, { providers }: FleetSettings): ClusterSettings {
  if (provider !== 'kind' && provider !== 'k3d' && provider !== 'kwok') return {}
  return clusterSettings(providers?.[provider])
}

function clusterSettings(
  given:
    | (Omit<ClusterSettings, 'config'> & {
        readonly config?: Readonly<Record<string, unknown>> | undefined
      })
    | undefined,
): ClusterSettings {
  if (given === undefined) return {}
  const { image, version, apiAddress, servers, agents, config } = given
  return { image, version, apiAddress, servers, agents, config: plain(config ?? {}) }
}

function plain(value: Readonly<Record<string, unknown>>): JsonRecord {
  const copy: Json = JSON.parse(JSON.stringify(value))
  return isRecord<Json>(copy) ? copy : {}
}

function first<Key extends 'apiAddress' | 'servers' | 'agents'>(
  layers: readonly ClusterSettings[],
  key: Key,
): ClusterSettings[Key] {
  return layers.map((layer) => layer[key]).find((value) => value !== undefined)
}

/** An image counts before a version where both are said in one place. */
function imageOf(provider: string, layers: readonly ClusterSettings[]): string | undefined {
  return layers
    .map(({ image, version }) => {
      return image ?? (version === undefined ? undefined : imageOfVersion(provider, version))
    })
    .find((image) => image !== undefined)
}

function imageOfVersion(provider: string, version: string): string {
  const plainVersion = version.replace(/^v/, '')
  if (provider !== 'k3d') return `kindest/node:v${plainVersion}`
  return `rancher/k3s:v${plainVersion.includes('-k3s') ? plainVersion : `${plainVersion}-k3s1`}`
}

/** A configuration may say by itself how many nodes there are. */
function countsIn(provider: string, config: JsonRecord): { servers: number; agents: number } {
  if (provider === 'kind') {
    const nodes = recordsOf(config['nodes'])
    const agents = nodes.filter(({ role }) => role === 'worker').length
    return { servers: Math.max(1, nodes.length - agents), agents }
  }
  const number = (key: string, otherwise: number): number => {
    const value = config[key]
    return typeof value === 'number' ? value : otherwise
  }
  return { servers: number('servers', 1), agents: number('agents', 0) }
}
