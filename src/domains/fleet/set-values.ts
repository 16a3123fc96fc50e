/** `tend fleet set NAME key=value`: one row with other values. Pure. */
import { parse } from 'yaml'
import type { ClusterSettings, DeclaredCluster } from '#model/clusters.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'

const ports = {
  http_port: 'httpPort',
  https_port: 'httpsPort',
  pf_port: 'pfPort',
  node_port: 'nodePort',
} as const
const registrations = ['route', 'portainer', 'argocd', 'git'] as const
const texts = { image: 'image', version: 'version', api_address: 'apiAddress' } as const
const counts = { servers: 'servers', agents: 'agents' } as const

const settableKeys: readonly string[] = [
  ...Object.keys(ports),
  'subnet',
  ...registrations,
  ...Object.keys(texts),
  ...Object.keys(counts),
  'config.PATH',
]

/** An empty value takes back what was set: then fleet.yaml and the provider decide. */
export function withValues(
  cluster: DeclaredCluster,
  assignments: readonly string[],
): DeclaredCluster {
  return assignments.reduce(withValue, cluster)
}

function withValue(cluster: DeclaredCluster, assignment: string): DeclaredCluster {
  const split = assignment.indexOf('=')
  if (split < 1) throw wrong(`${assignment} sets nothing`, 'write key=value')
  const [key, value] = [assignment.slice(0, split), assignment.slice(split + 1)]
  const port = own(ports, key)
  if (port !== undefined) return { ...cluster, [port]: portOf(key, value) }
  if (key === 'subnet') return { ...cluster, subnet: isNone(value) ? null : value }
  const registration = registrations.find((one) => one === key)
  if (registration !== undefined) {
    const changed = { ...cluster.registrations, [registration]: isOn(key, value) }
    return { ...cluster, registrations: changed }
  }
  return { ...cluster, settings: withSetting(cluster.settings, key, value) }
}

function withSetting(settings: ClusterSettings, key: string, value: string): ClusterSettings {
  const text = own(texts, key)
  if (text !== undefined) return { ...settings, [text]: value === '' ? undefined : value }
  const count = own(counts, key)
  if (count !== undefined) {
    return { ...settings, [count]: value === '' ? undefined : countOf(key, value) }
  }
  if (!key.startsWith('config.')) {
    throw wrong(`${key} can't be set`, `set one of ${settableKeys.join(', ')}`)
  }
  const path = key.slice('config.'.length).split('.')
  const config = changedAt(settings.config ?? {}, path, value)
  return { ...settings, config: Object.keys(config).length === 0 ? undefined : config }
}

/** The value is YAML: a word, a number, a list, a map. */
function changedAt(config: JsonRecord, path: readonly string[], value: string): JsonRecord {
  const [key = '', ...rest] = path
  if (key === '') throw wrong('a path has an empty part', 'write it like config.options.k3s')
  if (rest.length === 0) {
    if (value === '') {
      const { [key]: _, ...others } = config
      return others
    }
    const parsed: Json = JSON.parse(JSON.stringify(parse(value) ?? null))
    return { ...config, [key]: parsed }
  }
  const below = config[key]
  const inner = changedAt(isRecord<Json>(below) ? below : {}, rest, value)
  if (Object.keys(inner).length > 0) return { ...config, [key]: inner }
  const { [key]: _, ...others } = config
  return others
}

function own<Value extends string>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function isNone(value: string): boolean {
  return value === '' || value === 'none'
}

function portOf(key: string, value: string): number | null {
  if (isNone(value)) return null
  if (/^\d{1,5}$/.test(value)) return Number(value)
  throw wrong(`${key}=${value} is no port`, 'use a number, or none')
}

function countOf(key: string, value: string): number {
  if (/^\d{1,2}$/.test(value) && (key !== 'servers' || value !== '0')) return Number(value)
  throw wrong(`${key}=${value} is no number of nodes`, 'use a small number')
}

function isOn(key: string, value: string): boolean {
  if (/^(1|yes|true|on)$/.test(value)) return true
  if (/^(0|no|false|off)$/.test(value)) return false
  throw wrong(`${key}=${value} is neither on nor off`, 'use on or off')
}

function wrong(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}
