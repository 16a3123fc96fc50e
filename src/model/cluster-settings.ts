/** Reads the settings of one cluster out of JSON: what is of another type than it should be is left out. */
import type { ClusterSettings } from './clusters.ts'
import { isRecord, type Json } from './json.ts'

export function clusterSettingsIn(json: Json): ClusterSettings {
  if (!isRecord<Json>(json)) return {}
  const { image, version, apiAddress, servers, agents, config } = json
  return {
    ...(typeof image === 'string' ? { image } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof apiAddress === 'string' ? { apiAddress } : {}),
    ...(typeof servers === 'number' ? { servers } : {}),
    ...(typeof agents === 'number' ? { agents } : {}),
    ...(isRecord<Json>(config) ? { config } : {}),
  }
}
