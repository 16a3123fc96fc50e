/** Rows as a file or a person declares them: checked against all rows, then written in one transaction. */
import type { ClusterRow, DeclaredCluster, HostChecks } from '#model/clusters.ts'
import { canonical, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { clashesOf, faultsOf } from '#domains/fleet/render/row-rules.ts'
import { readRows } from './clusters-read.ts'
import type { Query } from './database.ts'
import { defined } from '#model/defined.ts'

const firstPorts = { httpPort: 18_090, httpsPort: 18_443, pfPort: 19_001 }

export async function declareRows(
  query: Query,
  declared: readonly DeclaredCluster[],
  host: HostChecks,
): Promise<void> {
  const rows = new Map((await readRows(query)).map((row) => [row.name, row]))
  const taken = new Set([...rows.values(), ...declared.map(withoutBlanks)].flatMap(portsOf))
  for (const one of declared) {
    rows.set(one.name, await rowOf(one, rows.get(one.name), taken, host))
  }
  refuseFaults(rows, new Set(declared.map(({ name }) => name)))
  for (const { name, registrations, settings } of declared) {
    await writeRow(query, defined(rows.get(name)))
    const { route, portainer, argocd, git } = registrations
    await query.change(registrationsSql, [name, ...[route, portainer, argocd, git].map(Number)])
    await writeSettings(query, name, settings)
  }
}

export async function writeSettings(
  query: Query,
  name: string,
  settings: DeclaredCluster['settings'],
): Promise<void> {
  await query.change(settingsSql, [name, canonical(plain(settings))])
}

type Ports = Pick<ClusterRow, 'httpPort' | 'httpsPort' | 'pfPort'>

function withoutBlanks({ httpPort, httpsPort, pfPort }: DeclaredCluster): Ports {
  return { httpPort: httpPort ?? null, httpsPort: httpsPort ?? null, pfPort: pfPort ?? null }
}

function portsOf({ httpPort, httpsPort, pfPort }: Ports): readonly number[] {
  return [httpPort, httpsPort, pfPort].filter((port) => port !== null)
}

async function rowOf(
  declared: DeclaredCluster,
  known: ClusterRow | undefined,
  taken: Set<number>,
  host: HostChecks,
): Promise<ClusterRow> {
  const { name, provider, desired, subnet, nodePort } = declared
  async function port(field: keyof typeof firstPorts): Promise<number | null> {
    const said = declared[field]
    if (said !== undefined) return said
    if (known !== undefined) return known[field]
    for (let free = firstPorts[field]; free < 65_536; free += 1) {
      if (taken.has(free) || !(await host.isPortFree(free))) continue
      taken.add(free)
      return free
    }
    throw refused(name, 'no port is free', 'name one')
  }
  return {
    name,
    provider,
    desired,
    subnet,
    nodePort,
    httpPort: await port('httpPort'),
    httpsPort: await port('httpsPort'),
    pfPort: await port('pfPort'),
    serverIp: known?.serverIp ?? null,
    status: known?.status ?? 'pending',
    actual: known?.actual ?? 'unknown',
    lastReconciledAt: known?.lastReconciledAt ?? null,
    reconcileError: known?.reconcileError ?? null,
  }
}

/** Refuses faults of what is declared now. Faults that rows had before are reported by reconcile. */
function refuseFaults(rows: ReadonlyMap<string, ClusterRow>, names: ReadonlySet<string>): void {
  const clashes = clashesOf([...rows.values()].filter(({ desired }) => desired !== 'absent'))
  for (const row of rows.values()) {
    if (!names.has(row.name)) continue
    const [fault] = [...faultsOf(row), ...(clashes.get(row.name) ?? [])]
    if (fault !== undefined) throw refused(row.name, fault.message, fault.suggestion)
  }
}

function refused(name: string, why: string, suggestion: string): Problem {
  const message = `${name}: ${why}; nothing was written`
  return new Problem({ type: 'configuration', code: 'values_error', message, suggestion })
}

async function writeRow(query: Query, row: ClusterRow): Promise<void> {
  await query.change(
    `insert into clusters (name, provider, subnet, node_port, pf_port, http_port, https_port,
     status, desired_state, actual_state) values (?, ?, ?, ?, ?, ?, ?, 'pending', ?, 'unknown')
     on conflict (name) do update set provider = excluded.provider, subnet = excluded.subnet,
     node_port = excluded.node_port, pf_port = excluded.pf_port, http_port = excluded.http_port,
     https_port = excluded.https_port, desired_state = excluded.desired_state,
     updated_at = current_timestamp`,
    [
      row.name,
      row.provider,
      row.subnet,
      row.nodePort,
      row.pfPort,
      row.httpPort,
      row.httpsPort,
      row.desired,
    ],
  )
}

function plain(settings: DeclaredCluster['settings']): JsonRecord {
  const { image, version, apiAddress, servers, agents, config } = settings
  return {
    ...(image === undefined ? {} : { image }),
    ...(version === undefined ? {} : { version }),
    ...(apiAddress === undefined ? {} : { apiAddress }),
    ...(servers === undefined ? {} : { servers }),
    ...(agents === undefined ? {} : { agents }),
    ...(config === undefined ? {} : { config }),
  }
}

const registrationsSql = `insert into tend_clusters (name, route, portainer, argocd, git)
  values (?, ?, ?, ?, ?) on conflict (name) do update set route = excluded.route,
  portainer = excluded.portainer, argocd = excluded.argocd, git = excluded.git`

const settingsSql = `insert into tend_cluster_details (name, settings) values (?, ?)
  on conflict (name) do update set settings = excluded.settings`
