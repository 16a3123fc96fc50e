/** A fleet's rows as YAML, to be kept in Git: what is written is read back as it was. Pure. */
import { stringify } from 'yaml'
import * as z from 'zod/mini'
import { examine, pathText } from '#formats/schema/examine.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { clusterSettingsIn } from '#model/cluster-settings.ts'
import type { ClusterNote, ClusterRow, DeclaredCluster, Registrations } from '#model/clusters.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import { defined } from '#model/defined.ts'

const all: Registrations = { route: true, portainer: true, argocd: true, git: true }
const kinds = ['route', 'portainer', 'argocd', 'git'] as const

/** All that is declared of a row, with what is noted beside it. */
export function declaredOf(row: ClusterRow, note: ClusterNote | undefined): DeclaredCluster {
  const { name, provider, desired, subnet, nodePort, pfPort, httpPort, httpsPort } = row
  const ports = { nodePort, pfPort, httpPort, httpsPort }
  const { registrations = all, settings = {} } = note ?? {}
  return { name, provider, desired, subnet, ...ports, registrations, settings }
}

export function declaredText(clusters: readonly DeclaredCluster[]): string {
  const entries = clusters
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((cluster) => [cluster.name, entryOf(cluster)] as const)
  return stringify({ clusters: Object.fromEntries(entries) })
}

function entryOf(cluster: DeclaredCluster): Record<string, unknown> {
  const { provider, desired, subnet, nodePort, pfPort, httpPort, httpsPort, settings } = cluster
  const without = kinds.filter((kind) => !cluster.registrations[kind])
  const { image, version, apiAddress, servers, agents, config } = settings
  const optional = { image, version, apiAddress, servers, agents, config }
  return {
    provider,
    ...(desired === 'present' ? {} : { desired_state: desired }),
    http_port: httpPort ?? 'none',
    https_port: httpsPort ?? 'none',
    pf_port: pfPort ?? 'none',
    node_port: nodePort ?? 'none',
    ...(subnet === null ? {} : { subnet }),
    ...(without.length === 0 ? {} : { without }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  }
}

const port = z.optional(
  z.union([z.number().check(z.int(), z.minimum(1), z.maximum(65_535)), z.literal('none')]),
)
const schema = z.strictObject({
  clusters: z.record(
    z.string(),
    z.strictObject({
      provider: z.string(),
      desired_state: z.optional(z.enum(['present', 'absent'])),
      http_port: port,
      https_port: port,
      pf_port: port,
      node_port: port,
      subnet: z.optional(z.string()),
      without: z.optional(z.array(z.enum(kinds))),
      image: z.optional(z.string()),
      version: z.optional(z.string()),
      apiAddress: z.optional(z.string()),
      servers: z.optional(z.number()),
      agents: z.optional(z.number()),
      config: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
})

type ReadClusters = {
  readonly clusters: readonly DeclaredCluster[]
  readonly problems: readonly ProblemFacts[]
  /** Where the file declares each of them, by name. */
  readonly places: ReadonlyMap<string, Place>
}

/** All problems at once, at their places. Nothing is to be written where there is one. */
export function declaredIn(text: string, file: string): ReadClusters {
  const { documents, errors } = readYaml(text)
  const problems: ProblemFacts[] = errors.map(({ message, line, column }) => {
    return { type: 'configuration', code: 'yaml_error', message, at: { file, line, column } }
  })
  const [document] = documents
  if (document === undefined) return { clusters: [], problems, places: new Map() }
  const { data, faults } = examine(schema, document.value)
  for (const { path, message, suggestion, on } of faults) {
    const { line, column } = on === 'key' ? document.keyAt(path) : document.valueAt(path)
    const where = pathText(path)
    problems.push({
      type: 'configuration',
      code: 'declaration_error',
      message: where === '' ? message : `${where}: ${message}`,
      at: { file, line, column },
      suggestion,
    })
  }
  const clusters = Object.entries(data?.clusters ?? {}).map(([name, entry]): DeclaredCluster => {
    const without = new Set<string>(entry.without ?? [])
    const [route, portainer, argocd, git] = kinds.map((kind) => !without.has(kind))
    const settings: Json = JSON.parse(JSON.stringify(entry))
    const { node_port: nodePort = 30_080 } = entry
    return {
      name,
      provider: entry.provider,
      desired: entry.desired_state ?? 'present',
      subnet: entry.subnet ?? null,
      nodePort: nodePort === 'none' ? null : nodePort,
      httpPort: portOf(entry.http_port),
      httpsPort: portOf(entry.https_port),
      pfPort: portOf(entry.pf_port),
      registrations: {
        route: defined(route),
        portainer: defined(portainer),
        argocd: defined(argocd),
        git: defined(git),
      },
      settings: isRecord<Json>(settings) ? clusterSettingsIn(settings) : {},
    }
  })
  const places = clusters.map(({ name }): readonly [string, Place] => {
    const { line, column } = document.keyAt(['clusters', name])
    return [name, { file, line, column }]
  })
  return { clusters, problems, places: new Map(places) }
}

function portOf(value: number | 'none' | undefined): number | null | undefined {
  return value === 'none' ? null : value
}
