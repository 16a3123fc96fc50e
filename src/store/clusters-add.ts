/** A new row of the clusters table: ports and subnet are given and checked in the one transaction that writes it. */
import type { ClusterRow, HostChecks, NewCluster } from '#model/clusters.ts'
import { reservedCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { clashesOf, faultsOf, hostPortsOf, type Fault } from '#domains/fleet/render/row-rules.ts'
import { firstFree, overlap, subnetOf } from '#model/subnet.ts'
import { writeSettings } from './clusters-declare.ts'
import { readRows } from './clusters-read.ts'
import type { Query } from './database.ts'

/** The ports at which the original programs' own rows begin. */
const starts = { http: 18_090, https: 18_443, pf: 19_001 }
const usualNodePort = 30_080

export async function addRow(
  query: Query,
  cluster: NewCluster,
  host: HostChecks,
): Promise<ClusterRow> {
  const rows = await readRows(query)
  const leaving = rows.find(({ name, desired }) => name === cluster.name && desired === 'absent')
  if (leaving !== undefined && leaving.provider === cluster.provider) {
    return wantedAgain(query, leaving, cluster)
  }
  refuseName(cluster.name, rows)
  const row = await placed(cluster, rows, host)
  const clashes = clashesOf([...rows.filter(({ desired }) => desired !== 'absent'), row])
  const faults = [...faultsOf(row), ...(clashes.get(row.name) ?? [])]
  if (faults[0] !== undefined) throw refused(faults[0])
  await refuseTaken(cluster, row, host)
  await query.change(
    `insert into clusters (name, provider, subnet, node_port, pf_port, http_port, https_port,
     status, desired_state, actual_state) values (?, ?, ?, ?, ?, ?, ?, 'pending', 'present', 'unknown')`,
    [row.name, row.provider, row.subnet, row.nodePort, row.pfPort, row.httpPort, row.httpsPort],
  )
  await query.change('delete from tend_cluster_details where name = ?', [row.name])
  if (cluster.settings !== undefined) await writeSettings(query, row.name, cluster.settings)
  const { route, portainer, argocd, git } = cluster.registrations
  await query.change(
    `insert into tend_clusters (name, route, portainer, argocd, git) values (?, ?, ?, ?, ?)
     on conflict (name) do update set route = excluded.route, portainer = excluded.portainer,
     argocd = excluded.argocd, git = excluded.git, made_phase = null, made_provider = null,
     made_spec = null`,
    [row.name, Number(route), Number(portainer), Number(argocd), Number(git)],
  )
  return row
}

/** Takes back the mark of a row that was marked for removal: the row is as it was, and the note of what it was made from stays. */
async function wantedAgain(
  query: Query,
  row: ClusterRow,
  cluster: NewCluster,
): Promise<ClusterRow> {
  const asked = [
    ['http_port', cluster.httpPort, row.httpPort],
    ['https_port', cluster.httpsPort, row.httpsPort],
    ['pf_port', cluster.pfPort, row.pfPort],
    ['node_port', cluster.nodePort, row.nodePort],
    ['subnet', cluster.subnet === 'auto' ? undefined : (cluster.subnet ?? undefined), row.subnet],
  ] as const
  const other = asked.find(([, wanted, has]) => wanted !== undefined && wanted !== has)
  if (other !== undefined) {
    const [column, wanted, has] = other
    const message = `the row of ${row.name} says absent and has ${column} ${has}, not ${wanted}`
    const suggestion =
      'leave it out to have the row back as it was, or let a reconcile end it first'
    throw refused({ column, message, suggestion })
  }
  const sql = `update clusters set desired_state = 'present', updated_at = current_timestamp where name = ?`
  await query.change(sql, [row.name])
  return { ...row, desired: 'present' }
}

function refuseName(name: string, rows: readonly ClusterRow[]): void {
  const found = rows.find((row) => row.name === name)
  if (found === undefined) return
  const isLeaving = found.desired === 'absent'
  throw new Problem({
    type: 'configuration',
    code: 'duplicate_name',
    message: `there is a row for ${name} already${isLeaving ? ', and it says absent' : ''}`,
    suggestion: isLeaving
      ? `let tend fleet reconcile --from-db --prune-missing end it first`
      : `tend fleet list shows it; tend fleet rm ${name} marks it absent`,
  })
}

/** Gives ports and a subnet. A row that waits for its deletion still holds what it has. */
async function placed(
  cluster: NewCluster,
  rows: readonly ClusterRow[],
  host: HostChecks,
): Promise<ClusterRow> {
  const taken = new Set(rows.flatMap((row) => hostPortsOf(row).map(([, port]) => port)))
  const given = [cluster.httpPort, cluster.httpsPort, cluster.pfPort]
  for (const port of given) if (typeof port === 'number') taken.add(port)
  async function portFrom(first: number): Promise<number> {
    for (let port = first; port < 65_536; port += 1) {
      if (taken.has(port) || !(await host.isPortFree(port))) continue
      taken.add(port)
      return port
    }
    throw refused({ column: 'port', message: 'no port is free', suggestion: 'name one' })
  }
  return {
    name: cluster.name,
    provider: cluster.provider,
    subnet: cluster.subnet === 'auto' ? freeSubnet(rows, host) : cluster.subnet,
    nodePort: cluster.nodePort === undefined ? usualNodePort : cluster.nodePort,
    pfPort: cluster.pfPort === undefined ? await portFrom(starts.pf) : cluster.pfPort,
    httpPort: cluster.httpPort === undefined ? await portFrom(starts.http) : cluster.httpPort,
    httpsPort: cluster.httpsPort === undefined ? await portFrom(starts.https) : cluster.httpsPort,
    serverIp: null,
    status: 'pending',
    desired: 'present',
    actual: 'unknown',
    lastReconciledAt: null,
    reconcileError: null,
  }
}

function freeSubnet(rows: readonly ClusterRow[], host: HostChecks): string | null {
  const ranges = rows.flatMap(({ subnet }) => (subnet === null ? [] : (subnetOf(subnet) ?? [])))
  const found = firstFree((range) => {
    if (ranges.some((one) => overlap(one, range))) return true
    const second = Math.floor(range.first / 2 ** 16) % 256
    return !host.isSubnetFree(`10.${second}.0.0/16`)
  })
  if (found !== undefined) return found
  throw refused({ column: 'subnet', message: 'no subnet is free', suggestion: 'name one' })
}

/** Checks a port that was asked for too: better now than when the cluster is made. The reserved row's own port is rightly in use. */
async function refuseTaken(cluster: NewCluster, row: ClusterRow, host: HostChecks): Promise<void> {
  if (cluster.name === reservedCluster) return
  for (const [column, port] of hostPortsOf(row)) {
    if (column === 'pf_port' || (await host.isPortFree(port))) continue
    const message = `${column} ${port} is in use on this host`
    throw refused({ column, message, suggestion: 'name another one, or leave it out' })
  }
  if (row.subnet === null || host.isSubnetFree(row.subnet)) return
  const message = `subnet ${row.subnet} overlaps with a network of this host`
  throw refused({ column: 'subnet', message, suggestion: 'name another one, or say auto' })
}

function refused({ message, suggestion }: Fault): Problem {
  return new Problem({ type: 'configuration', code: 'values_error', message, suggestion })
}
